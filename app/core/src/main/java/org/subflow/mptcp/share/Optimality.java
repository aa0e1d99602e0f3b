// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import org.subflow.mptcp.share.linear.Tolerances;

/**
 * Checks an allocation by its certificate, independently of the method that found it.
 *
 * <p>Each method returns a relative error; 0 is perfect, and rounding is some 10⁻¹².
 */
public final class Optimality {
    private Optimality() {
    }

    /**
     * Returns the largest part by which an arc or a connection's cap is exceeded, or a rate is below 0.
     *
     * @param problem the problem, not null
     * @param rates   rate of each subflow in bit/s, not null
     * @return 0 if feasible; positive infinity if a rate is sent where nothing can be
     */
    public static double overload(SharingProblem problem, double[] rates) {
        double worst = 0;
        double[] load = problem.loads(rates);
        for (int a = 0; a < load.length; a++) {
            worst = Math.max(worst, excess(load[a], problem.capacity(a)));
        }
        for (int c = 0; c < problem.connectionCount(); c++) {
            double total = 0;
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                total += rates[s];
                worst = rates[s] >= 0 ? worst : Double.POSITIVE_INFINITY;
            }
            worst = Math.max(worst, excess(total, problem.cap(c)));
        }
        return worst;
    }

    private static double excess(double value, double limit) {
        return value > limit ? (value - limit) / limit : 0;
    }

    /**
     * Checks that each connection is at its cap, or can send nothing, or is held by a bottleneck. The prices of a bottleneck
     * prove that its capacity is used up, by connections of which none has a higher level.
     *
     * @param problem    the problem, not null
     * @param allocation an answer of {@code max-min}, not null
     * @return the largest relative deviation; positive infinity if a connection has no valid reason
     */
    public static double maxMinDeviation(SharingProblem problem, Allocation allocation) {
        double worst = 0;
        double[][] cheapest = new double[allocation.bottlenecks().size()][];
        for (int b = 0; b < cheapest.length; b++) {
            Bottleneck bottleneck = allocation.bottlenecks().get(b);
            cheapest[b] = bottleneck.prices().cheapest(problem);
            worst = Math.max(worst, bottleneckDeviation(problem, allocation, bottleneck, cheapest[b]));
        }
        double largest = largestCapacity(problem);
        for (int c = 0; c < problem.connectionCount(); c++) {
            int b = allocation.bottleneckOf(c);
            double rate = allocation.total(c);
            if (b != Allocation.NO_BOTTLENECK) {
                double fair = allocation.bottlenecks().get(b).level() * problem.weight(c);
                boolean held = cheapest[b][c] > Tolerances.LEAST_PRICE;
                worst = Math.max(worst, held ? Math.abs(1 - rate / fair) : Double.POSITIVE_INFINITY);
            } else if (canSend(problem, c, largest)) {
                worst = Math.max(worst, 1 - rate / problem.cap(c));
            }
        }
        return worst;
    }

    private static double bottleneckDeviation(SharingProblem problem, Allocation allocation, Bottleneck bottleneck,
                                              double[] cheapest) {
        double paid = 0;
        double worst = 0;
        for (int c = 0; c < cheapest.length; c++) {
            if (cheapest[c] > Tolerances.LEAST_PRICE && cheapest[c] < Double.POSITIVE_INFINITY) {
                paid += cheapest[c] * allocation.total(c);
                worst = Math.max(worst, allocation.total(c) / problem.weight(c) / bottleneck.level() - 1);
            }
        }
        return Math.max(worst, Math.abs(1 - paid / bottleneck.prices().worth(problem)));
    }

    private static double largestCapacity(SharingProblem problem) {
        double largest = 0;
        for (int a = 0; a < problem.arcCount(); a++) {
            largest = Math.max(largest, problem.capacity(a));
        }
        return largest;
    }

    private static boolean canSend(SharingProblem problem, int connection, double largest) {
        for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
            double bottleneck = problem.cap(connection);
            for (int h = 0; h < problem.hops(s); h++) {
                bottleneck = Math.min(bottleneck, problem.capacity(problem.arc(s, h)));
            }
            if (bottleneck > Tolerances.ROUNDING * largest) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the duality gap of Σ w·log(rate) between an allocation's rates and its prices, divided by Σ w.
     *
     * @param problem    the problem, not null
     * @param allocation an answer of {@code proportional}, not null
     * @return the gap; no other feasible rates are better by more in the weighted mean of log(rate)
     * @throws IllegalArgumentException if the allocation has no prices
     */
    public static double proportionalGap(SharingProblem problem, Allocation allocation) {
        ArcPrices prices = allocation.prices()
                .orElseThrow(() -> new IllegalArgumentException(allocation.allocator() + " gives no prices"));
        double[] cheapest = prices.cheapest(problem);
        double gap = prices.worth(problem);
        double weights = 0;
        double largest = largestCapacity(problem);
        for (int c = 0; c < cheapest.length; c++) {
            if (canSend(problem, c, largest)) {
                double best = Math.min(problem.weight(c) / cheapest[c], problem.cap(c));
                gap += problem.weight(c) * Math.log(best / allocation.total(c)) - cheapest[c] * best;
                weights += problem.weight(c);
            }
        }
        return weights > 0 ? gap / weights : 0;
    }
}
