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
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.search.Placement;

/**
 * {@code ./lab bench scale}: the processor time of the core beside many living connections. On a 16-ary fat tree, connections
 * with four subflows each run between uniformly drawn edge switches, and send one way without limit. Connections begin and end
 * in turn, so that their number stays. Shares take bounded work, as in the controller.
 */
final class Scale {
    /** The name by which users choose it; it runs only if named. */
    static final String NAME = "scale";

    private static final String STRATEGY = "widest-disjoint";
    private static final String ALLOCATOR = "max-min";
    private static final double GIGABIT = 1e9;
    private static final int SUBFLOWS = 4;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double PLACE_AIM = 1;
    private static final double SHARES_AIM = 20;
    private static final String COLUMNS = "%-16s %-13s %7s  %16s %20s %20s %10s %10s%n";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int ports;
    private final List<Row> rows;

    /**
     * One line of the table.
     *
     * @param strategy  name of the path strategy
     * @param allocator name of the allocator
     * @param alive     number of living connections
     * @param events    number of arrivals, and of departures, that are measured
     */
    record Row(String strategy, String allocator, int alive, int events) {
        /** Returns what has been measured, on a tree of switches with so many ports; the defaults are not named. */
        String name(String what, int ports) {
            return what + "-fattree" + ports + (strategy.equals(STRATEGY) ? "" : "-" + strategy)
                    + (allocator.equals(ALLOCATOR) ? "" : "-" + allocator) + "-" + alive;
        }
    }

    private Scale(int ports, List<Row> rows) {
        this.ports = ports;
        this.rows = rows;
    }

    /** Returns the benchmark as users run it. */
    static Scale whole() {
        return new Scale(16, List.of(new Row(STRATEGY, ALLOCATOR, 10, 101), new Row(STRATEGY, ALLOCATOR, 100, 51),
                new Row(STRATEGY, ALLOCATOR, 1000, 21), new Row(STRATEGY, ALLOCATOR, 10_000, 21),
                new Row("ecmp", ALLOCATOR, 300, 11), new Row("ecmp", ALLOCATOR, 1000, 11), new Row("ecmp", "proportional", 1000, 11)));
    }

    /** Returns a small one for tests. */
    static Scale small() {
        return new Scale(4, List.of(new Row(STRATEGY, ALLOCATOR, 5, 3), new Row("ecmp", "proportional", 5, 3)));
    }

    /** Measures all rows, prints a line for each, and returns the entries for JSON. */
    List<Map<String, Object>> run(PrintStream out) {
        out.println(ports + "-ary fat tree, " + SUBFLOWS + " subflows each; ms of processor time: median (worst)");
        out.printf(Locale.ROOT, COLUMNS, "strategy", "allocator", "alive", "placing one", "shares, arrival", "shares, departure",
                "first", "error");
        List<Map<String, Object>> entries = new ArrayList<>();
        for (Row row : rows) {
            Times times = new Times(FatTree.of(ports, GIGABIT), row);
            out.printf(Locale.ROOT, COLUMNS, row.strategy(), row.allocator(), row.alive(), text(times.place), text(times.arrival),
                    text(times.departure), String.format(Locale.ROOT, "%.1f", times.first),
                    String.format(Locale.ROOT, "%.1g", times.shares.epsilon()));
            entries.add(entry(row.name("place", ports), times.place, PLACE_AIM));
            entries.add(entry(row.name("share", ports), times.arrival, SHARES_AIM));
            entries.add(entry(row.name("depart", ports), times.departure, SHARES_AIM));
            entries.add(Map.of("name", row.name("first", ports), "unit", "ms", "ours", times.first, "oursN", 1,
                               "error", times.shares.epsilon()));
        }
        return entries;
    }

    private static String text(List<Double> millis) {
        return String.format(Locale.ROOT, "%.2f (%.2f)", median(millis), Collections.max(millis));
    }

    private static double median(List<Double> millis) {
        List<Double> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static Map<String, Object> entry(String name, List<Double> millis, double aim) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", name);
        entry.put("unit", "ms");
        entry.put("ours", median(millis));
        entry.put("oursN", millis.size());
        entry.put("peer", "the aim");
        entry.put("peerScore", aim);
        entry.put("ratio", aim / median(millis));
        entry.put("worst", Collections.max(millis));
        return entry;
    }

    /** What one row took, in milliseconds. */
    private static final class Times {
        private final List<Double> place = new ArrayList<>();
        private final List<Double> arrival = new ArrayList<>();
        private final List<Double> departure = new ArrayList<>();
        private final double first;

        private final SplittableRandom random = new SplittableRandom(1);
        private final PlacementTerms terms;
        private final FairShares shares = FairShares.inBoundedWork();
        private final Placement placement;
        private final List<Integer> edges = new ArrayList<>();
        private int drawn;

        Times(Topology tree, Row row) {
            terms = PlacementTerms.of(row.strategy(), SUBFLOWS, JoinPolicy.SHARE);
            placement = new Placement(NetworkState.empty(tree.graph()), row.allocator(), Placement.LEAST_GAIN_PERCENT, shares);
            for (int node = 0; node < tree.graph().nodeCount(); node++) {
                if (tree.name(node).startsWith("e")) {
                    edges.add(node);
                }
            }
            while (drawn < row.alive()) {
                open();
            }
            first = millis(placement::share);
            // The first events are not counted: the Java machine compiles then.
            int warmUp = Math.max(1, row.events() / 5);
            for (int event = 0; event < warmUp + row.events(); event++) {
                change(event >= warmUp);
            }
        }

        private void change(boolean counts) {
            double placing = millis(this::open);
            double arriving = millis(placement::share);
            List<PlacedConnection> all = placement.network().connections();
            placement.close(all.get(random.nextInt(all.size())).id());
            double departing = millis(placement::share);
            if (counts) {
                place.add(placing);
                arrival.add(arriving);
                departure.add(departing);
            }
        }

        private void open() {
            String id = "c" + drawn++;
            int from = random.nextInt(edges.size());
            int to = (from + 1 + random.nextInt(edges.size() - 1)) % edges.size();
            placement.begin(id, terms, Demand.of(Double.POSITIVE_INFINITY, 0));
            for (int i = 0; i < SUBFLOWS; i++) {
                placement.place(id, PlacedSubflow.unplaced(edges.get(from), edges.get(to), true, i > 0, id.hashCode() + (long) i));
            }
        }

        private static double millis(Runnable what) {
            long begun = THREADS.getCurrentThreadCpuTime();
            what.run();
            return (THREADS.getCurrentThreadCpuTime() - begun) / NANOS_PER_MILLI;
        }
    }
}
