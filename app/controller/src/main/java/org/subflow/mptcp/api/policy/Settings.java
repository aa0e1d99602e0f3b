// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Objects;
import java.util.Optional;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.placement.JoinPolicy;

/** The run-time settings, checked together. Immutable; made by {@link #builder()}. */
public final class Settings {
    /** A day. */
    private static final int MOST_DELAY_MILLIS = 86_400_000;

    private final String strategy;
    private final String allocator;
    private final int subflows;
    private final JoinPolicy joinPolicy;
    private final int idleSeconds;
    private final int retentionSeconds;
    private final int plainIdleSeconds;
    private final int mostSubflows;
    private final int reoptimisePercent;
    private final int backgroundPlan;
    private final int manageAfterMillis;
    private final int manageAfterBytes;
    private final int mostConnections;
    private final int mostConnectionsPerHost;
    private final AgentSubflows agentSubflows;
    private final int announceSeconds;
    private final PathLabels pathLabels;
    private final String disjoint;
    private final int maxDelayMillis;
    private final int maxDelaySpreadMillis;

    private Settings(Builder builder) {
        this.strategy = checkNotNull(builder.strategy, "strategy");
        this.allocator = checkNotNull(builder.allocator, "allocator");
        this.joinPolicy = checkNotNull(builder.joinPolicy, "joinPolicy");
        this.subflows = inRange("subflows", builder.subflows, 1, 64);
        this.agentSubflows = checkNotNull(builder.agentSubflows, "agentSubflows");
        this.announceSeconds = inRange("announceSeconds", builder.announceSeconds, 0, 60);
        this.pathLabels = checkNotNull(builder.pathLabels, "pathLabels");
        this.disjoint = builder.disjoint;
        this.maxDelayMillis = inRange("maxDelayMillis", builder.maxDelayMillis, 0, MOST_DELAY_MILLIS);
        this.maxDelaySpreadMillis =
                inRange("maxDelaySpreadMillis", builder.maxDelaySpreadMillis, 0, MOST_DELAY_MILLIS);
        this.idleSeconds = inRange("idleSeconds", builder.idleSeconds, 1, 86_400);
        this.retentionSeconds = inRange("retentionSeconds", builder.retentionSeconds, 1, 7 * 86_400);
        this.plainIdleSeconds = inRange("plainIdleSeconds", builder.plainIdleSeconds, 1, 65_535);
        this.mostSubflows = inRange("mostSubflows", builder.mostSubflows, 1, 64);
        this.reoptimisePercent = inRange("reoptimisePercent", builder.reoptimisePercent, 1, 1000);
        this.backgroundPlan = inRange("backgroundPlan", builder.backgroundPlan, 0, 128);
        this.manageAfterMillis = inRange("manageAfterMillis", builder.manageAfterMillis, 0, 3_600_000);
        this.manageAfterBytes = inRange("manageAfterBytes", builder.manageAfterBytes, 0, 1_000_000_000);
        this.mostConnections = inRange("mostConnections", builder.mostConnections, 1, 100_000);
        this.mostConnectionsPerHost = inRange("mostConnectionsPerHost", builder.mostConnectionsPerHost, 1, 100_000);
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
     * Returns the number of subflows that a connection is expected to open; that many disjoint paths are chosen together.
     * Further subflows get a disjoint path if one remains.
     */
    public int subflows() {
        return subflows;
    }

    /** Returns the treatment of an MP_JOIN without a remaining disjoint path. */
    public JoinPolicy joinPolicy() {
        return joinPolicy;
    }

    /** Returns the idle time in seconds, after which a connection loses its rules and reservations. */
    public int idleSeconds() {
        return idleSeconds;
    }

    /** Returns the time in seconds for which an idle connection is remembered. */
    public int retentionSeconds() {
        return retentionSeconds;
    }

    /** Returns the idle time-out of the rules of plain TCP, in seconds. */
    public int plainIdleSeconds() {
        return plainIdleSeconds;
    }

    /** Returns the limit of managed subflows of a connection; further MP_JOINs get plain forwarding. */
    public int mostSubflows() {
        return mostSubflows;
    }

    /**
     * Returns the least gain of a move to other paths, in per cent of the connection's rate on its present paths at
     * unlimited demand. It holds after the network has gained bandwidth (a link has come back, a capacity has grown) or new
     * demands have become known. A subflow without a path moves regardless.
     */
    public int reoptimisePercent() {
        return reoptimisePercent;
    }

    /**
     * Returns for how many connections on the network paths are planned together at most; 0 switches that off. The work grows
     * with the square of the number.
     */
    public int backgroundPlan() {
        return backgroundPlan;
    }

    /**
     * Returns the age in milliseconds from which a connection is managed; 0 to manage every connection at once. A younger
     * connection is managed once it has sent {@link #manageAfterBytes()}. Until then it has no rules of its own.
     */
    public int manageAfterMillis() {
        return manageAfterMillis;
    }

    /**
     * Returns the octets, both directions together, from which a connection is managed at any age; 0 to manage every
     * connection at once.
     */
    public int manageAfterBytes() {
        return manageAfterBytes;
    }

    /** Returns the limit of managed connections; further ones get plain forwarding. */
    public int mostConnections() {
        return mostConnections;
    }

    /** Returns the limit of managed connections that one address has opened; further ones get plain forwarding. */
    public int mostConnectionsPerHost() {
        return mostConnectionsPerHost;
    }

    /** Returns which subflows hosts' agents open. */
    public AgentSubflows agentSubflows() {
        return agentSubflows;
    }

    /** Returns every how many seconds hosts whose agents are silent get their expected throughputs in segments; 0 for never. */
    public int announceSeconds() {
        return announceSeconds;
    }

    /** Returns when subflows on the same path share its rules. */
    public PathLabels pathLabels() {
        return pathLabels;
    }

    /** Returns the terms of a connection that begins without a policy. */
    public Terms terms() {
        return Policy.STANDARD.terms(this);
    }

    /** Returns in which way paths are disjoint, where the strategy has the choice: {@code link}, {@code node}, {@code srlg}. */
    public Optional<String> disjoint() {
        return Optional.ofNullable(disjoint);
    }

    /** Returns the longest delay of a path in milliseconds; 0 for no limit. */
    public int maxDelayMillis() {
        return maxDelayMillis;
    }

    /** Returns the largest difference of delays between two paths of a connection in milliseconds; 0 for no limit. */
    public int maxDelaySpreadMillis() {
        return maxDelaySpreadMillis;
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
                && reoptimisePercent == that.reoptimisePercent
                && backgroundPlan == that.backgroundPlan
                && manageAfterMillis == that.manageAfterMillis
                && manageAfterBytes == that.manageAfterBytes
                && mostConnections == that.mostConnections
                && mostConnectionsPerHost == that.mostConnectionsPerHost
                && agentSubflows == that.agentSubflows
                && announceSeconds == that.announceSeconds
                && pathLabels == that.pathLabels
                && Objects.equals(disjoint, that.disjoint)
                && maxDelayMillis == that.maxDelayMillis
                && maxDelaySpreadMillis == that.maxDelaySpreadMillis;
    }

    @Override
    public int hashCode() {
        return Objects.hash(strategy, allocator, subflows, joinPolicy, idleSeconds, retentionSeconds,
                            plainIdleSeconds, mostSubflows, reoptimisePercent, backgroundPlan, manageAfterMillis,
                            manageAfterBytes, mostConnections, mostConnectionsPerHost, agentSubflows, announceSeconds, pathLabels,
                            disjoint, maxDelayMillis, maxDelaySpreadMillis);
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
        private int backgroundPlan = 24;
        private int manageAfterMillis = 3000;
        private int manageAfterBytes = 100_000;
        private int mostConnections = 5000;
        private int mostConnectionsPerHost = 1000;
        private AgentSubflows agentSubflows = AgentSubflows.ALL;
        private int announceSeconds;
        private PathLabels pathLabels = PathLabels.AUTO;
        private String disjoint;
        private int maxDelayMillis;
        private int maxDelaySpreadMillis = PathLimits.DEFAULT_SPREAD_MILLIS;

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

        /** Sets the number of subflows that a connection is expected to open, 1 to 64. */
        public Builder subflows(int value) {
            this.subflows = value;
            return this;
        }

        /** Sets the treatment of an MP_JOIN without a remaining disjoint path; not null. */
        public Builder joinPolicy(JoinPolicy value) {
            this.joinPolicy = value;
            return this;
        }

        /** Sets the idle time in seconds, 1 to 86400. */
        public Builder idleSeconds(int value) {
            this.idleSeconds = value;
            return this;
        }

        /** Sets the time in seconds for which an idle connection is remembered, 1 to 604800. */
        public Builder retentionSeconds(int value) {
            this.retentionSeconds = value;
            return this;
        }

        /** Sets the idle time-out of plain TCP's rules in seconds, 1 to 65535 (OpenFlow's limit). */
        public Builder plainIdleSeconds(int value) {
            this.plainIdleSeconds = value;
            return this;
        }

        /** Sets the limit of managed subflows of a connection, 1 to 64. */
        public Builder mostSubflows(int value) {
            this.mostSubflows = value;
            return this;
        }

        /** Sets the least gain in per cent of a move to other paths, 1 to 1000. */
        public Builder reoptimisePercent(int value) {
            this.reoptimisePercent = value;
            return this;
        }

        /** Sets for how many connections paths are planned together at most, 0 to 128; 0 switches that off. */
        public Builder backgroundPlan(int value) {
            this.backgroundPlan = value;
            return this;
        }

        /** Sets the age in milliseconds from which a connection is managed, 0 to 3600000. */
        public Builder manageAfterMillis(int value) {
            this.manageAfterMillis = value;
            return this;
        }

        /** Sets the octets from which a connection is managed at any age, 0 to 1000000000. */
        public Builder manageAfterBytes(int value) {
            this.manageAfterBytes = value;
            return this;
        }

        /** Sets the limit of managed connections, 1 to 100000. */
        public Builder mostConnections(int value) {
            this.mostConnections = value;
            return this;
        }

        /** Sets the limit of managed connections that one address has opened, 1 to 100000. */
        public Builder mostConnectionsPerHost(int value) {
            this.mostConnectionsPerHost = value;
            return this;
        }

        /** Sets which subflows hosts' agents open; not null. */
        public Builder agentSubflows(AgentSubflows value) {
            this.agentSubflows = value;
            return this;
        }

        /** Sets every how many seconds hosts whose agents are silent get their expected throughputs in segments, 0 to 60. */
        public Builder announceSeconds(int value) {
            this.announceSeconds = value;
            return this;
        }

        /** Sets when subflows on the same path share its rules; not null. */
        public Builder pathLabels(PathLabels value) {
            this.pathLabels = value;
            return this;
        }

        /** Sets in which way a connection's paths are disjoint; null for the strategy's own choice. */
        public Builder disjoint(String value) {
            this.disjoint = value;
            return this;
        }

        /** Sets the longest delay of a path in milliseconds, 0 to 86400000; 0 for no limit. */
        public Builder maxDelayMillis(int value) {
            this.maxDelayMillis = value;
            return this;
        }

        /** Sets the largest difference of delays between two paths of a connection, as {@link #maxDelayMillis}. */
        public Builder maxDelaySpreadMillis(int value) {
            this.maxDelaySpreadMillis = value;
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
