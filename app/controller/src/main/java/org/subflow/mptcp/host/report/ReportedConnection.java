// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import com.google.common.collect.ImmutableList;
import java.util.List;

/** An MPTCP connection as its host sees it. Immutable. */
public final class ReportedConnection {
    private final ImmutableList<ReportedSubflow> subflows;
    private final boolean isEnded;
    private final boolean isApplicationLimited;
    private final boolean isAddable;

    /** Makes a reported connection to which its host can add no subflow; see the other constructor. */
    public ReportedConnection(List<ReportedSubflow> subflows, boolean isEnded, boolean isApplicationLimited) {
        this(subflows, isEnded, isApplicationLimited, false);
    }

    /**
     * Makes a reported connection.
     *
     * @param subflows             its subflows, at most 64; not null
     * @param isEnded              whether it has ended
     * @param isApplicationLimited whether its application gives it less to send than it could
     * @param isAddable            whether its host can open further subflows
     */
    public ReportedConnection(List<ReportedSubflow> subflows, boolean isEnded, boolean isApplicationLimited,
                              boolean isAddable) {
        this.subflows = ImmutableList.copyOf(subflows);
        this.isEnded = isEnded;
        this.isApplicationLimited = isApplicationLimited;
        this.isAddable = isAddable;
    }

    /** Returns its subflows. */
    public List<ReportedSubflow> subflows() {
        return subflows;
    }

    /** Returns whether it has ended. */
    public boolean isEnded() {
        return isEnded;
    }

    /** Returns whether its host can open further subflows. */
    public boolean isAddable() {
        return isAddable;
    }

    /** Returns whether its application gives it less to send than it could. */
    public boolean isApplicationLimited() {
        return isApplicationLimited;
    }
}
