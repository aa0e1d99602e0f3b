// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The answer of an {@link Allocator}: a rate for every subflow, and a certificate. Immutable; rates are in bit/s.
 */
public final class Allocation {
    /** Answer of {@link #bottleneckOf} for a connection that no bottleneck holds. */
    public static final int NO_BOTTLENECK = -1;

    private final String allocator;
    private final double[] rates;
    private final double[] totals;
    private final double epsilon;
    private final List<Bottleneck> bottlenecks;
    private final int[] bottleneckOf;
    private final ArcPrices prices;

    private Allocation(String allocator, SharingProblem problem, double[] rates, double epsilon,
                       List<Bottleneck> bottlenecks, int[] bottleneckOf, ArcPrices prices) {
        this.allocator = allocator;
        this.rates = rates;
        this.epsilon = epsilon;
        this.bottlenecks = bottlenecks;
        this.bottleneckOf = bottleneckOf;
        this.prices = prices;
        totals = new double[problem.connectionCount()];
        for (int c = 0; c < totals.length; c++) {
            for (int s = problem.firstSubflow(c); s < problem.firstSubflow(c + 1); s++) {
                totals[c] += rates[s];
            }
        }
    }

    static Allocation uncertified(String allocator, SharingProblem problem, double[] rates) {
        int[] none = new int[problem.connectionCount()];
        Arrays.fill(none, NO_BOTTLENECK);
        return new Allocation(allocator, problem, rates, Double.NaN, List.of(), none, null);
    }

    static Allocation maxMin(String allocator, SharingProblem problem, double[] rates, double epsilon,
                             List<Bottleneck> bottlenecks, int[] bottleneckOf) {
        return new Allocation(allocator, problem, rates, epsilon, List.copyOf(bottlenecks), bottleneckOf, null);
    }

    static Allocation proportional(String allocator, SharingProblem problem, double[] rates, double epsilon,
                                   ArcPrices prices) {
        int[] none = new int[problem.connectionCount()];
        Arrays.fill(none, NO_BOTTLENECK);
        return new Allocation(allocator, problem, rates, epsilon, List.of(), none, prices);
    }

    /** Returns the name of the allocator that found this. */
    public String allocator() {
        return allocator;
    }

    /** Returns the expected throughput of a subflow in bit/s, not negative. */
    public double rate(int subflow) {
        return rates[subflow];
    }

    /** Returns the expected throughput of all subflows in bit/s, as a copy. */
    public double[] rates() {
        return rates.clone();
    }

    /** Returns the expected throughput of a connection in bit/s: the sum over its subflows. */
    public double total(int connection) {
        return totals[connection];
    }

    /** Returns the expected throughput of all connections in bit/s, as a copy. */
    public double[] totals() {
        return totals.clone();
    }

    /**
     * Returns the largest relative error of this allocation; not a number if the allocator does not state it.
     *
     * <p>For {@code max-min}: the largest part by which a connection is below the rate that its certificate allows. For
     * {@code proportional}: the duality gap of Σ w·log(rate), divided by Σ w. The weighted geometric mean of the rates could
     * be larger by that part.
     */
    public double epsilon() {
        return epsilon;
    }

    /** Returns the bottlenecks of a max-min fair allocation; empty for other allocators. */
    public List<Bottleneck> bottlenecks() {
        return bottlenecks;
    }

    /**
     * Returns the index in {@link #bottlenecks} of the bottleneck of a connection, or {@link #NO_BOTTLENECK}: then it has
     * reached its cap, or can send nothing, or the allocator has no bottlenecks.
     */
    public int bottleneckOf(int connection) {
        return bottleneckOf[connection];
    }

    /**
     * Returns Kelly's prices of a proportionally fair allocation, in weight per bit/s; empty for other allocators.
     *
     * <p>A connection below its cap has rate = weight ÷ price of its cheapest subflow, and uses only its cheapest ones.
     */
    public Optional<ArcPrices> prices() {
        return Optional.ofNullable(prices);
    }
}
