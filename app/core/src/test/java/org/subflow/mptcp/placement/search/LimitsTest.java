// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.search.MaximumFlow;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.AttainableRates;
import org.subflow.mptcp.placement.rate.FairShares;

/** Limits to delays hold in the whole life of a connection: repair, better paths, and the rate that it could attain. */
class LimitsTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final double ROUNDING = 1e3;

    /** From 0 to 4 over 1 (2 ms), 2 (20 ms) and 3 (400 ms), each of 10 Mbit/s. */
    private static Graph network(boolean hasNear) {
        Graph.Builder graph = Graph.builder(5);
        double[] millis = {1, 10, 200};
        for (int middle = hasNear ? 1 : 2; middle <= 3; middle++) {
            int link = 2 * (middle - (hasNear ? 1 : 2));
            double delay = millis[middle - 1];
            graph.link(0, middle, 10e6).link(middle, 4, 10e6).delay(link, delay, delay).delay(link + 1, delay, delay);
        }
        return graph.build();
    }

    private static PlacedConnection connection(Graph graph, PathLimits limits, int... middles) {
        PlacementTerms terms = PlacementTerms.of("widest-disjoint", 3, JoinPolicy.SHARE).withLimits(limits);
        List<PlacedSubflow> subflows = Arrays.stream(middles)
                .mapToObj(middle -> PlacedSubflow.unplaced(0, 4, true, true, middle)
                        .on(Role.OWN, Path.along(graph, 0, middle, 4)))
                .collect(Collectors.toList());
        return new PlacedConnection("c", terms, Networks.UP, subflows);
    }

    private static List<Double> delays(PlacedConnection connection) {
        return connection.subflows().stream().map(subflow -> subflow.path().get().delayMillis()).collect(Collectors.toList());
    }

    @ParameterizedTest
    @CsvSource({"100, Infinity", "Infinity, 30"})
    void aRepairedSubflowSharesANearPathBeforeItTakesTheFarOne(double most, double spread) {
        Graph graph = network(true);
        PlacedConnection lost = connection(graph, PathLimits.of(most, spread), 1, 2);
        lost = lost.with(1, lost.subflows().get(1).withoutPath(Role.NONE));
        double[] without = new double[graph.arcCount()];
        without[graph.arcFrom(0, 1)] = 10e6;
        NetworkState network = NetworkState.of(graph, without, List.of(lost));
        PlacedConnection repaired = Repair.repair(network, lost, i -> i == 1);
        assertTrue(delays(repaired).stream().allMatch(delay -> delay <= 20), delays(repaired).toString());
    }

    @Test
    void whereOnlyAFarPathIsLeftRepairTakesItAndTheConnectionReturnsOnceItCan() {
        Graph graph = network(false);
        PathLimits limits = PathLimits.of(5, INFINITE);
        PlacedConnection far = connection(graph, limits, 3);
        PlacedConnection repaired = Repair.repair(NetworkState.of(graph, new double[graph.arcCount()], List.of(far)),
                far.with(0, far.subflows().get(0).withoutPath(Role.NONE)), i -> true);
        assertEquals(List.of(20.0), delays(repaired), "the nearest that there is");
        PlacedConnection again = returned(connection(network(true), limits, 3), network(true));
        assertEquals(List.of(2.0), delays(again), "nothing is gained but the delay");
    }

    @Test
    void aSpreadThatIsTooLargeIsGivenUpOnceItCanBe() {
        Graph graph = network(true);
        PlacedConnection again = returned(connection(graph, PathLimits.of(INFINITE, 30), 1, 3), graph);
        assertEquals(18, again.subflows().stream().mapToDouble(subflow -> subflow.path().get().delayMillis()).sum() - 4, 1e-6);
    }

    @Test
    void whoKeepsToItsLimitsStaysWhereItIs() {
        Graph graph = network(true);
        for (PathLimits limits : List.of(PathLimits.NONE, PathLimits.of(1000, INFINITE), PathLimits.of(INFINITE, 1000))) {
            NetworkState network = shared(graph, connection(graph, limits, 1, 2, 3));
            assertFalse(new BetterPaths().of(network, "c", "max-min", 10).isPresent(), limits.toString());
        }
    }

    @Test
    void zetaKnowsOfThePathsThatAreTooLong() {
        Graph graph = network(true);
        for (double[] expected : new double[][] {{INFINITE, 30e6}, {100, 20e6}, {5, 10e6}}) {
            PathLimits limits = PathLimits.of(expected[0], INFINITE);
            AttainableRates rates = new AttainableRates();
            rates.now(shared(graph, connection(graph, limits, 1)));
            assertEquals(expected[1], rates.of(0).available().up(), ROUNDING, limits.toString());
            assertEquals(expected[1], rates.of(0).fair().up(), ROUNDING, limits.toString());
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void whateverStrategySharesAndMovesFollowNoConnectionIsBeyondItsLimits(String strategy) {
        int limited = 0;
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Graph graph = delayed(Networks.random(random), random);
            Placement placement = Networks.on(graph);
            for (int c = 0; c < 4; c++) {
                PathLimits limits = PathLimits.of(random.nextBoolean() ? INFINITE : 5 + random.nextInt(30),
                        random.nextBoolean() ? INFINITE : random.nextInt(15));
                placement.open("c" + c, c % 2, graph.nodeCount() - 1,
                        PlacementTerms.of(strategy, 1 + random.nextInt(3), JoinPolicy.SHARE).withLimits(limits), Networks.UP);
            }
            placement.settle();
            for (PlacedConnection connection : placement.network().connections()) {
                PathLimits limits = connection.terms().limits();
                List<Path> paths = connection.subflows().stream().map(subflow -> subflow.path().orElseThrow())
                        .collect(Collectors.toList());
                int client = paths.get(0).node(0);
                boolean canKeep = MaximumFlow.value(graph, capacities(graph), client, graph.nodeCount() - 1, limits) > 0;
                assertTrue(!canKeep || limits.excess(paths) == 0, strategy + ", seed " + seed + ": " + limits + ": " + paths);
                limited += canKeep && !limits.isNone() ? 1 : 0;
            }
        }
        assertTrue(limited > 60, limited + " connections had limits");
    }

    static List<String> strategies() {
        return PathStrategies.names();
    }

    private static double[] capacities(Graph graph) {
        return IntStream.range(0, graph.arcCount()).mapToDouble(graph::capacity).toArray();
    }

    /** Returns a network with a delay of up to 9 ms for each link. */
    private static Graph delayed(Graph plain, Random random) {
        Graph.Builder graph = Graph.builder(plain.nodeCount());
        for (int link = 0; link < plain.linkCount(); link++) {
            int millis = random.nextInt(10);
            graph.link(plain.tail(2 * link), plain.head(2 * link), plain.capacity(2 * link)).delay(link, millis, millis);
        }
        return graph.build();
    }

    private static PlacedConnection returned(PlacedConnection connection, Graph graph) {
        NetworkState network = shared(graph, connection);
        return new BetterPaths().of(network, "c", "max-min", 10).orElse(network.connections().get(0));
    }

    private static NetworkState shared(Graph graph, PlacedConnection connection) {
        NetworkState network = NetworkState.of(graph, new double[graph.arcCount()], List.of(connection));
        return network.withConnections(new FairShares().of(network, "max-min"));
    }
}
