// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A benchmark by the name that users type: a JMH class with a method {@code ours} and a method {@code peer}.
 *
 * @param name       the name
 * @param type       the class
 * @param parameters the values of its parameters
 * @param peer       what ours is compared with
 */
record BenchmarkPair(String name, Class<?> type, Map<String, String> parameters, String peer) {
    private static final String SEARCH = "binary search + maximum flow";

    /** All of them, in the order in which they run. */
    static final List<BenchmarkPair> ALL = List.of(
            new BenchmarkPair("maxflow-fattree32", MaxFlowFatTree.class, Map.of("k", "32"), "jgrapht-1.5.3 DinicMFImpl"),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_FATTREE32, "jgrapht-1.5.3 " + SEARCH + " (DinicMFImpl)"),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_WAXMAN50, "jgrapht-1.5.3 " + SEARCH + " (BoykovKolmogorovMFImpl)"),
            paths(DisjointPaths.Workload.K_MAX_MIN_WAXMAN50, "jgrapht-1.5.3 " + SEARCH
                    + " (BoykovKolmogorovMFImpl): the optimum, no library has the heuristic"));

    private static BenchmarkPair paths(DisjointPaths.Workload workload, String peer) {
        return new BenchmarkPair(workload.name().toLowerCase().replace('_', '-'), DisjointPaths.class,
                Map.of("workload", workload.name()), peer);
    }

    /**
     * Finds benchmarks.
     *
     * @param names their names; none for all
     * @return the benchmarks, in the order in which they run
     * @throws IllegalArgumentException if there is none of a name; the message lists them
     */
    static List<BenchmarkPair> named(List<String> names) {
        List<String> known = ALL.stream().map(BenchmarkPair::name).collect(Collectors.toList());
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("no benchmark '" + name + "'; there are " + String.join(", ", known));
            }
        }
        return ALL.stream().filter(pair -> names.isEmpty() || names.contains(pair.name)).collect(Collectors.toList());
    }
}
