// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.placement.JoinPolicy;

/**
 * The treatment of the connections that it matches: unmanaged, or managed with terms of its own. The {@link Settings}
 * decide whatever a policy does not set. Immutable; made by {@link #named(String)}.
 */
public final class Policy {
    /** The policy of a connection that no other one matches: it is managed with the settings. */
    public static final Policy STANDARD = new Builder("").build();

    private static final double LEAST_WEIGHT = 0.001;
    private static final double MOST_WEIGHT = 1000;
    /** 1 Pbit/s: more than any link carries, and safe in calculations. */
    private static final double MOST_RATE = 1e15;
    /** A day. */
    private static final int MOST_DELAY_MILLIS = 86_400_000;

    private final String name;
    private final PolicyMatch match;
    private final boolean managed;
    private final String strategy;
    private final Integer subflows;
    private final JoinPolicy joinPolicy;
    private final double weight;
    private final double cap;
    private final double minimum;
    private final Integer manageAfterMillis;
    private final Integer manageAfterBytes;
    private final String disjoint;
    private final Integer maxDelayMillis;
    private final Integer maxDelaySpreadMillis;

    private Policy(Builder builder) {
        this.name = builder.name;
        this.match = builder.match;
        this.managed = builder.managed;
        this.strategy = builder.strategy;
        this.subflows = builder.subflows;
        this.joinPolicy = builder.joinPolicy;
        this.weight = builder.weight;
        this.cap = builder.cap;
        this.minimum = builder.minimum;
        this.manageAfterMillis = builder.manageAfterMillis;
        this.manageAfterBytes = builder.manageAfterBytes;
        this.disjoint = builder.disjoint;
        this.maxDelayMillis = builder.maxDelayMillis;
        this.maxDelaySpreadMillis = builder.maxDelaySpreadMillis;
        checkArgument(minimum <= cap, "the least rate, %s bit/s, is above the cap, %s bit/s: nothing would be managed",
                      minimum, cap);
        checkArgument(managed || hasNoTerms(), "it is not managed: leave out what is said about managing it");
    }

    private boolean hasNoTerms() {
        return strategy == null && subflows == null && joinPolicy == null && weight == 1
                && cap == Double.POSITIVE_INFINITY && minimum == 0 && manageAfterMillis == null && manageAfterBytes == null
                && disjoint == null && maxDelayMillis == null && maxDelaySpreadMillis == null;
    }

    /**
     * Starts a policy that matches all connections and manages them with the settings.
     *
     * @param name its name, not empty
     * @return a builder
     * @throws IllegalArgumentException if the name is empty
     */
    public static Builder named(String name) {
        checkArgument(!name.isEmpty(), "a policy has a name");
        return new Builder(name);
    }

    /** Returns the name; empty for {@link #STANDARD} only. */
    public String name() {
        return name;
    }

    /** Returns the match of connections. */
    public PolicyMatch match() {
        return match;
    }

    /** Returns whether the connections are managed; unmanaged ones are forwarded like plain TCP. */
    public boolean isManaged() {
        return managed;
    }

    /** Returns the name of the path strategy; empty if the settings decide. */
    public Optional<String> strategy() {
        return Optional.ofNullable(strategy);
    }

    /** Returns the number of subflows that a connection is expected to open, 1 to 64; empty if the settings decide. */
    public OptionalInt subflows() {
        return subflows == null ? OptionalInt.empty() : OptionalInt.of(subflows);
    }

    /** Returns the treatment of an MP_JOIN without a remaining disjoint path; empty if the settings decide. */
    public Optional<JoinPolicy> joinPolicy() {
        return Optional.ofNullable(joinPolicy);
    }

    /** Returns the weight: twice the weight entitles a connection to twice the rate. */
    public double weight() {
        return weight;
    }

    /** Returns the greatest rate of a connection per direction, bit/s on the wire; positive infinity for no limit. */
    public double cap() {
        return cap;
    }

    /**
     * Returns the least rate for admission, bit/s on the wire. A new connection with a lower rate gets plain forwarding; 0
     * admits every connection.
     *
     * <p>The rate is the share that the allocator in force would give the connection now, in the direction with the smaller
     * share. It assumes a demand up to the cap and the expected number of subflows, all between the hosts of the first one.
     * The check happens once, when the connection begins; later connections may reduce its share.
     */
    public double minimum() {
        return minimum;
    }

