// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.Rates;

/**
 * How close the expected throughputs of a network come to the best of any routing, {@link SplittableFlow}.
 *
 * <p>A share is the rate of one direction of a connection divided by its weight. A direction that gets its whole demand, or
 * its cap, from both does not count for the smallest share: no routing could give it more. Immutable.
 */
public final class PlacementQuality {
    /** Relative. A rate that is below a limit by no more than this has reached it. */
    private static final double ROUNDING = 1e-6;

    private double sum;
    private double smallest = Double.POSITIVE_INFINITY;
    private double boundSum;
    private double boundSmallest = Double.POSITIVE_INFINITY;

    private PlacementQuality() {
    }

    /**
     * Compares.
     *
     * @param network the network with its connections and their expected throughputs; not null
     * @param bound   the best rates on this network; not null
     * @return the comparison
     */
    public static PlacementQuality of(NetworkState network, SplittableFlow bound) {
        PlacementQuality quality = new PlacementQuality();
        for (int c = 0; c < network.connections().size(); c++) {
            PlacedConnection connection = network.connections().get(c);
            Rates expected = connection.expected();
            quality.count(connection, true, expected.up(), bound.rates(c).up());
            quality.count(connection, false, expected.down(), bound.rates(c).down());
        }
        return quality;
    }

    /**
     * Returns a comparison that was made elsewhere.
     *
     * @param sum           sum of the expected throughputs, bit/s
     * @param smallest      smallest expected share, bit/s
     * @param boundSum      sum of the best max-min fair rates, bit/s
     * @param boundSmallest smallest share of the best routing, bit/s
     * @return the comparison
     */
    public static PlacementQuality of(double sum, double smallest, double boundSum, double boundSmallest) {
        PlacementQuality quality = new PlacementQuality();
        quality.sum = sum;
        quality.smallest = smallest;
        quality.boundSum = boundSum;
        quality.boundSmallest = boundSmallest;
        return quality;
    }

    private void count(PlacedConnection connection, boolean upwards, double rate, double best) {
        double limit = Math.min(connection.terms().cap(), connection.demand().of(upwards)) * (1 - ROUNDING);
        sum += rate;
        boundSum += best;
        if (best > 0 && (rate < limit || best < limit)) {
            smallest = Math.min(smallest, rate / connection.terms().weight());
            boundSmallest = Math.min(boundSmallest, best / connection.terms().weight());
        }
    }

    /** Returns the sum of the expected throughputs, bit/s. */
    public double sum() {
        return sum;
    }

    /** Returns the sum of the best max-min fair rates, bit/s. */
    public double boundSum() {
        return boundSum;
    }

    /** Returns the smallest expected share, in bit/s; positive infinity if every direction has its demand. */
    public double smallest() {
        return smallest;
    }

    /** Returns the smallest share of the best routing, in bit/s; positive infinity if every direction has its demand. */
    public double boundSmallest() {
        return boundSmallest;
    }

    /** Returns the sum as a part of the bound's; 1 if nothing can be sent. It can be above 1, at the cost of fairness. */
    public double sumFraction() {
        return boundSum == 0 ? 1 : sum / boundSum;
    }

    /** Returns the smallest share as a part of the bound's, at most 1 but for rounding; 1 if every direction has its demand. */
    public double smallestFraction() {
        return boundSmallest == Double.POSITIVE_INFINITY ? 1 : smallest / boundSmallest;
    }
}
