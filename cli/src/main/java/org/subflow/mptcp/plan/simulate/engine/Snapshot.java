// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.PlacementQuality;
import org.subflow.mptcp.placement.rate.SplittableFlow;

/** What the rates of one moment are beside exact ones, and beside the best of any routing. Immutable. */
public final class Snapshot {
    /** A second of work at most: what takes more is not compared. */
    private static final long MOST_WORK = SplittableFlow.SECOND_OF_WORK;

    /** The moment, in seconds. */
    public final double at;
    /** How many connections are alive. */
    public final int alive;
    /** Mean relative error of the connections' rates. */
    public final double meanError;
    /** The largest relative error of a connection's rate. */
    public final double largestError;
    /** Sum of the rates as a part of that of the best max-min fair routing; not a number if that takes too much work. */
    public final double sumFraction;
    /** The smallest rate as a part of the smallest one of the best routing; not a number if that takes too much work. */
    public final double smallestFraction;

    private Snapshot(double at, int alive, double[] errors, PlacementQuality quality) {
        this.at = at;
        this.alive = alive;
        this.meanError = errors[0];
        this.largestError = errors[1];
        this.sumFraction = quality == null ? Double.NaN : quality.sumFraction();
        this.smallestFraction = quality == null ? Double.NaN : quality.smallestFraction();
    }

    /**
     * Compares.
     *
     * @param at          the moment, in seconds
     * @param graph       the graph with the capacities of the moment
     * @param connections those that are alive; at least one
     * @param exact       computes exact rates
     * @param router      knows what the core sees of a connection
     */
    static Snapshot of(double at, Graph graph, Collection<Connection> connections, Sharing exact, Router router) {
        double[] errors = errors(connections, exact.rates(graph.capacities(), connections));
        List<PlacedConnection> placed = new ArrayList<>();
        connections.stream().filter(connection -> connection.total > 0).forEach(connection -> placed.add(router.seen(connection)));
        NetworkState network = NetworkState.empty(graph).allowingOneWayLinks().withConnections(placed);
        Optional<SplittableFlow> best = placed.size() > MOST_WORK ? Optional.empty() : SplittableFlow.within(network, MOST_WORK);
        return new Snapshot(at, connections.size(), errors, best.map(bound -> PlacementQuality.of(network, bound)).orElse(null));
    }

    /** Returns the mean and the largest relative error of totals. */
    private static double[] errors(Collection<Connection> connections, double[] exact) {
        double sum = 0;
        double largest = 0;
        int counted = 0;
        int next = 0;
        for (Connection connection : connections) {
            double total = 0;
            for (int s = connection.active(); s > 0; s--) {
                total += exact[next++];
            }
            if (total > 0) {
                double error = Math.abs(connection.total - total) / total;
                sum += error;
                largest = Math.max(largest, error);
                counted++;
            }
        }
        return new double[] {counted == 0 ? 0 : sum / counted, largest};
    }
}
