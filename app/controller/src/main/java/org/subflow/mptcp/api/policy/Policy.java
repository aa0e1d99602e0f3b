// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.base.MoreObjects;
import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.api.Terms;

/**
 * The treatment of the connections that it matches: unmanaged, or managed with terms of its own. The {@link Settings}
 * decide whatever a policy does not set. Immutable; made by {@link #named(String)}.
 */
public final class Policy {
    /** The settings that a policy may decide for its connections, as users see them. */
    public static final List<Setting<?>> SETTINGS = List.of(
            Settings.STRATEGY, Settings.SUBFLOWS, Settings.MOST_SUBFLOWS, Settings.JOIN_POLICY, Settings.MANAGE_AFTER_MILLIS,
            Settings.MANAGE_AFTER_BYTES, Settings.DISJOINT, Settings.MAX_DELAY_MILLIS, Settings.MAX_DELAY_SPREAD_MILLIS);

    /** The policy of a connection that no other one matches: it is managed with the settings. */
    public static final Policy STANDARD = new Builder("").build();

    private static final double LEAST_WEIGHT = 0.001;
    private static final double MOST_WEIGHT = 1000;
    /** 1 Pbit/s: more than any link carries, and safe in calculations. */
    private static final double MOST_RATE = 1e15;

    private final String name;
    private final PolicyMatch match;
    private final boolean managed;
    private final ImmutableMap<Setting<?>, Object> values;
    private final double weight;
    private final double cap;
    private final double minimum;

    private Policy(Builder builder) {
        this.name = builder.name;
        this.match = builder.match;
        this.managed = builder.managed;
        this.values = ImmutableMap.copyOf(builder.values);
        this.weight = builder.weight;
        this.cap = builder.cap;
        this.minimum = builder.minimum;
        checkArgument(minimum <= cap, "the least rate, %s bit/s, is above the cap, %s bit/s: nothing would be managed",
                      minimum, cap);
        checkArgument(managed || hasNoTerms(), "it is not managed: leave out what is said about managing it");
    }

    private boolean hasNoTerms() {
        return values.isEmpty() && weight == 1 && cap == Double.POSITIVE_INFINITY && minimum == 0;
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

    /** Returns the value that connections get for one of the {@link #SETTINGS}; empty if the settings decide. */
    @SuppressWarnings("unchecked") // the builder puts nothing else there
    public <T> Optional<T> get(Setting<T> setting) {
        return Optional.ofNullable((T) values.get(setting));
    }

    /** Returns the settings that hold for the connections: this policy's, and those in force for whatever it does not set. */
    public Settings over(Settings settings) {
        return settings.with(values);
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

    /**
     * Returns the terms of a connection that begins under this policy.
     *
     * @param settings the settings in force, which decide whatever the policy does not set; not null
     * @return the terms
     */
    public Terms terms(Settings settings) {
        Settings held = over(settings);
        String disjoint = held.get(Settings.DISJOINT);
        return Terms.of(name, held.get(Settings.STRATEGY), held.get(Settings.SUBFLOWS), held.get(Settings.JOIN_POLICY), weight, cap)
                .withMostSubflows(held.get(Settings.MOST_SUBFLOWS))
                .withPaths(disjoint.equals(Settings.AUTO) ? null : disjoint, held.get(Settings.MAX_DELAY_MILLIS),
                           held.get(Settings.MAX_DELAY_SPREAD_MILLIS));
    }

    /** Returns whether another policy treats its connections in the same way. */
    public boolean treatsLike(Policy other) {
        return managed == other.managed
                && values.equals(other.values)
                && weight == other.weight
                && cap == other.cap
                && minimum == other.minimum;
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
                .add("settings", values)
                .add("weight", weight)
                .add("cap", cap)
                .add("minimum", minimum)
                .toString();
    }

    /** Collects the terms of a policy; every method rejects invalid values at once. */
    public static final class Builder {
        private final String name;
        private final Map<Setting<?>, Object> values = new LinkedHashMap<>();
        private PolicyMatch match = PolicyMatch.ANY;
        private boolean managed = true;
        private double weight = 1;
        private double cap = Double.POSITIVE_INFINITY;
        private double minimum;

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

        /**
         * Decides one of the {@link Policy#SETTINGS}.
         *
         * @throws IllegalArgumentException if it does not take the value; the message names those that it takes
         */
        public <T> Builder with(Setting<T> setting, T value) {
            return read(setting, value.toString());
        }

        /**
         * Decides one of the {@link Policy#SETTINGS}.
         *
         * @param text the value, as users type it; not null
         * @throws IllegalArgumentException as {@link #with}
         */
        public <T> Builder read(Setting<T> setting, String text) {
            values.put(setting, setting.parse(text));
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
