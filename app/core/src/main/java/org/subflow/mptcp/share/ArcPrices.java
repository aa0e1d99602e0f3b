// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.Comparator;
import org.subflow.mptcp.share.linear.ScaledProblem;

/**
 * Prices of arcs, the certificate of an {@link Allocation}; arcs with price 0 are left out.
 *
 * <p>With prices y ≥ 0, each bit/s of connection c uses capacity worth at least cheapest(c), the price of its cheapest
 * subflow. All capacity is worth {@link #worth}. So every feasible allocation T has Σ cheapest(c)·T_c ≤ worth. Immutable.
 */
public final class ArcPrices {
    /** No arc has a price. */
    static final ArcPrices NONE = new ArcPrices(new int[0], new double[0]);

    private final int[] arcs;
    private final double[] arcPrices;

    private ArcPrices(int[] arcs, double[] arcPrices) {
        this.arcs = arcs;
        this.arcPrices = arcPrices;
    }

    /** Returns the prices of given rows by arc, in the order of arcs. */
    static ArcPrices of(ScaledProblem scaled, int[] unordered, double[] priceOf) {
        Integer[] byArc = new Integer[unordered.length];
        Arrays.setAll(byArc, i -> i);
        Arrays.sort(byArc, Comparator.comparingInt(i -> scaled.arc[unordered[i]]));
        int[] row = Arrays.stream(byArc).mapToInt(i -> unordered[i]).toArray();
        double[] price = Arrays.stream(byArc).mapToDouble(i -> priceOf[i]).toArray();
        int n = row.length;
        int[] arcs = new int[n];
        double[] arcPrices = new double[n];
        int a = 0;
        for (int i = 0; i < n; i++) {
            if (price[i] > 0) {
                arcs[a] = scaled.arc[row[i]];
                arcPrices[a++] = price[i];
            }
        }
        return new ArcPrices(Arrays.copyOf(arcs, a), Arrays.copyOf(arcPrices, a));
    }

    /** Returns the arcs with a price, as a copy. */
    public int[] arcs() {
        return arcs.clone();
    }

    /** Returns the price of each of {@link #arcs}, above 0, as a copy. */
    public double[] arcPrices() {
        return arcPrices.clone();
    }

    /**
     * Returns the price per bit/s of each connection: that of its cheapest subflow that can send.
     *
     * @param problem the problem that was allocated, not null
     * @return price for each connection; positive infinity if none of its subflows can send
     */
    public double[] cheapest(SharingProblem problem) {
        double[] ofArc = new double[problem.arcCount()];
        for (int i = 0; i < arcs.length; i++) {
            ofArc[arcs[i]] = arcPrices[i];
        }
        double[] cheapest = new double[problem.connectionCount()];
        for (int c = 0; c < cheapest.length; c++) {
            cheapest[c] = Double.POSITIVE_INFINITY;
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                double sum = 0;
                for (int h = 0; h < problem.hops(s); h++) {
                    int arc = problem.arc(s, h);
                    sum += problem.capacity(arc) > 0 ? ofArc[arc] : Double.POSITIVE_INFINITY;
                }
                cheapest[c] = Math.min(cheapest[c], sum);
            }
        }
        return cheapest;
    }

    /** Returns the worth of all capacity: the sum of price times capacity. */
    public double worth(SharingProblem problem) {
        double sum = 0;
        for (int i = 0; i < arcs.length; i++) {
            sum += arcPrices[i] * problem.capacity(arcs[i]);
        }
        return sum;
    }
}
