// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;

/** Subflows that are placed together have the paths that they have one after the other. */
class PlaceAllTest {
    private static final int NODES = 20;

    @ParameterizedTest
    @ValueSource(strings = {"widest-disjoint", "k-max", "multiflow", "network-wide", "resource-pool", "ecmp"})
    void samePathsAsOneAfterTheOther(String strategy) {
        Demand demand = Demand.of(Double.POSITIVE_INFINITY, 0);
        PlacementTerms terms = PlacementTerms.of(strategy, 3, JoinPolicy.SHARE);
        Placement placement = new Placement(NetworkState.empty(Waxman.sheu(NODES, 10e6, 2).withUniformCapacities(2e6, 10e6, 3).graph()),
                "max-min", Placement.LEAST_GAIN_PERCENT);
        for (int i = 0; i < 15; i++) {
            NetworkState network = placement.network();
            PlacedConnection one = new PlacedConnection("c" + i, terms, demand, List.of());
            List<PlacedSubflow> begin = new ArrayList<>();
            for (int s = 0; s < 3; s++) {
                begin.add(PlacedSubflow.unplaced(i % NODES, (i + 3) % NODES, true, s > 0, 100L * i + s));
                one = one.plus(begin.get(s));
                one = one.with(s, PathPlacement.place(network, one, s));
            }
            assertEquals(one, PathPlacement.placeAll(network, new PlacedConnection("c" + i, terms, demand, List.of()), begin));
            placement.open("c" + i, i % NODES, (i + 3) % NODES, terms, demand);
        }
    }
}
