// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import org.subflow.mptcp.path.Disjointness;

/** A connection with the paths of its subflows. Immutable. */
final class PlannedConnection {
    final ConnectionRequest request;
    /** What the subflows' own paths do not have in common. */
    final Disjointness disjointness;
    /** Those with paths of their own first, the strategy's first choice first; empty if nothing leads to the target. */
    final List<PlannedSubflow> subflows;

    PlannedConnection(ConnectionRequest request, Disjointness disjointness, List<PlannedSubflow> subflows) {
        this.request = request;
        this.disjointness = disjointness;
        this.subflows = List.copyOf(subflows);
    }
}
