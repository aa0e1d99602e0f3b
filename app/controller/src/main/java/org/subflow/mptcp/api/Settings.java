// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Objects;
import org.subflow.mptcp.placement.JoinPolicy;

/** What users can set at run time, checked as a whole. Immutable; made by {@link #builder()}. */
public final class Settings {
    private final String strategy;
    private final String allocator;
    private final int subflows;
    private final JoinPolicy joinPolicy;
    private final int idleSeconds;
    private final int retentionSeconds;
    private final int plainIdleSeconds;
    private final int mostSubflows;
    private final int reoptimisePercent;

    private Settings(Builder builder) {
        this.strategy = checkNotNull(builder.strategy, "strategy");
        this.allocator = checkNotNull(builder.allocator, "allocator");
        this.joinPolicy = checkNotNull(builder.joinPolicy, "joinPolicy");
        this.subflows = inRange("subflows", builder.subflows, 1, 64);
        this.idleSeconds = inRange("idleSeconds", builder.idleSeconds, 1, 86_400);
        this.retentionSeconds = inRange("retentionSeconds", builder.retentionSeconds, 1, 7 * 86_400);
        this.plainIdleSeconds = inRange("plainIdleSeconds", builder.plainIdleSeconds, 1, 65_535);
        this.mostSubflows = inRange("mostSubflows", builder.mostSubflows, 1, 64);
        this.reoptimisePercent = inRange("reoptimisePercent", builder.reoptimisePercent, 1, 1000);
    }

    private static int inRange(String name, int value, int least, int most) {
        checkArgument(value >= least && value <= most,
                      "%s = %s: it takes a whole number from %s to %s", name, value, least, most);
        return value;
    }

    /** Returns a builder that starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the name of the path strategy for connections that begin from now on. */
    public String strategy() {
        return strategy;
    }

    /** Returns the name of the allocator. */
    public String allocator() {
        return allocator;
    }

    /**
     * Returns how many subflows a connection is expected to open: so many disjoint paths are chosen together. Further
     * subflows get a disjoint path if one is left.
     */
    public int subflows() {
        return subflows;
    }

    /** Returns what is done with an MP_JOIN for which no disjoint path is left. */
    public JoinPolicy joinPolicy() {
        return joinPolicy;
    }

    /** Returns after how many seconds without a packet a connection's rules and reservations go. */
    public int idleSeconds() {
        return idleSeconds;
    }

    /** Returns for how many seconds an idle connection is remembered. */
    public int retentionSeconds() {
        return retentionSeconds;
    }

    /** Returns the idle time-out of the rules of plain TCP, in seconds. */
    public int plainIdleSeconds() {
        return plainIdleSeconds;
    }

    /** Returns how many subflows of a connection are managed at most; MP_JOINs beyond are left to plain forwarding. */
    public int mostSubflows() {
        return mostSubflows;
    }

    /**
     * Returns by how many per cent of what a connection could get a move to other paths must gain, when the network has
     * more to offer than it had (a link has come back, a capacity has grown) or newcomers have shown what they want. What has
     * lost its path moves anyhow.
     */
    public int reoptimisePercent() {
        return reoptimisePercent;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Settings)) {
            return false;
        }
        Settings that = (Settings) other;
        return strategy.equals(that.strategy)
                && allocator.equals(that.allocator)
                && subflows == that.subflows
                && joinPolicy == that.joinPolicy
                && idleSeconds == that.idleSeconds
                && retentionSeconds == that.retentionSeconds
                && plainIdleSeconds == that.plainIdleSeconds
                && mostSubflows == that.mostSubflows
                && reoptimisePercent == that.reoptimisePercent;
    }

    @Override
    public int hashCode() {
        return Objects.hash(strategy, allocator, subflows, joinPolicy, idleSeconds, retentionSeconds,
                            plainIdleSeconds, mostSubflows, reoptimisePercent);
    }

    /** Collects settings; starts from the defaults. */
    public static final class Builder {
        private String strategy = "widest-disjoint";
        private String allocator = "max-min";
        private int subflows = 3;
        private JoinPolicy joinPolicy = JoinPolicy.SHARE;
        private int idleSeconds = 30;
        private int retentionSeconds = 3600;
        private int plainIdleSeconds = 10;
        private int mostSubflows = 64;
        private int reoptimisePercent = 10;

        private Builder() {
        }

        /** Sets the name of the path strategy; not null. */
        public Builder strategy(String value) {
            this.strategy = value;
            return this;
        }

        /** Sets the name of the allocator; not null. */
        public Builder allocator(String value) {
            this.allocator = value;
            return this;
        }

        /** Sets how many subflows a connection is expected to open, 1 to 64. */
        public Builder subflows(int value) {
            this.subflows = value;
            return this;
        }

        /** Sets what is done with an MP_JOIN for which no disjoint path is left; not null. */
        public Builder joinPolicy(JoinPolicy value) {
            this.joinPolicy = value;
            return this;
        }

        /** Sets the idle time in seconds, 1 to 86400. */
        public Builder idleSeconds(int value) {
            this.idleSeconds = value;
            return this;
        }

        /** Sets for how many seconds an idle connection is remembered, 1 to 604800. */
        public Builder retentionSeconds(int value) {
            this.retentionSeconds = value;
            return this;
        }

        /** Sets the idle time-out of plain TCP's rules in seconds, 1 to 65535 (OpenFlow's limit). */
        public Builder plainIdleSeconds(int value) {
            this.plainIdleSeconds = value;
            return this;
        }

        /** Sets how many subflows of a connection are managed at most, 1 to 64. */
        public Builder mostSubflows(int value) {
            this.mostSubflows = value;
            return this;
        }

        /** Sets by how many per cent a move to other paths must gain, 1 to 1000. */
        public Builder reoptimisePercent(int value) {
            this.reoptimisePercent = value;
            return this;
        }

        /**
         * Checks and makes the settings.
         *
         * @throws IllegalArgumentException if a value is out of its range
         */
        public Settings build() {
            return new Settings(this);
        }
    }
}
