// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.PlacementTerms;

/** Runs whose answer is known by calculation, and what holds for all runs. */
class SimulationTest {
    private static final double LINK = 8e6;
    private static final double NEVER = 1e300;
    private static final Graph ONE_LINK = Graph.builder(2).link(0, 1, LINK).build();
    /** Two ways from node 0 to node 3. */
    private static final Graph SQUARE = Graph.builder(4).link(0, 1, LINK).link(1, 3, LINK).link(0, 2, LINK).link(2, 3, LINK).build();

    /** Parameters under which a byte of payload is a byte on the wire. */
    private static Parameters parameters(String strategy, int subflows, double manageAfterBytes) {
        Parameters parameters = new Parameters();
        parameters.terms = PlacementTerms.of(strategy, subflows, JoinPolicy.SHARE);
        parameters.allocator = "max-min";
        parameters.payloadBytes = Parameters.FRAME_BYTES;
        parameters.manageAfterBytes = manageAfterBytes;
        parameters.manageAfterSeconds = NEVER;
        parameters.snapshots = 0;
        return parameters;
    }

    private static RunResult run(Graph graph, Parameters parameters, List<LinkChange> changes, Arrival... arrivals) {
        return new Simulation(graph, List.of(arrivals), changes, parameters).run(ended -> true);
    }

    private static Arrival arrival(int number, double at, int source, int target, double bytes) {
        return new Arrival(number, at, source, target, bytes, number);
    }

    private static List<Arrival> poisson(int connections, double perSecond, int nodes, SplittableRandom random, double fixedBytes) {
        List<Arrival> arrivals = new ArrayList<>();
        double now = 0;
        for (int i = 0; i < connections; i++) {
            now -= Math.log(1 - random.nextDouble()) / perSecond;
            int source = nodes == 2 ? 0 : random.nextInt(nodes);
            int target = nodes == 2 ? 1 : (source + 1 + random.nextInt(nodes - 1)) % nodes;
            double bytes = fixedBytes > 0 ? fixedBytes : Math.max(1, -Math.log(1 - random.nextDouble()) * 1e5);
            arrivals.add(new Arrival(i, now, source, target, bytes, random.nextLong()));
        }
        return arrivals;
    }

    @Test
    void oneConnectionHasTheLinkForItself() {
        RunResult result = run(ONE_LINK, parameters("widest-disjoint", 2, NEVER), List.of(), arrival(0, 5, 0, 1, 3e6));
        assertEquals(3, result.completion[0], 1e-9);
        assertEquals(8, result.end, 1e-9);
        assertEquals(24e6, result.carried[0], 1e-3);
        assertEquals(0, result.carried[1]);
    }

    /** The second finds half of the link; the first goes on alone after the second has ended. */
    @Test
    void twoConnectionsShareWhileBothAreThere() {
        RunResult result = run(ONE_LINK, parameters("widest-disjoint", 1, NEVER), List.of(),
                arrival(0, 0, 0, 1, 3e6), arrival(1, 1, 0, 1, 0.5e6));
        assertEquals(3.5, result.completion[0], 1e-9);
        assertEquals(1, result.completion[1], 1e-9);
        assertEquals(2, result.mostAlive);
        assertEquals(4.5 / 3.5, result.meanAlive, 1e-9);
        assertEquals(1, result.fairness, 1e-12);
    }

