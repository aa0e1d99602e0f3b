// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.search.PathPlacement;
import org.subflow.mptcp.placement.search.Placement;
import org.subflow.mptcp.share.Allocators;

/**
 * How much processor time the path of a connection's first subflow takes, while others are alive: with the default strategy, and
 * with {@code network-wide}.
 */
final class ArrivalTimes {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final String LINE = "%-10s %5s   %-18s %-18s%n";
    /** Newcomers before those that count, and these. */
    private static final int WARM_UP = 10;
    private static final int ARRIVALS = 21;

    private final NetworkState network;
    private final SplittableRandom random = new SplittableRandom(1);

    private ArrivalTimes(String topology, int alive) {
        Graph graph = ConnectionSet.topology(topology, 1).graph();
        Placement placement = new Placement(NetworkState.empty(graph), Allocators.standard().name(),
                Placement.LEAST_GAIN_PERCENT);
        for (int c = 0; c < alive; c++) {
            PlacedConnection begun = newcomer(graph, "c" + c, PathStrategies.names().get(0));
            placement.begin(begun.id(), begun.terms(), Demand.of(Double.POSITIVE_INFINITY, 0));
            for (int i = 0; i < ConnectionSet.SUBFLOWS; i++) {
                placement.place(begun.id(), begun.subflows().get(0));
            }
        }
        placement.share();
        network = placement.network();
    }

    /**
     * Measures on each topology, and prints a line for it.
     *
     * @param out   where to print
     * @param alive number of connections that are there
     */
    static void print(PrintStream out, int alive) {
        out.printf(Locale.ROOT, LINE, "arrival", "alive", "default, CPU ms",
                "network-wide, CPU ms: median (worst) of " + ARRIVALS);
        for (String topology : ConnectionSet.TOPOLOGIES) {
            ArrivalTimes times = new ArrivalTimes(topology, alive);
            out.printf(Locale.ROOT, LINE, topology, alive, times.of(PathStrategies.names().get(0)),
                    times.of(ConnectionSet.BY_PRICES));
        }
    }

    private String of(String strategy) {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < WARM_UP + ARRIVALS; i++) {
            PlacedConnection newcomer = newcomer(network.graph(), "newcomer", strategy);
            long begun = THREADS.getCurrentThreadCpuTime();
            PlacedSubflow placed = PathPlacement.place(network, newcomer, 0);
            double taken = (THREADS.getCurrentThreadCpuTime() - begun) / 1e6;
            Disagreement.unless(placed.isActive(), "an arrival has no path");
            if (i >= WARM_UP) {
                millis.add(taken);
            }
        }
        Collections.sort(millis);
        return String.format(Locale.ROOT, "%.2f (%.2f)", millis.get(ARRIVALS / 2), millis.get(ARRIVALS - 1));
    }

    /** Draws a connection with its first subflow; its demand is not known in either direction. */
    private PlacedConnection newcomer(Graph graph, String id, String strategy) {
        int from = random.nextInt(graph.nodeCount());
        int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
        return new PlacedConnection(id, PlacementTerms.of(strategy, ConnectionSet.SUBFLOWS, JoinPolicy.SHARE),
                Demand.UNLIMITED, List.of(PlacedSubflow.unplaced(from, to, true, false, 0)));
    }
}
