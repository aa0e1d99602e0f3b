// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.Rates;

/** The residual bandwidth that a new subflow finds on links. */
class ResidualBandwidthTest {
    private final Graph graph = Graph.builder(3).link(0, 1, 10e6).link(1, 2, 10e6, 4e6).build();

    @Test
    void roundingMakesNoPathWider() {
        assertEquals(residual(0, sending(10e6 / 3)), residual(0, sending(10e6 / 3 + 3e3)));
        assertEquals(10e6 * 2 / 3, residual(0, sending(10e6 / 3)), 0.25e6, "the nearest step");
    }

    @Test
    void anUnusedLinkHasTheCapacityOfItsNarrowerDirection() {
        assertEquals(10e6, residual(0));
        assertEquals(4e6, residual(2));
        assertEquals(4e6, residual(3));
    }

    @Test
    void onlyTheDirectionCountsInWhichTheConnectionSends() {
        NetworkState network = NetworkState.empty(graph);
        assertEquals(10e6, ResidualBandwidth.of(network, asking(Networks.UP), true)[2]);
        assertEquals(4e6, ResidualBandwidth.of(network, asking(Networks.UP), true)[3]);
        Demand down = Demand.of(0, Double.POSITIVE_INFINITY);
        assertEquals(4e6, ResidualBandwidth.of(network, asking(down), true)[2]);
        assertEquals(4e6, ResidualBandwidth.of(network, asking(Networks.UP), false)[2], "the path leads from the server");
        assertEquals(10e6, ResidualBandwidth.of(network, asking(down), false)[2]);
        Demand upload = Demand.of(Double.POSITIVE_INFINITY, 300e3).acknowledging(false);
        assertEquals(10e6, ResidualBandwidth.of(network, asking(upload), true)[2], "acknowledgements make no link narrower");
        assertEquals(4e6, ResidualBandwidth.of(network, asking(Demand.of(0, 0)), true)[2], "nothing is known of it");
    }

    @Test
    void aFullLinkLeavesAnEqualPart() {
        assertEquals(5e6, residual(0, sending(10e6)));
        assertEquals(3.5e6, residual(0, sending(5e6), sending(5e6)), "a third, in steps of a twentieth");
    }

    @Test
    void aConnectionThatHasBegunJustNowTakesAnEqualPart() {
        assertEquals(5e6, residual(0, sending(0)));
        assertEquals(4e6, residual(0, sending(2e6), sending(0)), "half of what the other leaves");
        assertEquals(4e6, residual(2, sending(0)), "it takes nothing elsewhere");
    }

    @Test
    void theConnectionsOwnThroughputCountsAsFree() {
        NetworkState network = NetworkState.empty(graph).with(sending(10e6));
        assertEquals(10e6, ResidualBandwidth.of(network, sending(10e6), true)[0]);
    }

    @Test
    void aLinkWithoutCapacityHasNoResidualBandwidth() {
        Graph none = Graph.builder(2).link(0, 1, 0).build();
        assertEquals(0, ResidualBandwidth.of(NetworkState.empty(none), asking(Demand.UNLIMITED), true)[0]);
    }

    @Test
    void aOneWayLinkCountsWhereItIsAllowed() {
        Graph oneWay = Graph.builder(2).link(0, 1, 10e6, 0).build();
        assertEquals(0, ResidualBandwidth.of(NetworkState.empty(oneWay), asking(Demand.UNLIMITED), true)[0]);
        assertEquals(10e6, ResidualBandwidth.of(NetworkState.empty(oneWay).allowingOneWayLinks(), asking(Demand.UNLIMITED), true)[0]);
    }

    private double residual(int arc, PlacedConnection... connections) {
        return ResidualBandwidth.of(NetworkState.empty(graph).withConnections(List.of(connections)), asking(Demand.UNLIMITED), true)[arc];
    }

    private static PlacedConnection asking(Demand demand) {
        return new PlacedConnection("new", Networks.terms(1, JoinPolicy.SHARE), demand, List.of());
    }

    private PlacedConnection sending(double rate) {
        return new PlacedConnection("c" + rate / 1e6, Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(
                PlacedSubflow.unplaced(0, 1, true, false, 1).on(Role.OWN, Path.along(graph, 0, 1))
                        .withExpected(Rates.of(rate, 0))));
    }
}