    /** M/G/1 with processor sharing: the mean time is size ÷ (capacity · (1 − load)), whatever the distribution (Kleinrock 1976). */
    @ParameterizedTest
    @CsvSource({"0, 0.5", "0, 0.8", "1e5, 0.5"})
    void processorSharing(double fixedBytes, double load) {
        List<Arrival> arrivals = poisson(20_000, load * LINK / 8e5, 2, new SplittableRandom(1), fixedBytes);
        Parameters parameters = parameters("shortest", 1, NEVER);
        parameters.agents = false;
        RunResult result = new Simulation(ONE_LINK, arrivals, List.of(), parameters).run(ended -> true);
        double mean = Arrays.stream(result.completion).average().orElseThrow();
        assertEquals(8e5 / LINK / (1 - load), mean, 0.1 * mean);
        // Little's law.
        assertEquals(result.meanAlive, mean * arrivals.size() / (result.end - arrivals.get(0).at), 1e-6 * result.meanAlive);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void pathsAreEarnedBySize(boolean agents) {
        Parameters parameters = parameters("widest-disjoint", 2, 1e6);
        parameters.agents = agents;
        RunResult result = run(SQUARE, parameters, List.of(), arrival(0, 0, 0, 3, 5e6), arrival(1, 20, 0, 3, 1e6));
        assertEquals(1 + 2, result.completion[0], 1e-9);
        assertEquals(2, result.paths[0]);
        assertEquals(1, result.completion[1], 1e-9);
        assertEquals(1, result.paths[1]);
        // Three switches on each of two paths, with a rule each way.
        assertEquals(12, result.rules);
    }

    @Test
    void pathsAreEarnedByAge() {
        Parameters parameters = parameters("widest-disjoint", 2, NEVER);
        parameters.manageAfterSeconds = 2;
        assertEquals(2 + 1, run(SQUARE, parameters, List.of(), arrival(0, 0, 0, 3, 4e6)).completion[0], 1e-9);
        parameters.manageAfterSeconds = 0;
        assertEquals(2, run(SQUARE, parameters, List.of(), arrival(0, 0, 0, 3, 4e6)).completion[0], 1e-9);
    }

    /** Agents divide a link by connections, kernels by subflows: three of four are those of the first. */
    @Test
    void modelsDifferWhereSubflowsMeet() {
        Arrival[] arrivals = {arrival(0, 0, 0, 1, 3e6), arrival(1, 0, 0, 1, 3e6)};
        Parameters parameters = parameters("shortest", 3, 0);
        assertEquals(6, run(ONE_LINK, parameters, List.of(), arrivals).completion[0], 1e-9);
        Graph split = Graph.builder(3).link(0, 1, LINK).link(2, 0, LINK / 4).build();
        Arrival[] others = {arrival(0, 0, 0, 1, 3e6), arrival(1, 0, 2, 1, 1e6)};
        parameters.agents = false;
        RunResult kernels = run(split, parameters, List.of(), others);
        // Alone on its narrow link, the second gets that; the first gets the rest.
        assertEquals(4, kernels.completion[1], 1e-9);
        assertEquals(4, kernels.completion[0], 1e-9);
    }

    @Test
    void aFailureStopsForTheRepairAndGoesOnElsewhere() {
        for (int via : new int[] {0, 2}) {
            RunResult result = run(SQUARE, parameters("widest-disjoint", 2, NEVER), List.of(new LinkChange(1, via, false)),
                    arrival(0, 0, 0, 3, 3e6));
            boolean hit = result.moves == 1;
            assertEquals(hit ? 3.05 : 3, result.completion[0], 1e-9);
        }
        // One of the two was on its path.
        assertEquals(1, List.of(0, 2).stream().mapToInt(via -> run(SQUARE, parameters("widest-disjoint", 2, NEVER),
                List.of(new LinkChange(1, via, false)), arrival(0, 0, 0, 3, 3e6)).moves).sum());
    }

    @Test
    void aManagedConnectionKeepsItsOtherPathMeanwhile() {
        // 1 s on both paths: 2 MB. Then 0.05 s on one, and after that two subflows on the same one.
        RunResult result = run(SQUARE, parameters("widest-disjoint", 2, 0), List.of(new LinkChange(1, 0, false)),
                arrival(0, 0, 0, 3, 5e6));
        assertEquals(1 + 3, result.completion[0], 1e-9);
        assertEquals(1, result.moves);
    }

    @Test
    void withoutAnotherPathItWaitsForTheLink() {
        RunResult result = run(ONE_LINK, parameters("widest-disjoint", 2, NEVER),
                List.of(new LinkChange(1, 0, false), new LinkChange(4, 0, true)),
                arrival(0, 0, 0, 1, 3e6), arrival(1, 2, 0, 1, 1e6));
        assertEquals(3 + 3.05, result.completion[0], 1e-9);
        assertEquals(RunResult.BLOCKED, result.paths[1]);
        assertTrue(Double.isNaN(result.completion[1]));
    }

    @Test
    void aPartedNetworkEndsTheRun() {
        RunResult result = run(ONE_LINK, parameters("widest-disjoint", 2, NEVER), List.of(new LinkChange(1, 0, false)),
                arrival(0, 0, 0, 1, 3e6));
        assertTrue(Double.isNaN(result.completion[0]));
        assertEquals(1, result.paths[0]);
        assertEquals(8e6, result.carried[0], 1e-3);
    }

    /** What leaves a node less what comes there is what its connections send less what they receive; no arc is over its capacity. */
    @ParameterizedTest
    @CsvSource({"widest-disjoint, max-min, true", "widest-disjoint, proportional, true", "k-max, max-min, false", "ecmp, max-min, true",
            "network-wide, max-min, true", "resource-pool, smptcp, true", "multiflow, max-min, false"})
    void bitsAreConserved(String strategy, String allocator, boolean agents) {
        Graph graph = Waxman.sheu(20, LINK, 3).withUniformCapacities(LINK / 4, LINK, 4).graph();
        List<Arrival> arrivals = poisson(60, 40, graph.nodeCount(), new SplittableRandom(2), 0);
        Parameters parameters = parameters(strategy, 3, 2e4);
        parameters.allocator = allocator;
        parameters.agents = agents;
        parameters.manageAfterSeconds = 1;
        List<LinkChange> changes = List.of(new LinkChange(0.3, 2, false), new LinkChange(0.5, 2, true), new LinkChange(0.6, 5, false));
        RunResult result = new Simulation(graph, arrivals, changes, parameters).run(ended -> true);
        double[] net = new double[graph.nodeCount()];
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            net[graph.tail(arc)] += result.carried[arc];
            net[graph.head(arc)] -= result.carried[arc];
            assertTrue(result.carried[arc] <= graph.capacity(arc) * result.end * (1 + 1e-6));
        }
        double all = 0;
        for (Arrival arrival : arrivals) {
            boolean ended = !Double.isNaN(result.completion[arrival.number]);
            assertTrue(ended || result.paths[arrival.number] == RunResult.BLOCKED, "connection " + arrival.number);
            net[arrival.source] -= ended ? arrival.bytes * 8 : 0;
            net[arrival.target] += ended ? arrival.bytes * 8 : 0;
            all += arrival.bytes * 8;
        }
        for (double rest : net) {
            assertEquals(0, rest, 1e-6 * all);
        }
    }

