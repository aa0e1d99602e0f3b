// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.Limitation;

/** A connection with its placement and rates. Rates are bit/s from source to target. Immutable. */
final class PlannedConnection {
    final ConnectionRequest request;
    /** In the order in which they began, without blocked ones; empty if no path leads to the target. */
    final List<PlacedSubflow> subflows;
    /** The expected throughput of all subflows together. */
    final double expected;
    /** ζ while all other connections keep their expected throughputs. */
    final double available;
    /** The smaller of that and the max-min share over all paths. */
    final double fair;
    /** The max-min fair rate of the best routing; not a number if nobody asked for it. */
    final double bound;
    /** What limits it; null if nobody asked for it. */
    final Limitation limitation;

    PlannedConnection(ConnectionRequest request, PlacedConnection placed, AttainableRate attainable, double bound,
                      Limitation limitation) {
        this.request = request;
        this.limitation = limitation;
        this.subflows = placed.subflows().stream().filter(PlacedSubflow::isPlaced).collect(Collectors.toUnmodifiableList());
        this.expected = placed.expected().up();
        this.available = Math.min(request.cap, attainable.available().up());
        this.fair = Math.min(request.cap, attainable.fair().up());
        this.bound = bound;
    }

    /** Returns in which ways the paths of the active subflows are disjoint. */
    Set<Disjointness> disjointIn(Graph graph) {
        return Disjointness.heldBy(graph, subflows.stream().filter(PlacedSubflow::isActive).map(subflow -> subflow.path().get())
                .collect(Collectors.toList()));
    }

    /** Returns the role of a subflow as it is printed. */
    static String role(PlacedSubflow subflow) {
        return subflow.role().name().toLowerCase(Locale.ROOT);
    }
}
