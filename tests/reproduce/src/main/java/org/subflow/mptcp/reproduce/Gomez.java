// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.RandomGeometric;
import org.subflow.mptcp.path.topology.Topology;

/**
 * Gómez et al., Fig. 3 to 5: link-, node- and zone-disjoint routes over connected random geometric graphs. Nodes lie on 100 m
 * × 100 m, with a range of 20 m. Routes lead from the node nearest (20, 50) to the node nearest (80, 50).
 *
 * <p>Graph number s is the first connected one that {@link RandomGeometric} draws from seed s. With 32 nodes, about one draw
 * in a hundred is connected. Of those, one in 24 has two routes for all three strategies, which Fig. 4 and 5 need. A file
 * beside this class lists the numbers of the first thousand such graphs; {@link #main} writes it.
 */
final class Gomez {
    private static final List<String> STRATEGIES = List.of("link-disjoint", "node-disjoint", "zone-disjoint");
    private static final List<Integer> NODES = List.of(32, 40, 48, 56, 64, 80, 100);
    private static final int SPARSE = 32;
    private static final double SIDE = 100;
    private static final double RANGE = 20;
    private static final int ALL = 1000;

    private Gomez() {
    }

    /** Prints the numbers of the first graphs with two routes for all three strategies, as many as the argument says. */
    public static void main(String[] arguments) {
        suitable().limit(Long.parseLong(arguments[0])).forEach(System.out::println);
    }

    /** Returns the numbers of the graphs of 32 nodes with two routes for all three strategies, found by drawing. */
    static LongStream suitable() {
        LongPredicate hasTwoRoutes = number -> {
            Topology topology = draw(SPARSE, number);
            return STRATEGIES.stream().allMatch(strategy -> routes(topology, strategy, false).size() >= 2);
        };
        return LongStream.iterate(0, number -> number + 1).filter(hasTwoRoutes);
    }

    /** Returns the numbers kept in the file. */
    static List<Long> kept() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                Gomez.class.getResourceAsStream("gomez-32-nodes.txt"), StandardCharsets.US_ASCII))) {
            return in.lines().map(Long::valueOf).collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Computes Fig. 3's data.
     *
     * @param graphs how many connected graphs for each number of nodes
     * @return one row for each number of nodes and strategy; the greedy search of the paper and the exact one of
     *         {@code --exact}, which zone-disjoint does not have
     */
    static Table shareWithTwoRoutes(int graphs) {
        Table table = new Table("nodes", "strategy", "graphs", "share", "share_exact");
        for (int nodes : NODES) {
            Map<String, int[]> found = new LinkedHashMap<>();
            STRATEGIES.forEach(strategy -> found.put(strategy, new int[2]));
            for (long number = 0; number < graphs; number++) {
                Topology topology = draw(nodes, number);
                found.forEach((strategy, count) -> {
                    count[0] += routes(topology, strategy, false).size() >= 2 ? 1 : 0;
                    count[1] += hasExact(strategy) && routes(topology, strategy, true).size() >= 2 ? 1 : 0;
                });
            }
            found.forEach((strategy, count) -> table.row(nodes, strategy, graphs, (double) count[0] / graphs,
                    hasExact(strategy) ? String.valueOf((double) count[1] / graphs) : ""));
        }
        return table;
    }

    private static boolean hasExact(String strategy) {
        return !strategy.startsWith("zone");
    }

    /**
     * Computes the data of Fig. 4 and 5.
     *
     * @param graphs how many graphs with two routes for all three strategies, at most a thousand
     * @return how often each strategy found how many routes, and how often its first two routes had how many hops
     */
    static Table routesAndHops(int graphs) {
        Table table = new Table("what", "strategy", "value", "count");
        for (String strategy : STRATEGIES) {
            Map<String, Map<Integer, Integer>> counts = new LinkedHashMap<>();
            for (long number : kept().subList(0, graphs)) {
                PathSet routes = routes(draw(SPARSE, number), strategy, false);
                count(counts, "routes", routes.size());
                count(counts, "hops-1", routes.get(0).hops());
                count(counts, "hops-2", routes.get(1).hops());
            }
            counts.forEach((what, values) -> values.forEach((value, count) -> table.row(what, strategy, value, count)));
        }
        return table;
    }

    private static void count(Map<String, Map<Integer, Integer>> counts, String what, int value) {
        counts.computeIfAbsent(what, key -> new TreeMap<>()).merge(value, 1, Integer::sum);
    }

    private static Topology draw(int nodes, long number) {
        return RandomGeometric.draw(nodes, SIDE, RANGE, 1, number);
    }

    private static PathSet routes(Topology topology, String strategy, boolean exact) {
        return PathStrategies.named(strategy).findPaths(PathRequest.on(topology.graph())
                .from(topology.nearest(20, 50)).to(topology.nearest(80, 50)).k(ALL).exact(exact).build());
    }
}
