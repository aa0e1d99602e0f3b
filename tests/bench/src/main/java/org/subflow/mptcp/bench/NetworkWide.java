// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.share.Allocators;

/**
 * {@code ./lab bench network-wide}: how close the controller's paths come to the best of any routing, on seeded sets of
 * connections. It prints the sum of all shares and the smallest share as fractions of the bound: after the first placement,
 * with the default strategy and with the strategy {@code network-wide}, and after the moves to better paths. Then it
 * prints how long both strategies take for an arrival ({@link ArrivalTimes}).
 */
final class NetworkWide {
    /** The name by which users choose it; it runs only if named. */
    static final String NAME = "network-wide";

    private static final List<Integer> SIZES = List.of(8, 16, 24, 48);
    private static final int SEEDS = 10;
    private static final String LINE = "%-10s %5s   %-15s %-15s   %-15s %-15s   %-15s %-15s %7s %9s%n";

    private final List<Integer> sizes;
    private final int seeds;
    private final List<Integer> alive;

    private NetworkWide(List<Integer> sizes, int seeds, List<Integer> alive) {
        this.sizes = sizes;
        this.seeds = seeds;
        this.alive = alive;
    }

    /** Returns the benchmark as users run it. */
    static NetworkWide whole() {
        return new NetworkWide(SIZES, SEEDS, List.of(100, 1000));
    }

    /** Returns a small one for tests. */
    static NetworkWide small() {
        return new NetworkWide(List.of(8), 1, List.of(10));
    }

    /** Runs all sets, and prints a line for each topology and number of connections, and one for each number. */
    List<Row> run(PrintStream out) {
        out.printf(Locale.ROOT, "strategy %s, allocator %s, %d subflows each; seeds 1 to %d; "
                + "mean (worst) of the fractions of the bound%n", PathStrategies.names().get(0), Allocators.standard().name(),
                ConnectionSet.SUBFLOWS, seeds);
        out.printf(Locale.ROOT, LINE, "topology", "n", "first: sum", "smallest", "by prices: sum", "smallest", "settled: sum", "smallest", "moves", "ms");
        List<Row> rows = new ArrayList<>();
        for (String topology : ConnectionSet.TOPOLOGIES) {
            for (int size : sizes) {
                List<Result> results = new ArrayList<>();
                for (long seed = 1; seed <= seeds; seed++) {
                    results.add(new ConnectionSet(topology, size, seed).place());
                }
                rows.add(print(out, new Row(topology, size, results)));
            }
        }
        addMeans(out, rows, "drawn", "waxman40-3");
        addMeans(out, rows, "drawn-3", "waxman40");
        out.println("drawn: the mean over the sets with capacities drawn from 5 to 50 Mbit/s, without waxman40-3; drawn-3: "
                + "with it in place of waxman40; os3e-10 has 10 Mbit/s a link");
        alive.forEach(count -> ArrivalTimes.print(out, count));
        return rows;
    }

    /** Adds the means over all topologies with drawn capacities but one. */
    private void addMeans(PrintStream out, List<Row> rows, String name, String without) {
        List<Row> single = List.copyOf(rows);
        for (int size : sizes) {
            List<Result> results = new ArrayList<>();
            single.stream().filter(row -> row.size == size && ConnectionSet.TOPOLOGIES.contains(row.topology)
                    && ConnectionSet.hasDrawnCapacities(row.topology) && !without.equals(row.topology))
                    .forEach(row -> results.addAll(row.results));
            rows.add(print(out, new Row(name, size, results)));
        }
    }

    private static Row print(PrintStream out, Row row) {
        out.printf(Locale.ROOT, LINE, row.topology, row.size, cell(row.of(Result::firstSum)),
                cell(row.of(Result::firstSmallest)), cell(row.of(Result::pricedSum)), cell(row.of(Result::pricedSmallest)),
                cell(row.of(Result::sum)), cell(row.of(Result::smallest)),
                String.format(Locale.ROOT, "%.1f", mean(row.of(Result::moves))),
                String.format(Locale.ROOT, "%.0f", mean(row.of(Result::millis))));
        return row;
    }

    private static String cell(List<Double> values) {
        return String.format(Locale.ROOT, "%.3f (%.3f)", mean(values), values.stream().mapToDouble(v -> v).min().orElse(0));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(v -> v).average().orElse(Double.NaN);
    }

    /** Writes the means as entries of the benchmarks' JSON. */
    static void write(List<Row> rows, Path file) throws IOException {
        List<Map<String, Object>> entries = new ArrayList<>();
        for (Row row : rows) {
            entries.add(row.json("sum", row.of(Result::sum)));
            entries.add(row.json("smallest", row.of(Result::smallest)));
            entries.add(row.json("arrivals-sum", row.of(Result::pricedSum)));
            entries.add(row.json("arrivals-smallest", row.of(Result::pricedSmallest)));
        }
        new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(file.toFile(), entries);
    }

    /**
     * What one set reached, as fractions of the bound.
     *
     * @param firstSum       sum of all shares after the first placement
     * @param firstSmallest  smallest share after the first placement
     * @param pricedSum      sum of all shares after the first placement with the strategy {@code network-wide}
     * @param pricedSmallest smallest share after that
     * @param sum            sum of all shares after the moves to better paths
     * @param smallest       smallest share after the moves to better paths
     * @param moves          number of connections moved, each move counted
     * @param millis         time of the search for better paths, in milliseconds
     */
    record Result(double firstSum, double firstSmallest, double pricedSum, double pricedSmallest, double sum,
                  double smallest, double moves, double millis) {
    }

    /** The sets of one topology and one number of connections. */
    record Row(String topology, int size, List<Result> results) {
        private List<Double> of(Function<Result, Double> field) {
            return results.stream().map(field).collect(Collectors.toList());
        }

        private Map<String, Object> json(String what, List<Double> values) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", NAME + "-" + topology + "-" + size + "-" + what);
            entry.put("unit", "part of the bound");
            entry.put("ours", mean(values));
            entry.put("peer", "best of any routing (splittable multicommodity flow)");
            entry.put("peerScore", 1.0);
            entry.put("ratio", mean(values));
            entry.put("worst", values.stream().mapToDouble(v -> v).min().orElse(0));
            entry.put("moves", mean(of(Result::moves)));
            return entry;
        }
    }
}
