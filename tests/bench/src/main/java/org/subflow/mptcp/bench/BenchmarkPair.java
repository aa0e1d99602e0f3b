// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.LinkedHashMap;
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
 * @param effort     how much of it is measured
 */
record BenchmarkPair(String name, Class<?> type, Map<String, String> parameters, String peer, Effort effort) {
    private static final String CONNECTIONS = "connections";
    static final String CLP = "ortools-9.14 Clp, ";
    static final String CONES = "clarabel-0.11, exponential cones, to 0.1 %";
    private static final String LIBRARY = "library";
    /** Capacities of links are drawn. */
    private static final Map<String, String> UNEVEN = Map.of("uneven", "true");
    static final String SEARCH = "ortools-9.14 binary search + MaxFlow";

    /** All of them, in the order in which they run. */
    static final List<BenchmarkPair> ALL = List.of(
            flow("maxflow-fattree32", MaxFlowFatTree.Library.ORTOOLS, "ortools-9.14 MaxFlow"),
            flow("maxflow-fattree32-jgrapht", MaxFlowFatTree.Library.JGRAPHT, "jgrapht-1.5.3 DinicMFImpl"),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_FATTREE32, SEARCH),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_WAXMAN50, SEARCH),
            paths(DisjointPaths.Workload.WIDEST_DISJOINT_WAXMAN50_SYMMETRIC, SEARCH),
            paths(DisjointPaths.Workload.K_MAX_MIN_WAXMAN50, SEARCH),
            shares("max-min-300", MaxMinShares.class, Map.of(), CLP + "water-filling").with(CONNECTIONS, "300"),
            shares("max-min-1000", MaxMinShares.class, Map.of(), CLP + "water-filling"),
            shares("max-min-1000-uneven", MaxMinShares.class, UNEVEN, CLP + "water-filling"),
            shares("max-min-arrival", MaxMinArrival.class, Map.of("warm", "true"), CLP + "water-filling from scratch"),
            shares("max-min-arrival-scratch", MaxMinArrival.class, Map.of("warm", "false"),
                    CLP + "water-filling; both from scratch"),
            new BenchmarkPair("max-min-10000", MaxMinWarmStart.class, Map.of(CONNECTIONS, "10000"),
                    "ours, from scratch", Effort.SLOW),
            shares("zeta-1000", FairZeta.class, Map.of(), CLP + "water-filling from scratch up to the connection's level"),
            shares("proportional-1000", ProportionalShares.class, Map.of(), CONES),
            shares("proportional-1000-uneven", ProportionalShares.class, UNEVEN, CONES));

    private static BenchmarkPair flow(String name, MaxFlowFatTree.Library library, String peer) {
        return new BenchmarkPair(name, MaxFlowFatTree.class, Map.of("k", "32", "library", library.name()), peer, Effort.FAST);
    }

    private static BenchmarkPair paths(DisjointPaths.Workload workload, String peer) {
        return new BenchmarkPair(workload.name().toLowerCase(Locale.ROOT).replace('_', '-'), DisjointPaths.class,
                Map.of("workload", workload.name()), peer, Effort.FAST);
    }

    private static BenchmarkPair shares(String name, Class<?> type, Map<String, String> parameters, String peer) {
        return new BenchmarkPair(name, type, parameters, peer, Effort.SLOW).with(CONNECTIONS, "1000");
    }

    /** Returns the same benchmark with another value of a parameter. */
    BenchmarkPair with(String parameter, String value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters);
        changed.put(parameter, value);
        return new BenchmarkPair(name, type, changed, peer, effort);
    }

    /** Returns the same benchmark with more iterations. */
    BenchmarkPair full() {
        return new BenchmarkPair(name, type, parameters, peer, effort.full());
    }

    /** Returns the same benchmark on a small network, or with few connections, and with libraries for Java, for a test. */
    BenchmarkPair small() {
        BenchmarkPair small = parameters.containsKey(CONNECTIONS) ? with(CONNECTIONS, "50") : this;
        return type == ProportionalShares.class ? small.with(LIBRARY, ProportionalPeer.Library.GLOP.name()) : small;
    }

    /** Returns the values of all parameters of the class. */
    Map<String, String> values() {
        return with("seeds", String.valueOf(effort.seedsOfMachine())).parameters();
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
                throw new IllegalArgumentException("no benchmark '" + name + "'; there are " + String.join(", ", known) + ", "
                        + Growth.NAME + " or one of its series, such as " + Growth.NAME + "-max-min, and " + NetworkWide.NAME + " alone");
            }
        }
        return ALL.stream().filter(pair -> names.isEmpty() || names.contains(pair.name)).collect(Collectors.toList());
    }
}
