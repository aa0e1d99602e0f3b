// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.List;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;

/** A comparison with the best of any routing: a connection with 15 of the 20 Mbit/s that two paths could carry. */
public final class Bounds {
    private Bounds() {
    }

    /** Returns the comparison of a moment, milliseconds of the Unix epoch. */
    public static NetworkBound of(long millis) {
        Graph graph = Graph.builder(4).link(0, 1, 10e6).link(1, 3, 10e6).link(0, 2, 10e6).link(2, 3, 10e6).build();
        PlacedSubflow subflow = PlacedSubflow.unplaced(0, 3, true, false, 1).withExpected(Rates.of(15e6, 0));
        NetworkState network = NetworkState.empty(graph).with(new PlacedConnection(
                "c", PlacementTerms.of("shortest", 1, JoinPolicy.SHARE), Demand.of(Double.POSITIVE_INFINITY, 0), List.of(subflow)));
        return new NetworkBound(millis, 1, PlacementQuality.of(network, SplittableFlow.of(network)));
    }
}
