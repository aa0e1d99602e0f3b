// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.plan.simulate.engine.Arrival;
import org.subflow.mptcp.plan.simulate.engine.Parameters;
import org.subflow.mptcp.plan.simulate.engine.RunResult;
import org.subflow.mptcp.plan.simulate.engine.Snapshot;

/**
 * The figures of a run by their names, in a fixed order. Seconds, Mbit/s and parts; not a number where there is none. A figure of all
 * connections stands alone. Those of connections by size and of snapshots are lists of such figures.
 */
final class Summary {
    /** Upper ends of the classes of size, in bytes, as in pFabric (SIGCOMM 2013, section 5.2). */
    static final double[] CLASSES = {100e3, 10e6, Double.POSITIVE_INFINITY};
    private static final double PERCENTILE = 0.99;
    private static final MathContext DIGITS = new MathContext(9);

    final Map<String, Double> figures = new LinkedHashMap<>();
    final List<Map<String, Double>> sizes = new ArrayList<>();
    final List<Map<String, Double>> snapshots = new ArrayList<>();

    /** Makes an empty one, for a reader. */
    Summary() {
    }

    /** Sums up a run. */
    Summary(Graph graph, List<Arrival> arrivals, RunResult result, Parameters parameters) {
        double begin = arrivals.get(0).at;
        double seconds = result.end - begin;
        double[] all = completions(arrivals, result, 0, Double.POSITIVE_INFINITY);
        int blocked = (int) Arrays.stream(result.paths).filter(paths -> paths == RunResult.BLOCKED).count();
        int begun = (int) Arrays.stream(result.paths).filter(paths -> paths > 0).count();
        figures.put("finished", (double) all.length);
        figures.put("blocked", (double) blocked);
        figures.put("unfinished", (double) begun - all.length);
        figures.put("interrupted", result.interrupted ? 1.0 : 0.0);
        figures.put("seconds", seconds);
        addTimes(figures, all);
        addRates(graph, arrivals, result, seconds);
        figures.put("fairness", result.fairness);
        figures.put("meanAlive", result.meanAlive);
        figures.put("mostAlive", (double) result.mostAlive);
        figures.put("meanPaths", Arrays.stream(result.paths).filter(paths -> paths > 0).average().orElse(Double.NaN));
        figures.put("moves", (double) result.moves);
        figures.put("movesPerSecond", result.moves / seconds);
        figures.put("rules", (double) result.rules);
        figures.put("rulesPerSecond", result.rules / seconds);
        figures.put("computations", (double) result.computations);
        addSnapshots(result.snapshots);
        for (int i = 0; i < CLASSES.length; i++) {
            double[] times = completions(arrivals, result, i == 0 ? 0 : CLASSES[i - 1], CLASSES[i]);
            Map<String, Double> of = new LinkedHashMap<>();
            of.put("upToBytes", CLASSES[i] == Double.POSITIVE_INFINITY ? Double.NaN : CLASSES[i]);
            of.put("finished", (double) times.length);
            addTimes(of, times);
            sizes.add(of);
        }
        rounded(figures);
        sizes.forEach(Summary::rounded);
        snapshots.forEach(Summary::rounded);
    }

    private static double[] completions(List<Arrival> arrivals, RunResult result, double above, double most) {
        return arrivals.stream().filter(arrival -> arrival.bytes > above && arrival.bytes <= most)
                .mapToDouble(arrival -> result.completion[arrival.number]).filter(time -> !Double.isNaN(time)).sorted().toArray();
    }

    private static void addTimes(Map<String, Double> to, double[] sorted) {
        to.put("meanSeconds", Arrays.stream(sorted).average().orElse(Double.NaN));
        to.put("medianSeconds", quantile(sorted, 0.5));
        to.put("p99Seconds", quantile(sorted, PERCENTILE));
        to.put("longestSeconds", quantile(sorted, 1));
    }

    /** Returns the smallest value that so large a part of all does not exceed. */
    static double quantile(double[] sorted, double part) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }

    private void addRates(Graph graph, List<Arrival> arrivals, RunResult result, double seconds) {
        double payload = 0;
        double rates = 0;
        int finished = 0;
        for (Arrival arrival : arrivals) {
            double time = result.completion[arrival.number];
            if (!Double.isNaN(time)) {
                payload += arrival.bytes * 8;
                rates += arrival.bytes * 8 / time;
                finished++;
            }
        }
        double used = 0;
        double largest = 0;
        int arcs = 0;
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (graph.capacity(arc) > 0) {
                double part = result.carried[arc] / graph.capacity(arc) / seconds;
                used += part;
                largest = Math.max(largest, part);
                arcs++;
            }
        }
        figures.put("goodputMbps", payload / seconds / 1e6);
        figures.put("connectionMbps", finished == 0 ? Double.NaN : rates / finished / 1e6);
        figures.put("meanUtilisation", arcs == 0 ? Double.NaN : used / arcs);
        figures.put("largestUtilisation", largest);
    }

    private void addSnapshots(List<Snapshot> of) {
        figures.put("meanError", of.stream().mapToDouble(snapshot -> snapshot.meanError).average().orElse(Double.NaN));
        figures.put("largestError", of.stream().mapToDouble(snapshot -> snapshot.largestError).max().orElse(Double.NaN));
        figures.put("sumFraction", of.stream().mapToDouble(snapshot -> snapshot.sumFraction).filter(part -> !Double.isNaN(part))
                .average().orElse(Double.NaN));
        figures.put("smallestFraction", of.stream().mapToDouble(snapshot -> snapshot.smallestFraction)
                .filter(part -> !Double.isNaN(part)).average().orElse(Double.NaN));
        for (Snapshot snapshot : of) {
            Map<String, Double> one = new LinkedHashMap<>();
            one.put("atSecond", snapshot.at);
            one.put("alive", (double) snapshot.alive);
            one.put("meanError", snapshot.meanError);
            one.put("largestError", snapshot.largestError);
            one.put("sumFraction", snapshot.sumFraction);
            one.put("smallestFraction", snapshot.smallestFraction);
            snapshots.add(one);
        }
    }

    private static void rounded(Map<String, Double> values) {
        values.replaceAll((name, value) -> rounded(value));
    }

    /** Returns a number to nine digits; not a number for what is not finite. */
    static double rounded(double value) {
        return Double.isNaN(value) || Double.isInfinite(value) ? Double.NaN : new BigDecimal(value).round(DIGITS).doubleValue();
    }

    boolean isInterrupted() {
        return figures.get("interrupted") != 0;
    }
}
