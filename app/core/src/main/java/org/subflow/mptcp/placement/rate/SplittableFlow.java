// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.search.CheapestTree;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.ArcPrices;
import org.subflow.mptcp.share.SharingProblem;

/**
 * The best max-min fair rates of any routing: the lexicographic max-min of the splittable multicommodity flow, in which a
 * connection may send over all paths of the graph at once, each direction for itself. No placement gives the connections
 * rates that are fairer, so this is the bound to measure placements by. It knows of no limits to delays: they take paths away, so
 * it stays a bound.
 *
 * <p>Scheme, column generation:
 * <ol>
 * <li>the routes are those of the present subflows, and the path with the fewest hops;
 * <li>{@code max-min} shares the network among these routes. Its answer holds every connection by a bottleneck, a set of
 * arcs with prices;
 * <li>under the prices of each bottleneck, the cheapest path of the whole graph is found for each connection that pays
 * there. A path that is cheaper than all routes becomes a route;
 * <li>steps 2 and 3 are repeated until there is none. Then the prices prove each bottleneck on the whole graph: with them,
 * every routing has Σ (price of the cheapest path)·rate ≤ Σ price·capacity.
 * </ol>
 * It took 3 to 20 rounds on maps and random graphs with up to 50 nodes and 48 connections. Each is an allocation and some
 * Dijkstra searches. {@link #error} is the rest if the bound of 200 rounds ends it. Immutable.
 *
 * <p>L. Ford, D. Fulkerson, "A suggested computation for maximal multi-commodity network flows", 1958; D. Nace,
 * M. Pióro, "Max-min fairness and its applications to routing and load-balancing in communication networks", 2008.
 */
public final class SplittableFlow {
    /**
     * Work that takes less than a second: the number of routes, summed over all allocations. A route took 10 to 90 µs on maps and
     * random graphs with up to 40 nodes and 400 connections, on a busy machine of two cores.
     */
    public static final int SECOND_OF_WORK = 10_000;

    private static final int MOST_ROUNDS = 200;
    /** Relative. A path is cheaper than another if it is so by more than this. */
    private static final double SAME = 1e-7;
    /** A price up to this part of the largest may be rounding. */
    private static final double LEAST_PRICE = 1e-9;

    private final Rates[] rates;
    private final double error;

    private SplittableFlow(Rates[] rates, double error) {
        this.rates = rates;
        this.error = error;
    }

    /**
     * Computes the best rates.
     *
     * @param network the network with the connections that are on it; their subflows' paths do not matter, their end points
     *                do; not null
     * @return the rates
     */
    public static SplittableFlow of(NetworkState network) {
        return new Search(network, Long.MAX_VALUE).run().orElseThrow();
    }

    /**
     * Computes the best rates, unless that takes too much work.
     *
     * @param network  as for {@link #of}; not null
     * @param mostWork the most work, as for {@link #SECOND_OF_WORK}
     * @return the rates; empty if they would take more work, which is found out after so much of it at most
     */
    public static Optional<SplittableFlow> within(NetworkState network, long mostWork) {
        return new Search(network, mostWork).run();
    }

    /**
     * Returns the best max-min fair rates of a connection, bit/s.
     *
     * @param index its place among the network's connections, from 0
     */
    public Rates rates(int index) {
        return rates[index];
    }

    /**
     * Returns the largest relative amount by which a path is cheaper than the prices allow, or by which the allocator misses
     * its own certificate. No routing has a smallest rate above the one here divided by 1 − error. Mostly below 10⁻⁷.
     */
    public double error() {
        return error;
    }

    /** The routes so far, and the search for more. */
    private static final class Search {
        private final NetworkState network;
        private final Graph graph;
        private final List<Commodity> commodities;
        private SharingProblem problem;
        /** The largest part by which a path is cheaper than the routes of the last allocation, and whether it was added. */
        private double excess;
        private boolean grown;
        private long left;

        Search(NetworkState network, long mostWork) {
            this.left = mostWork;
            this.network = network;
            this.graph = network.graph();
            this.commodities = Commodity.of(network);
        }

        Optional<SplittableFlow> run() {
            Allocation allocation = null;
            for (int round = 0; (round == 0 || grown) && round < MOST_ROUNDS; round++) {
                left -= commodities.stream().mapToInt(commodity -> commodity.routes().size()).sum();
                if (left < 0) {
                    return Optional.empty();
                }
                allocation = allocate();
                addCheaperRoutes(allocation);
            }
            Rates[] rates = new Rates[network.connections().size()];
            Arrays.fill(rates, Rates.ZERO);
            for (int i = 0; i < commodities.size(); i++) {
                Commodity commodity = commodities.get(i);
                double rate = allocation.total(i);
                rates[commodity.connection] = rates[commodity.connection]
                        .plus(commodity.upwards ? Rates.of(rate, 0) : Rates.of(0, rate));
            }
            return Optional.of(new SplittableFlow(rates, Math.max(excess, allocation.epsilon())));
        }

        private Allocation allocate() {
            SharingProblem.Builder builder = SharingProblem.builder(graph.capacities());
            for (Commodity commodity : commodities) {
                builder.connection(commodity.weight, commodity.limit);
                commodity.routes().forEach(builder::subflow);
            }
            Competition.addOtherTraffic(network, builder);
            problem = builder.build();
            return Allocators.standard().allocate(problem);
        }

        /** Adds the routes that are cheaper than those before under the prices of a bottleneck. */
        private void addCheaperRoutes(Allocation allocation) {
            grown = false;
            excess = 0;
            boolean[] holds = new boolean[allocation.bottlenecks().size()];
            for (int c = 0; c < problem.connectionCount(); c++) {
                if (allocation.bottleneckOf(c) != Allocation.NO_BOTTLENECK) {
                    holds[allocation.bottleneckOf(c)] = true;
                }
            }
            for (int b = 0; b < holds.length; b++) {
                if (holds[b]) {
                    addCheaperRoutes(allocation.bottlenecks().get(b).prices());
                }
            }
        }

        private void addCheaperRoutes(ArcPrices prices) {
            int[] arcs = prices.arcs();
            double[] ofArcs = prices.arcPrices();
            double largest = Arrays.stream(ofArcs).max().orElse(0);
            double[] price = new double[graph.arcCount()];
            // Most arcs have no price, and of equally cheap paths the one with the fewest hops is the best.
            double[] cost = network.costs(largest * LEAST_PRICE);
            for (int i = 0; i < arcs.length; i++) {
                price[arcs[i]] = ofArcs[i];
                cost[arcs[i]] += ofArcs[i];
            }
            double[] cheapest = prices.cheapest(problem);
            Map<Integer, CheapestTree> trees = new HashMap<>();
            for (int i = 0; i < commodities.size(); i++) {
                for (Commodity.Ends ends : commodities.get(i).ends()) {
                    if (cheapest[i] > largest * LEAST_PRICE) {
                        CheapestTree tree = trees.computeIfAbsent(ends.from, source -> CheapestTree.of(graph, cost, source));
                        int[] route = tree.arcs(ends.to);
                        double sum = Arrays.stream(route).mapToDouble(arc -> price[arc]).sum();
                        add(commodities.get(i), route, 1 - sum / cheapest[i]);
                    }
                }
            }
        }

        private void add(Commodity commodity, int[] route, double cheaper) {
            if (cheaper > SAME) {
                excess = Math.max(excess, cheaper);
                grown |= commodity.add(route);
            }
        }
    }
}
