// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A benchmark by the name that users type: a JMH class with a method {@code ours} and a method {@code peer}.
 *
 * @param name       the name
 * @param type       the class
 * @param parameters the values of its parameters
 * @param peer       the library and method that ours is compared with
 * @param machines   number of Java machines for each side, one after the other; 1 where the peer takes seconds
 * @param iterations number of measured iterations in each; fewer where the peer takes seconds
 */
record BenchmarkPair(String name, Class<?> type, Map<String, String> parameters, String peer, int machines, int iterations) {
    private static final String CONNECTIONS = "connections";
    private static final String SEARCH = "binary search + maximum flow";

    /** All of them, in the order in which they run. */
    static final List<BenchmarkPair> ALL = List.of(
            new BenchmarkPair("maxflow-fattree32", MaxFlowFatTree.class, Map.of("k", "32"), "jgrapht-1.5.3 DinicMFImpl",
                    2, 5),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_FATTREE32, "jgrapht-1.5.3 " + SEARCH + " (DinicMFImpl)"),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_WAXMAN50, "jgrapht-1.5.3 " + SEARCH + " (BoykovKolmogorovMFImpl)"),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_WAXMAN50_SYMMETRIC,
                    "jgrapht-1.5.3 " + SEARCH + " (BoykovKolmogorovMFImpl, undirected)"),
            paths(DisjointPaths.Workload.K_MAX_MIN_WAXMAN50, "jgrapht-1.5.3 " + SEARCH
                    + " (BoykovKolmogorovMFImpl): the optimum, no library has the heuristic"),
            shares("max-min-1000", MaxMinShares.class, "water-filling"),
            shares("max-min-arrival", MaxMinArrival.class, "water-filling from scratch"),
            new BenchmarkPair("max-min-10000", MaxMinWarmStart.class, Map.of(CONNECTIONS, "10000"),
                    "ours: warm start after an arrival, peer: our cold start", 1, 5),
            shares("zeta-1000", FairZeta.class, "water-filling from scratch"),
            shares("proportional-1000", ProportionalShares.class, "tangents to the logarithm, to 0.1 %"));

    private static BenchmarkPair paths(DisjointPaths.Workload workload, String peer) {
        return new BenchmarkPair(workload.name().toLowerCase(Locale.ROOT).replace('_', '-'), DisjointPaths.class,
                Map.of("workload", workload.name()), peer, 2, 5);
    }

    private static BenchmarkPair shares(String name, Class<?> type, String method) {
        return new BenchmarkPair(name, type, Map.of(CONNECTIONS, "1000"), "ortools-9.14 GLOP, " + method, 1, 5);
    }

    /** Returns the same benchmark on a small network, or with few connections, for a test. */
    BenchmarkPair small() {
        return parameters.containsKey(CONNECTIONS)
                ? new BenchmarkPair(name, type, Map.of(CONNECTIONS, "50"), peer, machines, iterations) : this;
    }

    /**
     * Finds benchmarks.
     *
     * @param names their names; none for all
     * @return the benchmarks, in the order in which they run
     * @throws IllegalArgumentException if a name is unknown; the message lists all names
     */
    static List<BenchmarkPair> named(List<String> names) {
        List<String> known = ALL.stream().map(BenchmarkPair::name).collect(Collectors.toList());
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no benchmark '" + name + "'; there are " + String.join(", ", known) + ", and "
                        + NetworkWide.NAME + " alone");
            }
        }
        return ALL.stream().filter(pair -> names.isEmpty() || names.contains(pair.name)).collect(Collectors.toList());
    }
}
