// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;
import org.subflow.mptcp.bench.Harness;
import org.subflow.mptcp.bench.MaxFlowFatTree;
import org.subflow.mptcp.bench.Score;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/** S-MPTCP: Table 4 (the time of a maximum flow in fat trees), and the fair shares of Fig. 1 and Table 2. */
final class Smptcp {
    private static final List<Integer> PORTS = List.of(4, 8, 16, 32);
    private static final double MEGABIT = 1e6;
    private static final int LINKS = 16;
    private static final int SUM = 36;
    /** Closer to the ideal than this, in Mbit/s, is as published. */
    private static final double ENOUGH = 0.01;
    /** The four links with a capacity in Fig. 1; the others have 10 Mbit/s. */
    private static final List<Integer> SHARED = List.of(2, 5, 10, 15);
    /** Capacities of these that add up to the figure's 36 Mbit/s. */
    private static final List<List<Integer>> CAPACITIES = List.of(List.of(4, 10, 12, 10), List.of(8, 10, 10, 8));
    /** Table 2: for each connection, the links of its two subflows. */
    private static final int[][][] ROUTES = {
        {{1, 2, 3}, {4, 5, 6}},
        {{7, 5, 8}, {9, 10, 11}},
        {{12, 10, 13}, {14, 15, 16}},
    };

    private Smptcp() {
    }

    /** Measures the benchmark {@code maxflow-fattree32}, here for all sizes of the table. */
    static Table dinic(int iterations) throws RunnerException {
        Table table = new Table("k", "vertices", "links", "ours_us", "ours_error_us", "jgrapht_us", "jgrapht_error_us");
        for (int k : PORTS) {
            Map<String, Score> scores = Harness.measure(MaxFlowFatTree.class, Map.of("k", String.valueOf(k)), 1, iterations);
            Score ours = scores.get("ours");
            Score peer = scores.get("peer");
            Graph graph = FatTree.of(k, 1).graph();
            table.row(k, graph.nodeCount(), graph.linkCount(), ours.micros(), ours.error(), peer.micros(), peer.error());
        }
        return table;
    }

    /** Returns the problem of Fig. 1 and Table 2, links 1 to 16 as arcs 0 to 15. */
    static SharingProblem threeConnections(List<Integer> sharedMbps) {
        double[] capacities = new double[LINKS];
        Arrays.fill(capacities, 10 * MEGABIT);
        for (int i = 0; i < SHARED.size(); i++) {
            capacities[SHARED.get(i) - 1] = sharedMbps.get(i) * MEGABIT;
        }
        SharingProblem.Builder problem = SharingProblem.builder(capacities);
        for (int[][] connection : ROUTES) {
            problem.connection();
            for (int[] links : connection) {
                problem.subflow(IntStream.of(links).map(link -> link - 1).toArray());
            }
        }
        return problem.build();
    }

    /** Computes the shares of Fig. 1 with every allocator; rates in Mbit/s. */
    static Table shares() {
        Table table = new Table("capacities", "allocator", "connection_1", "connection_2", "connection_3");
        for (List<Integer> capacities : CAPACITIES) {
            SharingProblem problem = threeConnections(capacities);
            for (String name : Allocators.names()) {
                Allocation allocation = Allocators.byName(name).allocate(problem);
                table.row(capacities.stream().map(String::valueOf).collect(Collectors.joining("/")), name,
                        allocation.total(0) / MEGABIT, allocation.total(1) / MEGABIT, allocation.total(2) / MEGABIT);
            }
        }
        return table;
    }

    /**
     * Computes the shares of Fig. 1 for all whole capacities in Mbit/s of the four links that add up to 36 and let every
     * connection have 12.
     */
    static Table family() {
        Map<String, double[]> results = new LinkedHashMap<>();
        Allocators.names().forEach(name -> results.put(name, new double[3]));
        for (int first = 1; first < SUM; first++) {
            for (int second = 1; first + second < SUM; second++) {
                for (int third = 1; first + second + third < SUM; third++) {
                    SharingProblem problem = threeConnections(List.of(first, second, third, SUM - first - second - third));
                    if (worst(problem, "max-min") < ENOUGH) {
                        results.forEach((name, result) -> add(result, worst(problem, name)));
                    }
                }
            }
        }
        Table table = new Table("allocator", "capacities", "twelve_each", "worst_mbps");
        results.forEach((name, result) -> table.row(name, Math.round(result[0]), Math.round(result[1]), result[2]));
        return table;
    }

    private static void add(double[] result, double worst) {
        result[0]++;
        result[1] += worst < ENOUGH ? 1 : 0;
        result[2] = Math.max(result[2], worst);
    }

    /** Returns how far a connection is from 12 Mbit/s at most. */
    private static double worst(SharingProblem problem, String allocator) {
        return Arrays.stream(Allocators.byName(allocator).allocate(problem).totals())
                .map(total -> Math.abs(total / MEGABIT - SUM / 3.0)).max().orElseThrow();
    }
}
