// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.topology.Waxman;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacementTerms;

/** Water-filling beside the core's allocator, and what routers without a look at the network share with the core. */
class SharingTest {
    private static final int NODES = 20;

    private static Parameters parameters(String strategy) {
        Parameters parameters = new Parameters();
        parameters.terms = PlacementTerms.of(strategy, 3, JoinPolicy.SHARE);
        parameters.allocator = "max-min";
        return parameters;
    }

    private static Graph graph(long seed) {
        return Waxman.sheu(NODES, 10e6, seed).withUniformCapacities(1e6, 20e6, seed).graph();
    }

    private static List<Connection> connections(Graph graph, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Router router = new Router(parameters("widest-disjoint"), new Access(new boolean[NODES]));
        List<Connection> connections = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int source = random.nextInt(NODES);
            Arrival arrival = new Arrival(i, 0, source, (source + 1 + random.nextInt(NODES - 1)) % NODES, 1, random.nextLong());
            Connection connection = new Connection(arrival, 1);
            List<Path> paths = router.paths(graph, arrival, router.placed(NetworkState.empty(graph), arrival));
            // Some have lost a path.
            if (i % 7 == 0) {
                paths.set(1, null);
            }
            connection.on(paths);
            connections.add(connection);
        }
        return connections;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void ofSubflowsItIsTheAllocators(long seed) {
        Graph graph = graph(seed);
        List<Connection> connections = connections(graph, seed);
        double[] rates = new WaterFilling(graph.arcCount(), 0).rates(graph.capacities(), connections);
        assertArrayEquals(AllocatorSharing.bySubflow().rates(graph.capacities(), connections), rates, 10);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void ofConnectionsItIsFeasibleAndWastesNothing(long seed) {
        Graph graph = graph(seed);
        List<Connection> connections = connections(graph, seed);
        double[] rates = new WaterFilling(graph.arcCount(), WaterFilling.ROUNDS).rates(graph.capacities(), connections);
        double[] loads = new double[graph.arcCount()];
        int next = 0;
        for (Connection connection : connections) {
            for (int[] route : connection.routes) {
                double rate = route == null ? 0 : rates[next++];
                for (int hop = 0; route != null && hop < route.length; hop++) {
                    loads[route[hop]] += rate;
                }
            }
        }
        for (int arc = 0; arc < loads.length; arc++) {
            assertTrue(loads[arc] <= graph.capacity(arc) * (1 + 1e-9));
        }
        for (Connection connection : connections) {
            for (int[] route : connection.routes) {
                assertTrue(route == null || Arrays.stream(route).anyMatch(arc -> loads[arc] >= graph.capacity(arc) * (1 - 1e-9)));
            }
        }
        double[] exact = AllocatorSharing.byConnection("max-min").rates(graph.capacities(), connections);
        assertEquals(Arrays.stream(exact).sum(), Arrays.stream(rates).sum(), 0.1 * Arrays.stream(exact).sum());
    }

    /** Strategies that the simulation asks without a network answer as in the core's placement. */
    @ParameterizedTest
    @ValueSource(strings = {"ecmp", "shortest"})
    void blindStrategiesArePlacedAsInTheCore(String strategy) {
        Graph graph = graph(1);
        Router router = new Router(parameters(strategy), new Access(new boolean[NODES]));
        assertTrue(router.isBlind());
        NetworkState busy = NetworkState.empty(graph);
        for (Connection connection : connections(graph, 1)) {
            busy = busy.with(router.seen(connection));
        }
        for (int i = 100; i < 120; i++) {
            Arrival arrival = new Arrival(i, 0, i % NODES, (i + 7) % NODES, 1, i * 12345L);
            assertEquals(router.paths(graph, arrival, router.placed(busy, arrival)), router.blind(graph, arrival));
        }
    }

    @Test
    void theHeapGivesTheFirstEvent() {
        SplittableRandom random = new SplittableRandom(3);
        LevelHeap heap = new LevelHeap(3000);
        List<Integer> there = new ArrayList<>();
        for (int step = 0; step < 3000; step++) {
            if (there.size() < 2 || random.nextInt(3) > 0) {
                there.add(step);
                heap.change(step, random.nextInt(50));
            } else if (random.nextBoolean()) {
                heap.remove(there.remove(random.nextInt(there.size())));
            } else {
                heap.change(there.get(random.nextInt(there.size())), random.nextInt(50));
            }
            // Of those at the same time, the first is that of the smallest number.
            assertEquals(there.stream().min(Comparator.comparingDouble((Integer one) -> heap.level[one]).thenComparing(one -> one))
                                 .orElseThrow(), heap.first());
        }
    }
}
