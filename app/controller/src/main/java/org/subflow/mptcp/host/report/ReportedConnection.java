// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** An MPTCP connection as its host sees it. Immutable. */
public final class ReportedConnection {
    /** Its subflows. */
    public final ImmutableList<ReportedSubflow> subflows;
    /** Whether it has ended. */
    public final boolean isEnded;
    /** Whether its application gives it less to send than it could. */
    public final boolean isApplicationLimited;
    /** Whether its host can open further subflows. */
    public final boolean isAddable;

    /** Makes a reported connection to which its host can add no subflow; see the other constructor. */
    public ReportedConnection(List<ReportedSubflow> subflows, boolean isEnded, boolean isApplicationLimited) {
        this(subflows, isEnded, isApplicationLimited, false);
    }

    /** Makes a reported connection. */
    public ReportedConnection(List<ReportedSubflow> subflows, boolean isEnded, boolean isApplicationLimited,
                              boolean isAddable) {
        this.subflows = ImmutableList.copyOf(subflows);
        this.isEnded = isEnded;
        this.isApplicationLimited = isApplicationLimited;
        this.isAddable = isAddable;
    }
}
