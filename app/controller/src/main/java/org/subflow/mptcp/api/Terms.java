// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.placement.JoinPolicy;

/**
 * The terms under which a connection is managed for its whole life. The policy decides, and the settings decide whatever it
 * does not set. Later changes of either do not change the terms. Immutable.
 */
public final class Terms {
    private final String policy;
    private final String strategy;
    private final int subflows;
    private final int mostSubflows;
    private final JoinPolicy joinPolicy;
    private final double weight;
    private final double cap;
    private final String disjoint;
    private final int maxDelayMillis;
    private final int maxDelaySpreadMillis;

    private Terms(String policy, String strategy, int subflows, int mostSubflows, JoinPolicy joinPolicy, double weight,
                  double cap, String disjoint, int maxDelayMillis, int maxDelaySpreadMillis) {
        this.policy = checkNotNull(policy, "policy");
        this.strategy = checkNotNull(strategy, "strategy");
        this.subflows = subflows;
        this.mostSubflows = mostSubflows;
        this.joinPolicy = checkNotNull(joinPolicy, "joinPolicy");
        this.weight = weight;
        this.cap = cap;
        this.disjoint = disjoint;
        this.maxDelayMillis = maxDelayMillis;
        this.maxDelaySpreadMillis = maxDelaySpreadMillis;
    }

    /**
     * Returns terms with these values, without conditions of paths, and with any number of subflows.
     *
     * @param policy     name of the policy, empty if none matched; not null
     * @param strategy   name of the path strategy; not null
     * @param subflows   number of subflows that it is expected to open
     * @param joinPolicy the treatment of an MP_JOIN without a remaining disjoint path; not null
     * @param weight     the weight
     * @param cap        the greatest rate per direction, bit/s on the wire; positive infinity for no limit
     * @return the terms
     */
    public static Terms of(String policy, String strategy, int subflows, JoinPolicy joinPolicy, double weight, double cap) {
        return new Terms(policy, strategy, subflows, Integer.MAX_VALUE, joinPolicy, weight, cap, null, 0, 0);
    }

    /**
     * Returns these terms with another limit of subflows.
     *
     * @param most how many subflows are managed at once, and opened by an agent, at most; 1 or more
     * @return the terms
     */
    public Terms withMostSubflows(int most) {
        return new Terms(policy, strategy, subflows, most, joinPolicy, weight, cap, disjoint, maxDelayMillis, maxDelaySpreadMillis);
    }

    /**
     * Returns these terms with other conditions of paths.
     *
     * @param kind         in which way paths are disjoint, as {@link #disjoint()}; null for the strategy's own
     * @param delayMillis  the longest delay of a path in milliseconds; 0 for no limit
     * @param spreadMillis the largest difference of two paths' delays in milliseconds; 0 for no limit
     * @return the terms
     */
    public Terms withPaths(String kind, int delayMillis, int spreadMillis) {
        return new Terms(policy, strategy, subflows, mostSubflows, joinPolicy, weight, cap, kind, delayMillis, spreadMillis);
    }

    /** Returns the name of the policy; empty if none matched. */
    public Optional<String> policy() {
        return policy.isEmpty() ? Optional.empty() : Optional.of(policy);
    }

    /** Returns the name of the path strategy. */
    public String strategy() {
        return strategy;
    }

    /**
     * Returns the number of subflows that the connection is expected to open; that many disjoint paths are chosen together.
     */
    public int subflows() {
        return subflows;
    }

    /** Returns how many of its subflows are managed at once, and opened by an agent, at most. */
    public int mostSubflows() {
        return mostSubflows;
    }

    /** Returns the treatment of an MP_JOIN without a remaining disjoint path. */
    public JoinPolicy joinPolicy() {
        return joinPolicy;
    }

    /** Returns the weight: twice the weight entitles a connection to twice the rate. */
    public double weight() {
        return weight;
    }

    /** Returns the greatest rate per direction, bit/s on the wire; positive infinity for no limit. */
    public double cap() {
        return cap;
    }

    /** Returns in which way paths are disjoint, where the strategy has the choice; empty for the strategy's own. */
    public Optional<String> disjoint() {
        return Optional.ofNullable(disjoint);
    }

    /** Returns the longest delay of a path in milliseconds; 0 for no limit. */
    public int maxDelayMillis() {
        return maxDelayMillis;
    }

    /** Returns the largest difference of delays between two paths of the connection in milliseconds; 0 for no limit. */
    public int maxDelaySpreadMillis() {
        return maxDelaySpreadMillis;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Terms)) {
            return false;
        }
        Terms that = (Terms) other;
        return policy.equals(that.policy)
                && strategy.equals(that.strategy)
                && subflows == that.subflows
                && mostSubflows == that.mostSubflows
                && joinPolicy == that.joinPolicy
                && weight == that.weight
                && cap == that.cap
                && Objects.equals(disjoint, that.disjoint)
                && maxDelayMillis == that.maxDelayMillis
                && maxDelaySpreadMillis == that.maxDelaySpreadMillis;
    }

    @Override
    public int hashCode() {
        return Objects.hash(policy, strategy, subflows, mostSubflows, joinPolicy, weight, cap, disjoint, maxDelayMillis,
                            maxDelaySpreadMillis);
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this).omitNullValues()
                .add("policy", policy().orElse(null))
                .add("strategy", strategy)
                .add("subflows", subflows)
                .add("mostSubflows", mostSubflows)
                .add("joinPolicy", joinPolicy)
                .add("weight", weight)
                .add("cap", cap)
                .add("disjoint", disjoint)
                .add("maxDelayMillis", maxDelayMillis)
                .add("maxDelaySpreadMillis", maxDelaySpreadMillis)
                .toString();
    }
}
