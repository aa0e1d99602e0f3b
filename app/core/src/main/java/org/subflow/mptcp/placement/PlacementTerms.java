// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Objects;
import java.util.function.Consumer;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;

/** The terms of a connection: how its subflows are placed, its weight and its cap. Immutable. */
public final class PlacementTerms {
    private final PathStrategy strategy;
    private final Consumer<PathRequest.Builder> options;
    private final int subflows;
    private final JoinPolicy joinPolicy;
    private final double weight;
    private final double cap;
    private final PathLimits limits;

    private PlacementTerms(PathStrategy strategy, Consumer<PathRequest.Builder> options, int subflows, JoinPolicy joinPolicy,
                           double weight, double cap, PathLimits limits) {
        this.strategy = Objects.requireNonNull(strategy, "strategy");
        this.options = Objects.requireNonNull(options, "options");
        this.subflows = subflows;
        this.joinPolicy = Objects.requireNonNull(joinPolicy, "joinPolicy");
        this.weight = weight;
        this.cap = cap;
        this.limits = Objects.requireNonNull(limits, "limits");
    }

    /**
     * Makes terms with weight 1 and without a cap.
     *
     * @param strategy   name of the path strategy; not null
     * @param subflows   how many subflows the connection is expected to open, at least 1; the strategy chooses so many paths
     *                   together
     * @param joinPolicy decides about a subflow for which no disjoint path exists; not null
     * @return the terms
     * @throws IllegalArgumentException if there is no such strategy, or {@code subflows} is below 1
     */
    public static PlacementTerms of(String strategy, int subflows, JoinPolicy joinPolicy) {
        return new PlacementTerms(PathStrategies.named(strategy), request -> { }, checked(subflows), joinPolicy, 1,
                                  Double.POSITIVE_INFINITY, PathLimits.NONE);
    }

    /**
     * Returns these terms with options of the strategy.
     *
     * @param newOptions sets the options on each request for paths; not null
     */
    public PlacementTerms withOptions(Consumer<PathRequest.Builder> newOptions) {
        return new PlacementTerms(strategy, newOptions, subflows, joinPolicy, weight, cap, limits);
    }

    /**
     * Returns these terms with another number of subflows.
     *
     * @param newSubflows how many the connection is expected to open, at least 1
     * @throws IllegalArgumentException if it is below 1
     */
    public PlacementTerms withSubflows(int newSubflows) {
        return new PlacementTerms(strategy, options, checked(newSubflows), joinPolicy, weight, cap, limits);
    }

    private static int checked(int subflows) {
        if (subflows < 1) {
            throw new IllegalArgumentException("a connection has 1 subflow or more, not " + subflows);
        }
        return subflows;
    }

    /**
     * Returns these terms with a weight and a cap.
     *
     * @param newWeight with twice the weight, the connection is entitled to twice the rate; finite and above 0
     * @param newCap    the most that it may get per direction, bit/s, not negative; positive infinity for no limit
     * @throws IllegalArgumentException if one of them is out of range
     */
    public PlacementTerms withShare(double newWeight, double newCap) {
        if (!(newWeight > 0 && newWeight < Double.POSITIVE_INFINITY && newCap >= 0)) {
            throw new IllegalArgumentException("a weight is finite and above 0, a cap not negative: not " + newWeight + " and "
                    + newCap);
        }
        return new PlacementTerms(strategy, options, subflows, joinPolicy, newWeight, newCap, limits);
    }

    /**
     * Returns these terms with limits to the delays of the connection's paths.
     *
     * @param newLimits the limits, kept whichever strategy finds the paths; not null
     */
    public PlacementTerms withLimits(PathLimits newLimits) {
        return new PlacementTerms(strategy, options, subflows, joinPolicy, weight, cap, newLimits);
    }

    /** Returns the path strategy. */
    public PathStrategy strategy() {
        return strategy;
    }

    /** Returns how many subflows the connection is expected to open. */
    public int subflows() {
        return subflows;
    }

    /** Returns the policy for a subflow for which no disjoint path exists. */
    public JoinPolicy joinPolicy() {
        return joinPolicy;
    }

    /** Returns the weight: with twice the weight, the connection is entitled to twice the rate. */
    public double weight() {
        return weight;
    }

    /** Returns the most that the connection may get per direction, bit/s; positive infinity for no limit. */
    public double cap() {
        return cap;
    }

    /** Returns the limits to the delays of the connection's paths. */
    public PathLimits limits() {
        return limits;
    }

    /** Sets limits and options on a request for a strategy: those of its own strategy, or what another one has of them. */
    public void apply(PathRequest.Builder request, PathStrategy asked) {
        options.accept(request.limits(limits));
        if (asked != strategy) {
            request.keepWhatIsOf(asked);
        }
    }
}
