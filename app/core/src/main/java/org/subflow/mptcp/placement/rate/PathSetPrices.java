// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.ArcPrices;
import org.subflow.mptcp.share.SharingProblem;

/**
 * The master problem of a {@code BackgroundPlan}: the proportionally fair shares if every connection could send over the paths
 * of all its sets at once, and the prices of the arcs that follow (Kelly). Only directions count in which a connection sends
 * more than acknowledgements. Immutable.
 */
public final class PathSetPrices {
    /** Steps in which prices are given, so that rounding and small demands do not decide between paths of equal price. */
    private static final double STEPS = 256;
    /** A rate below this counts as this, bit/s. */
    private static final double LEAST_RATE = 1;

    private final NetworkState network;
    /** In weight per bit/s. */
    private final double[] prices;
    /** Rate of each path of each connection, bit/s, the sum of both directions. */
    private final List<Map<Path, Double>> rates = new ArrayList<>();

    /**
     * Solves the problem.
     *
     * @param network the network
     * @param sets    of each connection, in the order of the network's: the connection on each set of paths, one at least
     */
    public PathSetPrices(NetworkState network, List<? extends Collection<PlacedConnection>> sets) {
        this.network = network;
        SharingProblem.Builder problem = SharingProblem.builder(network.graph().capacities());
        for (Collection<PlacedConnection> ofOne : sets) {
            Map<Path, PlacedSubflow> subflows = subflows(ofOne);
            PlacedConnection connection = ofOne.iterator().next();
            for (boolean upwards : new boolean[] {true, false}) {
                if (sends(connection, upwards) && !subflows.isEmpty()) {
                    problem.connection(connection.terms().weight(), limit(connection, upwards));
                    subflows.values().forEach(subflow -> problem.subflow(subflow.arcs(upwards)));
                }
            }
        }
        Competition.addOtherTraffic(network, problem);
        Allocation allocation = Allocators.byName("proportional").allocate(problem.build());
        int next = 0;
        for (Collection<PlacedConnection> ofOne : sets) {
            Map<Path, Double> ofPaths = new HashMap<>();
            Map<Path, PlacedSubflow> subflows = subflows(ofOne);
            for (boolean upwards : new boolean[] {true, false}) {
                if (sends(ofOne.iterator().next(), upwards)) {
                    for (Path path : subflows.keySet()) {
                        ofPaths.merge(path, allocation.rate(next++), Double::sum);
                    }
                }
            }
            rates.add(ofPaths);
        }
        this.prices = new double[network.graph().arcCount()];
        allocation.prices().ifPresent(this::take);
    }

    private void take(ArcPrices found) {
        int[] arcs = found.arcs();
        double[] ofArcs = found.arcPrices();
        for (int i = 0; i < arcs.length; i++) {
            prices[arcs[i]] = ofArcs[i];
        }
    }

    /** Returns the paths of all sets, each with a subflow on it. */
    private static Map<Path, PlacedSubflow> subflows(Collection<PlacedConnection> sets) {
        Map<Path, PlacedSubflow> subflows = new LinkedHashMap<>();
        for (PlacedConnection set : sets) {
            for (PlacedSubflow subflow : set.subflows()) {
                if (subflow.isActive() && subflow.path().isPresent()) {
                    subflows.putIfAbsent(subflow.path().get(), subflow);
                }
            }
        }
        return subflows;
    }

    private static boolean sends(PlacedConnection connection, boolean upwards) {
        return connection.demand().sends(upwards) && limit(connection, upwards) > 0;
    }

    private static double limit(PlacedConnection connection, boolean upwards) {
        return Math.min(connection.terms().cap(), connection.demand().of(upwards));
    }

    /** Returns the price of each arc in steps, divided by the mean of those above 0. */
    public double[] inSteps() {
        double mean = Arrays.stream(prices).filter(price -> price > 0).average().orElse(1);
        return Arrays.stream(prices).map(price -> Math.rint(STEPS * price / mean) / STEPS).toArray();
    }

    /** Returns the rate of a connection over all its paths, bit/s, by its place among the network's. */
    public double rate(int connection) {
        return rates.get(connection).values().stream().mapToDouble(rate -> rate).sum();
    }

    /** Returns the rate over the paths of one set, bit/s. */
    public double rate(int connection, PlacedConnection set) {
        return set.activePaths().stream().mapToDouble(path -> rates.get(connection).getOrDefault(path, 0.0)).sum();
    }

    /**
     * Returns what a set is worth at these prices: the logarithm of the rate that the connection would buy on it, less what
     * that costs. A path carries no more than its narrowest arc.
     */
    public double worth(PlacedConnection set) {
        List<PlacedSubflow> subflows = new ArrayList<>(subflows(List.of(set)).values());
        double worth = 0;
        for (boolean upwards : new boolean[] {true, false}) {
            if (sends(set, upwards)) {
                worth += worth(set, subflows, upwards);
            }
        }
        return worth;
    }

    private double worth(PlacedConnection set, List<PlacedSubflow> subflows, boolean upwards) {
        double[][] offers = subflows.stream().map(subflow -> offer(subflow.arcs(upwards))).toArray(double[][]::new);
        Arrays.sort(offers, (a, b) -> Double.compare(a[0], b[0]));
        double weight = set.terms().weight();
        double rate = 0;
        double cost = 0;
        for (double[] offer : offers) {
            double wanted = Math.min(limit(set, upwards), offer[0] > 0 ? weight / offer[0] : Double.POSITIVE_INFINITY) - rate;
            double bought = Math.max(0, Math.min(wanted, offer[1]));
            rate += bought;
            cost += bought * offer[0];
        }
        return weight * Math.log(Math.max(LEAST_RATE, rate)) - cost;
    }

    /** Returns the price and the width of a path. */
    private double[] offer(int[] arcs) {
        double price = 0;
        double width = Double.POSITIVE_INFINITY;
        for (int arc : arcs) {
            price += prices[arc];
            width = Math.min(width, network.graph().capacity(arc));
        }
        return new double[] {price, width};
    }
}
