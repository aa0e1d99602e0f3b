// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import java.util.Set;
import org.subflow.mptcp.api.FiveTuple;

/** What a test says that a host has reported. */
public final class HostViewBench {
    private HostViewBench() {
    }

    /** Makes a report of a connection with these subflows. */
    public static HostView view(long millis, FiveTuple... present) {
        return new HostView(millis, Set.of(present), 0, false, true);
    }
}
