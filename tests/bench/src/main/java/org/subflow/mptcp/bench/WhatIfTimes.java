// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.search.Forecast;
import org.subflow.mptcp.placement.search.PathPlacement;
import org.subflow.mptcp.placement.search.Placement;
import org.subflow.mptcp.share.Allocators;

/**
 * {@code ./lab bench what-if}: the processor time of a question of {@code mptcp-paths}: the paths and the expected
 * throughput of a connection that began now, once for each strategy. On {@code os3e}, with drawn capacities and pairs, beside
 * other connections. The aim is 300 ms for all strategies together.
 */
final class WhatIfTimes {
    /** The name by which users choose it; it runs only if named. */
    static final String NAME = "what-if";

    private static final String LINE = "%-20s %6s   %s%n";
    private static final String ALL = "all";
    private static final double AIM_MILLIS = 300;
    private static final int WARM_UP = 10;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final List<Integer> alive;
    private final int questions;

    private WhatIfTimes(List<Integer> alive, int questions) {
        this.alive = alive;
        this.questions = questions;
    }

    /** Returns the benchmark as users run it. */
    static WhatIfTimes whole() {
        return new WhatIfTimes(List.of(0, 100, 1000), 51);
    }

    /** Returns a small one for tests. */
    static WhatIfTimes small() {
        return new WhatIfTimes(List.of(0, 5), 3);
    }

    /** Asks all questions, prints a line for each strategy and number of connections, and returns the entries for JSON. */
    List<Map<String, Object>> run(PrintStream out) {
        out.printf(Locale.ROOT, LINE, "strategy", "alive", "ms of processor time: median (worst) of " + questions);
        List<Map<String, Object>> entries = new ArrayList<>();
        for (int count : alive) {
            Map<String, List<Double>> times = ask(count);
            times.forEach((strategy, millis) -> {
                Collections.sort(millis);
                double median = millis.get(millis.size() / 2);
                double worst = millis.get(millis.size() - 1);
                out.printf(Locale.ROOT, LINE, strategy, count, String.format(Locale.ROOT, "%.2f (%.2f)", median, worst));
                if (strategy.equals(ALL)) {
                    entries.add(entry(count, median, worst));
                }
            });
        }
        return entries;
    }

    private Map<String, Object> entry(int count, double median, double worst) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", NAME + "-os3e-" + count);
        entry.put("unit", "ms");
        entry.put("ours", median);
        entry.put("oursN", questions);
        entry.put("peer", "the aim");
        entry.put("peerScore", AIM_MILLIS);
        entry.put("ratio", AIM_MILLIS / median);
        entry.put("worst", worst);
        return entry;
    }

    /** Returns the times of each strategy, and of all together, in milliseconds. */
    private Map<String, List<Double>> ask(int count) {
        SplittableRandom random = new SplittableRandom(1);
        NetworkState network = network(count, random);
        Map<String, List<Double>> times = new LinkedHashMap<>();
        Forecast forecast = new Forecast();
        for (int question = 0; question < WARM_UP + questions; question++) {
            int[] ends = ends(network.graph(), random);
            double all = 0;
            for (String strategy : PathStrategies.names()) {
                long begun = THREADS.getCurrentThreadCpuTime();
                PlacedConnection answer = answer(network, forecast, strategy, ends);
                double millis = (THREADS.getCurrentThreadCpuTime() - begun) / NANOS_PER_MILLI;
                Disagreement.unless(answer.subflows().get(0).isActive(), strategy + " has no path");
                all += millis;
                note(times, strategy, question, millis);
            }
            note(times, ALL, question, all);
        }
        return times;
    }

    private static void note(Map<String, List<Double>> times, String what, int question, double millis) {
        List<Double> known = times.computeIfAbsent(what, unused -> new ArrayList<>());
        if (question >= WARM_UP) {
            known.add(millis);
        }
    }

    /** As the controller's what-if does. */
    private static PlacedConnection answer(NetworkState network, Forecast forecast, String strategy, int[] ends) {
        PlacedConnection newcomer = connection("newcomer", strategy, ends);
        PlacedSubflow first = PathPlacement.place(network, newcomer, 0);
        return forecast.of(network, newcomer.with(0, first), Allocators.standard().name());
    }

    private static NetworkState network(int count, SplittableRandom random) {
        Graph graph = ConnectionSet.topology("os3e", 1).graph();
        Placement placement = new Placement(NetworkState.empty(graph), Allocators.standard().name(), Placement.LEAST_GAIN_PERCENT);
        for (int c = 0; c < count; c++) {
            PlacedConnection begun = connection("c" + c, PathStrategies.names().get(0), ends(graph, random));
            placement.begin(begun.id(), begun.terms(), Demand.of(Double.POSITIVE_INFINITY, 0));
            for (int i = 0; i < ConnectionSet.SUBFLOWS; i++) {
                placement.place(begun.id(), begun.subflows().get(0));
            }
        }
        placement.share();
        return placement.network();
    }

    private static int[] ends(Graph graph, SplittableRandom random) {
        int from = random.nextInt(graph.nodeCount());
        return new int[] {from, (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount()};
    }

    private static PlacedConnection connection(String id, String strategy, int[] ends) {
        return new PlacedConnection(id, PlacementTerms.of(strategy, ConnectionSet.SUBFLOWS, JoinPolicy.SHARE), Demand.UNLIMITED,
                List.of(PlacedSubflow.unplaced(ends[0], ends[1], true, false, 0)));
    }
}
