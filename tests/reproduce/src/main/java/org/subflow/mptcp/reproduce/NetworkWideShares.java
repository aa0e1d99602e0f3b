// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.lang.management.ManagementFactory;
import java.util.List;
import org.subflow.mptcp.bench.ConnectionSet;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;
import org.subflow.mptcp.placement.search.Placement;

/**
 * All strategies on the same seeded sets of connections: shares as parts of the best of any routing, after the first
 * placement and after all moves to better paths, background plan included.
 */
final class NetworkWideShares {
    private static final List<Integer> SIZES = List.of(8, 16, 24, 48);
    /** The number of sets is the number of draws divided by this, within the limits. */
    private static final int DRAWS_OF_A_SET = 100;
    private static final int FEWEST_SETS = 1;
    private static final int MOST_SETS = 10;
    private static final double MILLIS = 1e6;
    /** Counts as this, bit/s, if a connection gets less: a logarithm must exist. */
    private static final double LEAST_RATE = 1;

    private NetworkWideShares() {
    }

    /**
     * Places the sets of one topology.
     *
     * @param topology as {@link ConnectionSet} names it
     * @param draws    a hundred for each set; there are one to ten sets of each size
     */
    static Table of(String topology, int draws) {
        return of(topology, SIZES, Math.max(FEWEST_SETS, Math.min(MOST_SETS, draws / DRAWS_OF_A_SET)));
    }

    /** Places sets of these sizes, with the seeds from 1. */
    static Table of(String topology, List<Integer> sizes, int seeds) {
        Table table = new Table("topology", "connections", "seed", "strategy", "first_sum", "first_smallest", "first_mean",
                "sum", "smallest", "mean", "moves", "arrival_ms", "moves_ms");
        for (int size : sizes) {
            for (long seed = 1; seed <= seeds; seed++) {
                ConnectionSet set = new ConnectionSet(topology, size, seed);
                SplittableFlow bound = null;
                for (String strategy : PathStrategies.names()) {
                    double begun = millis();
                    Placement placement = set.arrivals(strategy);
                    double arrived = millis();
                    if (bound == null) {
                        bound = SplittableFlow.of(placement.network());
                    }
                    NetworkState first = placement.network();
                    double moving = millis();
                    int moves = placement.settle();
                    double settled = millis();
                    PlacementQuality before = PlacementQuality.of(first, bound);
                    PlacementQuality after = PlacementQuality.of(placement.network(), bound);
                    table.row(topology, size, seed, strategy, before.sumFraction(), before.smallestFraction(),
                            mean(first, bound), after.sumFraction(), after.smallestFraction(),
                            mean(placement.network(), bound), moves, (arrived - begun) / size, settled - moving);
                }
            }
        }
        return table;
    }

    /** Returns the geometric mean of the rates as a part of that of the best rates. */
    static double mean(NetworkState network, SplittableFlow bound) {
        int count = network.connections().size();
        double logarithms = 0;
        for (int c = 0; c < count; c++) {
            double rate = network.connections().get(c).expected().up();
            logarithms += Math.log(Math.max(LEAST_RATE, rate) / Math.max(LEAST_RATE, bound.rates(c).up()));
        }
        return Math.exp(logarithms / count);
    }

    /** Returns the processor time of this thread: other work on the machine does not count. */
    private static double millis() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / MILLIS;
    }
}