    /** Returns the age in milliseconds from which a connection is managed; empty if the settings decide. */
    public OptionalInt manageAfterMillis() {
        return manageAfterMillis == null ? OptionalInt.empty() : OptionalInt.of(manageAfterMillis);
    }

    /** Returns the octets from which a connection is managed at any age; empty if the settings decide. */
    public OptionalInt manageAfterBytes() {
        return manageAfterBytes == null ? OptionalInt.empty() : OptionalInt.of(manageAfterBytes);
    }

    /** Returns in which way a connection's paths are disjoint; empty if the settings decide. */
    public Optional<String> disjoint() {
        return Optional.ofNullable(disjoint);
    }

    /** Returns the longest delay of a path in milliseconds, 0 for no limit; empty if the settings decide. */
    public OptionalInt maxDelayMillis() {
        return maxDelayMillis == null ? OptionalInt.empty() : OptionalInt.of(maxDelayMillis);
    }

    /** Returns the largest difference of two paths' delays in milliseconds, 0 for no limit; empty if the settings decide. */
    public OptionalInt maxDelaySpreadMillis() {
        return maxDelaySpreadMillis == null ? OptionalInt.empty() : OptionalInt.of(maxDelaySpreadMillis);
    }

    /**
     * Returns the terms of a connection that begins under this policy.
     *
     * @param settings the settings in force, which decide whatever the policy does not set; not null
     * @return the terms
     */
    public Terms terms(Settings settings) {
        return Terms.of(name, strategy().orElse(settings.strategy()), subflows().orElse(settings.subflows()),
                        joinPolicy().orElse(settings.joinPolicy()), weight, cap)
                .withPaths(disjoint().or(settings::disjoint).orElse(null), maxDelayMillis().orElse(settings.maxDelayMillis()),
                           maxDelaySpreadMillis().orElse(settings.maxDelaySpreadMillis()));
    }