    @Test
    void theSameInputHasTheSameResult() {
        Graph graph = FatTree.of(4, LINK).graph();
        List<Arrival> arrivals = poisson(60, 300, graph.nodeCount(), new SplittableRandom(2), 0);
        Parameters parameters = parameters("widest-disjoint", 2, 2e4);
        parameters.snapshots = 3;
        RunResult one = new Simulation(graph, arrivals, List.of(), parameters).run(ended -> true);
        RunResult other = new Simulation(graph, arrivals, List.of(), parameters).run(ended -> true);
        assertTrue(Arrays.equals(one.completion, other.completion));
        assertTrue(Arrays.equals(one.carried, other.carried));
        assertEquals(3, one.snapshots.size());
        for (Snapshot snapshot : one.snapshots) {
            // Shares at each change are exact, from a warm start as from a cold one.
            assertEquals(0, snapshot.largestError, 1e-6);
            assertTrue(snapshot.smallestFraction > 0 && snapshot.smallestFraction <= 1 + 1e-6);
        }
    }

    /** Rates anew now and then, and by water-filling, tell nearly the same times. */
    @ParameterizedTest
    @CsvSource({"0, true, 0.05", "0.05, false, 0.05", "0.05, true, 0.08"})
    void approximationsAreNear(double everyMillis, boolean approximate, double tolerance) {
        Graph graph = FatTree.of(4, 100 * LINK).graph();
        List<Arrival> arrivals = poisson(400, 4000, 36, new SplittableRandom(5), 0);
        Parameters parameters = parameters("widest-disjoint", 2, 2e4);
        double exact = Arrays.stream(new Simulation(graph, arrivals, List.of(), parameters).run(ended -> true).completion)
                .average().orElseThrow();
        parameters.step = everyMillis / 1e3;
        parameters.approximate = approximate;
        parameters.snapshots = 2;
        RunResult result = new Simulation(graph, arrivals, List.of(), parameters).run(ended -> true);
        assertEquals(exact, Arrays.stream(result.completion).average().orElseThrow(), tolerance * exact);
        assertTrue(result.snapshots.get(0).meanError < 0.5);
    }

    /** Paths are chosen between switches, as the controller knows no host: so they are disjoint though a host has one link. */
    @Test
    void hostsStandForTheirSwitches() {
        Graph graph = FatTree.of(4, LINK).graph();
        Parameters parameters = parameters("widest-disjoint", 2, 0);
        parameters.isHost = new boolean[graph.nodeCount()];
        Arrays.fill(parameters.isHost, 20, 36, true);
        RunResult result = run(graph, parameters, List.of(), arrival(0, 0, FatTree.host(4, 0, 0, 0), FatTree.host(4, 3, 1, 1), 1e6),
                arrival(1, 9, FatTree.host(4, 0, 0, 0), FatTree.host(4, 0, 0, 1), 1e6));
        assertEquals(2, result.paths[0]);
        assertEquals(1, result.completion[0], 1e-9);
        assertEquals(1, result.completion[1], 1e-9);
        int used = 0;
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            used += result.carried[arc] > 0 ? 1 : 0;
        }
        // Both hosts' links, two paths of four links, and one more link to the host at the same switch.
        assertEquals(2 + 2 * 4 + 1, used);
    }

    @Test
    void tenThousandConnectionsBetweenOnePair() {
        Arrival[] arrivals = new Arrival[10_000];
        Arrays.setAll(arrivals, i -> arrival(i, 0, 0, 3, 1e3));
        Parameters parameters = parameters("widest-disjoint", 2, NEVER);
        parameters.step = 0.2;
        RunResult result = run(SQUARE, parameters, List.of(), arrivals);
        assertTrue(Arrays.stream(result.completion).noneMatch(Double::isNaN));
        // Two paths of 1 MB/s for 10 MB; the newcomers' estimated rates of the first 0.2 s come on top.
        assertEquals(5, Arrays.stream(result.completion).max().orElseThrow(), 0.5);
    }

    @Test
    void capacitiesOfNineOrdersOfMagnitude() {
        Graph graph = Graph.builder(4).link(0, 1, 1e3).link(1, 3, 1e12).link(0, 2, 1e12).link(2, 3, 1e12).build();
        for (boolean agents : new boolean[] {true, false}) {
            Parameters parameters = parameters("widest-disjoint", 2, 0);
            parameters.agents = agents;
            RunResult result = run(graph, parameters, List.of(), arrival(0, 0, 0, 3, 1e9), arrival(1, 0, 1, 0, 1e3));
            assertEquals(8e9 / 1e12, result.completion[0], 1e-3);
            assertTrue(result.completion[1] < 8.1);
        }
    }
}
