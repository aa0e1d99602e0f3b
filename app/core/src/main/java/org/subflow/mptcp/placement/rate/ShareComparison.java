// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.Iterator;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.Rates;

/**
 * What all connections together gain if one of them takes other paths: the smallest share, and the sum of the logarithms of
 * all shares. A share is the rate of one direction of a connection divided by its weight.
 *
 * <p>Of a connection that sends both ways, the mean of both logarithms counts; a direction that carries acknowledgements
 * only does not. A direction that gets its whole demand before and after does not count for the smallest share. Immutable.
 */
public final class ShareComparison {
    /** Relative. A smaller fall is none: the acknowledgements of a connection that moves take that much. */
    private static final double ROUNDING = 1e-4;
    /** Relative. Of two gains that differ by less, the first is as good: small demands must not decide between paths. */
    public static final double ALIKE = 1e-3;
    /** A rate below this counts as this, bit/s: its logarithm would be without limit. */
    private static final double LEAST_RATE = 1;

    private double smallestBefore = Double.POSITIVE_INFINITY;
    private double smallestAfter = Double.POSITIVE_INFINITY;
    private double logarithms;

    private ShareComparison() {
    }

    /**
     * Compares two states of the same connections.
     *
     * @param before the connections with their expected throughputs now
     * @param after  the same connections in the same order, some of them perhaps on other paths
     */
    public static ShareComparison of(Iterable<PlacedConnection> before, Iterable<PlacedConnection> after) {
        ShareComparison comparison = new ShareComparison();
        Iterator<PlacedConnection> changed = after.iterator();
        for (PlacedConnection connection : before) {
            PlacedConnection then = changed.next();
            if (connection.isOnNetwork() || then.isOnNetwork()) {
                comparison.count(connection, connection.expected(), then.expected());
            }
        }
        return comparison;
    }

    private void count(PlacedConnection connection, Rates before, Rates after) {
        double sum = 0;
        int directions = 0;
        for (boolean upwards : new boolean[] {true, false}) {
            double limit = connection.limit(upwards);
            if (limit > 0) {
                double growth = count(connection.terms().weight(), limit, upwards ? before.up() : before.down(),
                        upwards ? after.up() : after.down());
                boolean sends = connection.demand().sends(upwards);
                directions += sends ? 1 : 0;
                sum += sends ? growth : 0;
            }
        }
        logarithms += directions == 0 ? 0 : connection.terms().weight() * sum / directions;
    }

    /** Counts one direction, and returns the growth of the logarithm of its share. */
    private double count(double weight, double limit, double before, double after) {
        if (Math.min(before, after) < limit * (1 - ROUNDING)) {
            smallestBefore = Math.min(smallestBefore, before / weight);
            smallestAfter = Math.min(smallestAfter, after / weight);
        }
        return Math.log(Math.max(after, LEAST_RATE) / Math.max(before, LEAST_RATE));
    }

    /**
     * Returns whether the other paths are worth a move. The smallest share must not fall. And the smallest share, or the
     * weighted product of all shares, must grow by a factor.
     *
     * @param leastRatio the factor, above 1
     */
    public boolean isWorth(double leastRatio) {
        boolean smallestGrows = smallestAfter > 0 && smallestAfter >= smallestBefore * leastRatio
                && smallestAfter < Double.POSITIVE_INFINITY;
        return !falls() && (smallestGrows || logarithms >= Math.log(leastRatio));
    }

    /** Returns whether the smallest share falls by more than rounding. */
    public boolean falls() {
        return smallestAfter < smallestBefore * (1 - ROUNDING);
    }

    /**
     * Returns the gain as one number, to compare steps of a search by: the growth of the logarithm of the product, and as many
     * times that of the smallest share as its weight says.
     */
    public double score(double weightOfSmallest) {
        boolean counts = smallestBefore < Double.POSITIVE_INFINITY;
        double smallest = counts ? Math.log(Math.max(smallestAfter, LEAST_RATE) / Math.max(smallestBefore, LEAST_RATE)) : 0;
        return logarithms + weightOfSmallest * smallest;
    }

    /** Returns whether this gain is the larger of two, from the same state: first by the smallest share, then by the sum. */
    public boolean isMoreThan(ShareComparison other) {
        if (smallestAfter > other.smallestAfter * (1 + ALIKE) || other.smallestAfter > smallestAfter * (1 + ALIKE)) {
            return smallestAfter > other.smallestAfter;
        }
        return logarithms > other.logarithms + ALIKE;
    }
}