    /** Returns whether another policy treats its connections in the same way. */
    public boolean treatsLike(Policy other) {
        return managed == other.managed
                && Objects.equals(strategy, other.strategy)
                && Objects.equals(subflows, other.subflows)
                && joinPolicy == other.joinPolicy
                && weight == other.weight
                && cap == other.cap
                && minimum == other.minimum
                && Objects.equals(manageAfterMillis, other.manageAfterMillis)
                && Objects.equals(manageAfterBytes, other.manageAfterBytes)
                && Objects.equals(disjoint, other.disjoint)
                && Objects.equals(maxDelayMillis, other.maxDelayMillis)
                && Objects.equals(maxDelaySpreadMillis, other.maxDelaySpreadMillis);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Policy && name.equals(((Policy) other).name)
                && match.equals(((Policy) other).match) && treatsLike((Policy) other);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, match);
    }

    @Override
    public String toString() {
        return MoreObjects.toStringHelper(this).omitNullValues()
                .addValue(name)
                .add("match", match)
                .add("managed", managed)
                .add("strategy", strategy)
                .add("subflows", subflows)
                .add("joinPolicy", joinPolicy)
                .add("weight", weight)
                .add("cap", cap)
                .add("minimum", minimum)
                .add("manageAfterMillis", manageAfterMillis)
                .add("manageAfterBytes", manageAfterBytes)
                .add("disjoint", disjoint)
                .add("maxDelayMillis", maxDelayMillis)
                .add("maxDelaySpreadMillis", maxDelaySpreadMillis)
                .toString();
    }

    /** Collects the terms of a policy; every method rejects invalid values at once. */
    public static final class Builder {
        private final String name;
        private PolicyMatch match = PolicyMatch.ANY;
        private boolean managed = true;
        private String strategy;
        private Integer subflows;
        private JoinPolicy joinPolicy;
        private double weight = 1;
        private double cap = Double.POSITIVE_INFINITY;
        private double minimum;
        private Integer manageAfterMillis;
        private Integer manageAfterBytes;
        private String disjoint;
        private Integer maxDelayMillis;
        private Integer maxDelaySpreadMillis;

        private Builder(String name) {
            this.name = name;
        }

        /** Sets the match of connections; not null. */
        public Builder match(PolicyMatch value) {
            this.match = checkNotNull(value, "match");
            return this;
        }

        /** Sets whether the connections are managed. */
        public Builder managed(boolean value) {
            this.managed = value;
            return this;
        }

        /** Sets the name of the path strategy, which must exist; not null. */
        public Builder strategy(String value) {
            this.strategy = checkNotNull(value, "strategy");
            return this;
        }

        /**
         * Sets the number of subflows that a connection is expected to open.
         *
         * @throws IllegalArgumentException unless it is from 1 to 64
         */
        public Builder subflows(int value) {
            checkArgument(value >= 1 && value <= 64, "%s: it takes a whole number from 1 to 64", value);
            this.subflows = value;
            return this;
        }

        /** Sets the treatment of an MP_JOIN without a remaining disjoint path; not null. */
        public Builder joinPolicy(JoinPolicy value) {
            this.joinPolicy = checkNotNull(value, "joinPolicy");
            return this;
        }

        /**
         * Sets the weight.
         *
         * @throws IllegalArgumentException unless it is from 0.001 to 1000
         */
        public Builder weight(double value) {
            checkArgument(value >= LEAST_WEIGHT && value <= MOST_WEIGHT, "%s: it takes a number from 0.001 to 1000", value);
            this.weight = value;
            return this;
        }

        /**
         * Sets the greatest rate of a connection per direction, bit/s on the wire.
         *
         * @throws IllegalArgumentException unless it is above 0 and at most 1e15
         */
        public Builder cap(double value) {
            this.cap = checkRate(value);
            return this;
        }

        /**
         * Sets the least rate for admission ({@link Policy#minimum()}), bit/s.
         *
         * @throws IllegalArgumentException unless it is above 0 and at most 1e15
         */
        public Builder refuseBelow(double value) {
            this.minimum = checkRate(value);
            return this;
        }

        /**
         * Sets the age in milliseconds from which a connection is managed; 0 to manage it at once.
         *
         * @throws IllegalArgumentException unless it is from 0 to 3600000
         */
        public Builder manageAfterMillis(int value) {
            checkArgument(value >= 0 && value <= 3_600_000, "%s: it takes a whole number from 0 to 3600000", value);
            this.manageAfterMillis = value;
            return this;
        }

        /**
         * Sets the octets from which a connection is managed at any age; 0 to manage it at once.
         *
         * @throws IllegalArgumentException unless it is from 0 to 1000000000
         */
        public Builder manageAfterBytes(int value) {
            checkArgument(value >= 0 && value <= 1_000_000_000, "%s: it takes a whole number from 0 to 1000000000", value);
            this.manageAfterBytes = value;
            return this;
        }

        /** Sets in which way a connection's paths are disjoint, where its strategy has the choice; not null. */
        public Builder disjoint(String value) {
            this.disjoint = checkNotNull(value, "disjoint");
            return this;
        }

        /**
         * Sets the longest delay of a path in milliseconds; 0 for no limit.
         *
         * @throws IllegalArgumentException unless it is from 0 to 86400000
         */
        public Builder maxDelayMillis(int value) {
            this.maxDelayMillis = checkDelay(value);
            return this;
        }

        /**
         * Sets the largest difference of delays between two paths of a connection in milliseconds; 0 for no limit.
         *
         * @throws IllegalArgumentException unless it is from 0 to 86400000
         */
        public Builder maxDelaySpreadMillis(int value) {
            this.maxDelaySpreadMillis = checkDelay(value);
            return this;
        }

        private static int checkDelay(int value) {
            checkArgument(value >= 0 && value <= MOST_DELAY_MILLIS, "%s: it takes a whole number from 0 to 86400000", value);
            return value;
        }

        private static double checkRate(double value) {
            checkArgument(value > 0 && value <= MOST_RATE,
                          "%s Mbit/s: it takes a number above 0 and at most 1e9", value / 1e6);
            return value;
        }

        /**
         * Makes the policy.
         *
         * @throws IllegalArgumentException if the least rate is above the cap, or if an unmanaged policy sets terms
         */
        public Policy build() {
            return new Policy(this);
        }
    }
}
