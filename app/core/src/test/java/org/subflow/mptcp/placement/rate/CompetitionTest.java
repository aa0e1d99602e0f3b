// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.search.Networks;
import org.subflow.mptcp.share.SharingProblem;

/** The competitors of a network, their limits, and the mapping of rates to subflows. */
class CompetitionTest {
    private static final Demand BOTH_WAYS = Demand.of(8e6, 2e6);

    private final Graph graph = Networks.diamond();

    @Test
    void eachDirectionIsACompetitorWithItsDemandAndItsArcs() {
        Competition competition = of(connection("c", BOTH_WAYS, on(Role.OWN, 1), on(Role.SHARED, 2)));
        SharingProblem problem = competition.problem();
        assertEquals(2, problem.connectionCount());
        assertEquals(8e6, problem.cap(0));
        assertEquals(2e6, problem.cap(1));
        assertArrayEquals(new int[] {arc(0, 1), arc(1, 4)}, problem.route(0));
        assertArrayEquals(new int[] {arc(4, 1), arc(1, 0)}, problem.route(2), "the same links back");
    }

    @Test
    void aSubflowOfTheServerIsSeenFromTheClient() {
        PlacedSubflow fromServer = PlacedSubflow.unplaced(4, 0, false, true, 1).on(Role.OWN, Path.along(graph, 4, 1, 0));
        SharingProblem problem = of(connection("c", BOTH_WAYS, fromServer)).problem();
        assertArrayEquals(new int[] {arc(0, 1), arc(1, 4)}, problem.route(0), "up is from the client");
    }

    @Test
    void theCapLimitsToo() {
        PlacementTerms terms = Networks.terms(1, JoinPolicy.SHARE).withShare(3, 5e6);
        SharingProblem problem = of(new PlacedConnection("c", terms, BOTH_WAYS, List.of(on(Role.OWN, 1)))).problem();
        assertEquals(5e6, problem.cap(0));
        assertEquals(2e6, problem.cap(1));
        assertEquals(3, problem.weight(0));
    }

    @Test
    void backupsAndSubflowsWithoutPathAndDirectionsWithoutDemandTakeNoPart() {
        Competition competition = of(
                connection("none", BOTH_WAYS, on(Role.BACKUP, 1), PlacedSubflow.unplaced(0, 4, true, true, 1)),
                connection("up", Networks.UP, on(Role.OWN, 1)));
        assertEquals(1, competition.problem().connectionCount());
        assertEquals(OptionalInt.empty(), competition.number(0, true));
        assertEquals(OptionalInt.of(0), competition.number(1, true));
        assertEquals(OptionalInt.empty(), competition.number(1, false));
    }

    @Test
    void otherTrafficIsOneMoreCompetitorOnItsArc() {
        double[] others = new double[graph.arcCount()];
        others[arc(1, 4)] = 3e6;
        NetworkState network = NetworkState.of(graph, others, List.of(connection("c", Networks.UP, on(Role.OWN, 1))));
        SharingProblem problem = Competition.of(network).problem();
        assertEquals(2, problem.connectionCount());
        assertEquals(3e6, problem.cap(1));
        assertArrayEquals(new int[] {arc(1, 4)}, problem.route(1));
    }

    @Test
    void ratesComeBackToTheirSubflowsAndTheRestGetNothing() {
        Competition competition = of(
                connection("a", BOTH_WAYS, on(Role.BACKUP, 3).withExpected(Rates.of(1, 1)), on(Role.OWN, 1), on(Role.OWN, 2)),
                connection("b", Networks.UP, on(Role.OWN, 1)));
        List<PlacedConnection> shared = competition.shared(new double[] {1e6, 2e6, 3e6, 4e6, 5e6});
        assertEquals(Rates.ZERO, shared.get(0).subflows().get(0).expected());
        assertEquals(Rates.of(1e6, 3e6), shared.get(0).subflows().get(1).expected());
        assertEquals(Rates.of(2e6, 4e6), shared.get(0).subflows().get(2).expected());
        assertEquals(Rates.of(5e6, 0), shared.get(1).expected());
    }

    @Test
    void presentRatesAreInTheProblemsOrder() {
        double[] others = new double[graph.arcCount()];
        others[arc(0, 2)] = 7e6;
        PlacedConnection connection = connection("a", BOTH_WAYS, on(Role.OWN, 1).withExpected(Rates.of(4e6, 1e6)));
        Competition competition = Competition.of(NetworkState.of(graph, others, List.of(connection)));
        assertArrayEquals(new double[] {4e6, 1e6, 7e6}, competition.expected());
    }

    @Test
    void aNetworkWithoutConnectionsHasNoShares() {
        assertTrue(of().shared(new double[0]).isEmpty());
    }

    private Competition of(PlacedConnection... connections) {
        return Competition.of(NetworkState.empty(graph).withConnections(List.of(connections)));
    }

    private static PlacedConnection connection(String id, Demand demand, PlacedSubflow... subflows) {
        return new PlacedConnection(id, Networks.terms(3, JoinPolicy.SHARE), demand, List.of(subflows));
    }

    private PlacedSubflow on(Role role, int middle) {
        return PlacedSubflow.unplaced(0, 4, true, false, 1).on(role, Path.along(graph, 0, middle, 4));
    }

    private int arc(int from, int to) {
        return graph.arcBetween(from, to);
    }
}
