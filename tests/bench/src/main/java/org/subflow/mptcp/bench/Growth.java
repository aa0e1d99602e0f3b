// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.RunnerException;

/**
 * {@code ./lab bench growth}: how the cost grows with the number of connections, and with the number of nodes. It prints the
 * time at each size, and the exponent of the line through them on logarithmic scales.
 *
 * @param name       of the series
 * @param peer       the library and method that ours is compared with
 * @param type       a JMH class
 * @param parameters the values of its parameters, but for the size
 * @param size       name of the parameter that is the size
 * @param sizes      in ascending order
 * @param largest    the largest size at which the peer is measured; it takes minutes beyond
 * @param effort     of each point
 */
record Growth(String name, String peer, Class<?> type, Map<String, String> parameters, String size, List<Integer> sizes, int largest,
              Effort effort) {
    /** The name by which users choose all series; the full run has them, too. A hyphen and a series' name choose that one. */
    static final String NAME = "growth";

    private static final String CONNECTIONS = "connections";
    private static final Effort QUICK = new Effort(1, 3, 1, false);
    private static final Effort FULL = new Effort(3, 3, 3, false);

    /**
     * One point of a series.
     *
     * @param size number of connections or nodes
     * @param ours what ours took
     * @param peer what the peer took; null where it is not measured
     */
    record Point(int size, Score ours, Score peer) {
    }

    /** Returns the series up to 10,000 connections and 5,000 nodes. */
    static List<Growth> full() {
        return series(List.of(10, 30, 100, 300, 1000, 3000, 10_000), List.of(50, 100, 200, 500, 1000, 2000, 5000), 1000, FULL);
    }

    /** Returns the series up to 300 connections and 500 nodes. */
    static List<Growth> quick() {
        return series(List.of(10, 30, 100, 300), List.of(50, 100, 200, 500), 100, QUICK);
    }

    /** Measures the methods whose names begin so, with values of the parameters. */
    @FunctionalInterface
    interface Measure {
        /** Returns the scores by the methods' names. */
        Map<String, Score> take(Map<String, String> values, String beginning) throws RunnerException;
    }

    private static List<Growth> series(List<Integer> connections, List<Integer> nodes, int largest, Effort effort) {
        return List.of(
                new Growth("max-min", BenchmarkPair.CLP + "water-filling", MaxMinShares.class, Map.of(), CONNECTIONS, connections,
                        largest, effort),
                new Growth("max-min-arrival", BenchmarkPair.CLP + "water-filling from scratch", MaxMinArrival.class,
                        Map.of("warm", "true"), CONNECTIONS, connections, largest, effort),
                new Growth("proportional", BenchmarkPair.CONES, ProportionalShares.class, Map.of(), CONNECTIONS, connections,
                        largest, effort),
                new Growth("widest-disjoint", BenchmarkPair.SEARCH, DisjointPaths.class, Map.of("workload",
                        DisjointPaths.Workload.WIDEST_DISJOINT_GABRIEL.name()), "nodes", nodes, Integer.MAX_VALUE, effort));
    }

    /**
     * Takes the series that are named away from the names.
     *
     * @param names  what users typed; those of series are removed
     * @param isFull whether up to the largest sizes
     * @return the series, in their order
     */
    static List<Growth> taken(List<String> names, boolean isFull) {
        List<Growth> all = isFull ? full() : quick();
        boolean everything = names.remove(NAME) || names.isEmpty() && isFull;
        return all.stream().filter(growth -> names.remove(growth.fullName()) || everything).collect(Collectors.toList());
    }

    private String fullName() {
        return NAME + "-" + name;
    }

    /** Measures all points, and prints a line for each and one for the exponents. */
    List<Point> run(PrintStream out) throws RunnerException {
        return run(out, (values, beginning) -> Harness.measure(type, values, effort, beginning));
    }

    /** As {@link #run(PrintStream)}, measured in another way. */
    List<Point> run(PrintStream out, Measure measure) throws RunnerException {
        List<Point> points = new ArrayList<>();
        out.printf("%-18s %12s %26s %28s%n", name, size, "ours µs/op", "peer µs/op");
        for (int next : sizes) {
            Map<String, String> values = new LinkedHashMap<>(parameters);
            values.put(size, String.valueOf(next));
            values.put("seeds", String.valueOf(effort.seedsOfMachine()));
            Map<String, Score> scores = measure.take(values, next <= largest ? "" : "ours");
            Point point = new Point(next, scores.get("ours"), scores.get("peer"));
            points.add(point);
            out.printf(Locale.ROOT, "%-18s %12d %26s %28s%n", "", next, point.ours(), point.peer() == null ? "" : point.peer());
        }
        LogLogLine peers = peers(points);
        out.printf(Locale.ROOT, "%-18s %12s %26s %28s%n", "", "exponent", exponent(ours(points)),
                peers == null ? "" : exponent(peers));
        return points;
    }

    private static String exponent(LogLogLine line) {
        return String.format(Locale.ROOT, "%.2f ± %.2f", line.exponent(), line.error());
    }

    private static LogLogLine ours(List<Point> points) {
        return LogLogLine.through(points.stream().mapToDouble(Point::size).toArray(),
                points.stream().mapToDouble(point -> point.ours().micros()).toArray());
    }

    /** Null if there are fewer than two points. */
    private static LogLogLine peers(List<Point> points) {
        List<Point> measured = points.stream().filter(point -> point.peer() != null).collect(Collectors.toList());
        return measured.size() < 2 ? null : LogLogLine.through(measured.stream().mapToDouble(Point::size).toArray(),
                measured.stream().mapToDouble(point -> point.peer().micros()).toArray());
    }

    /** Returns the entry of this series in the JSON list. */
    Map<String, Object> json(List<Point> points) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", fullName());
        entry.put("peer", peer);
        entry.put("unit", "us/op");
        entry.put("size", size);
        entry.put("forks", effort.machines());
        entry.put("seeds", effort.seeds());
        entry.put("points", points.stream().map(Growth::json).collect(Collectors.toList()));
        put(entry, "", ours(points));
        LogLogLine peers = peers(points);
        if (peers != null) {
            put(entry, "peer", peers);
        }
        return entry;
    }

    private static void put(Map<String, Object> entry, String side, LogLogLine line) {
        entry.put(side.isEmpty() ? "exponent" : side + "Exponent", Score.rounded(line.exponent()));
        entry.put(side.isEmpty() ? "exponentError" : side + "ExponentError", Score.rounded(line.error()));
    }

    private static Map<String, Object> json(Point point) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("size", point.size());
        entry.put("ours", Score.rounded(point.ours().micros()));
        entry.put("oursError", Score.rounded(point.ours().error()));
        entry.put("oursN", point.ours().samples());
        if (point.peer() != null) {
            entry.put("peerScore", Score.rounded(point.peer().micros()));
            entry.put("peerError", Score.rounded(point.peer().error()));
            entry.put("peerN", point.peer().samples());
        }
        return entry;
    }
}
