// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.policy;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.share.Allocators;

/**
 * The run-time settings: a usable value for each. Immutable; made from {@link #DEFAULTS}. A new setting is one constant here, and
 * a place in {@link #ALL}.
 */
public final class Settings {
    /** The value of {@link #DISJOINT} that leaves the choice to the strategy. */
    public static final String AUTO = "auto";

    /** The path strategy. */
    public static final Setting<String> STRATEGY = Setting.choice(
            "strategy", "widest-disjoint", PathStrategies.names(), "Path strategy for connections that begin from now on");
    /** The allocator. */
    public static final Setting<String> ALLOCATOR = Setting.choice(
            "allocator", "max-min", Allocators.names(), "Allocator of expected throughputs");
    /** Further subflows get a disjoint path if one remains. */
    public static final Setting<Integer> SUBFLOWS = Setting.number(
            "subflows", 3, 1, 64,
            "How many subflows a connection is expected to open: so many disjoint paths are chosen together");
    /** The treatment of an MP_JOIN without a remaining disjoint path. */
    public static final Setting<JoinPolicy> JOIN_POLICY = Setting.choice(
            "joinPolicy", JoinPolicy.SHARE, List.of(JoinPolicy.values()),
            "What is done with an MP_JOIN for which no disjoint path is left");
    /** Idle time of connections. */
    public static final Setting<Integer> IDLE_SECONDS = Setting.number(
            "idleSeconds", 30, 1, 86_400, "After how many seconds without a packet a connection's rules and reservations go");
    /** The memory of connections. */
    public static final Setting<Integer> RETENTION_SECONDS = Setting.number(
            "retentionSeconds", 3600, 1, 7 * 86_400, "For how many seconds an idle or ended connection is remembered");
    /** The most is OpenFlow's limit. */
    public static final Setting<Integer> PLAIN_IDLE_SECONDS = Setting.number(
            "plainIdleSeconds", 10, 1, 65_535, "Idle time-out in seconds of the rules of plain TCP");
    /** Limit of one connection. */
    public static final Setting<Integer> MOST_SUBFLOWS = Setting.number(
            "mostSubflows", 64, 1, 64,
            "How many subflows of a connection are managed at most; MP_JOINs beyond are left to plain forwarding");
    /**
     * In per cent of the connection's rate on its present paths at unlimited demand. It holds after the network has gained
     * bandwidth (a link has come back, a capacity has grown) or new demands have become known. A subflow without a path moves
     * regardless.
     */
    public static final Setting<Integer> REOPTIMISE_PERCENT = Setting.number(
            "reoptimisePercent", 10, 1, 1000, "By how many per cent a move to other paths must gain");
    /** The work grows with the square of the number. */
    public static final Setting<Integer> BACKGROUND_PLAN = Setting.number(
            "backgroundPlan", 24, 0, 128, "For how many connections paths are planned together at most; 0 switches that off");
    /** A younger connection is managed once it has sent {@link #MANAGE_AFTER_BYTES}. Until then it has no rules of its own. */
    public static final Setting<Integer> MANAGE_AFTER_MILLIS = Setting.number(
            "manageAfterMillis", 3000, 0, 3_600_000,
            "Age in milliseconds from which a connection is managed; 0 to manage every connection at once");
    /** See {@link #MANAGE_AFTER_MILLIS}. */
    public static final Setting<Integer> MANAGE_AFTER_BYTES = Setting.number(
            "manageAfterBytes", 100_000, 0, 1_000_000_000,
            "Octets, both directions together, from which a connection is managed at any age; 0 to manage every one at once");
    /** Limit of all. */
    public static final Setting<Integer> MOST_CONNECTIONS = Setting.number(
            "mostConnections", 5000, 1, 100_000,
            "How many connections are managed at most; further ones are left to plain forwarding");
    /** Limit of one client. */
    public static final Setting<Integer> MOST_CONNECTIONS_PER_HOST = Setting.number(
            "mostConnectionsPerHost", 1000, 1, 100_000,
            "How many connections that one client has opened are managed at most: a MAC address at a port, whatever IP addresses it "
                    + "has; further ones are left to plain forwarding");
    /** The word to hosts' agents. */
    public static final Setting<AgentSubflows> AGENT_SUBFLOWS = Setting.choice(
            "agentSubflows", AgentSubflows.ALL, List.of(AgentSubflows.values()),
            "Which subflows hosts' agents open: all that have a disjoint path, those that are needed, or off for none");
    /** For hosts without agents. */
    public static final Setting<Integer> ANNOUNCE_SECONDS = Setting.number(
            "announceSeconds", 0, 0, 60,
            "Every how many seconds hosts whose agents are silent are told expected throughputs by MP_ET in segments; 0 for never");
    /** The form of rules. */
    public static final Setting<PathLabels> PATH_LABELS = Setting.choice(
            "pathLabels", PathLabels.AUTO, List.of(PathLabels.values()),
            "When subflows on the same path share its rules, by a label in the destination MAC address: auto for where there are"
                    + " many connections");
    /** {@link #AUTO} is the strategy's own. */
    public static final Setting<String> DISJOINT = Setting.choice(
            "disjoint", AUTO, List.of(AUTO, Disjointness.LINK.toString(), Disjointness.NODE.toString(),
                                               Disjointness.SRLG.toString()),
            "In which way a connection's paths are disjoint, where its strategy has the choice: srlg by shared-risk link groups;"
                    + " auto for the strategy's own");
    /** Limit of one path. */
    public static final Setting<Integer> MAX_DELAY_MILLIS = Setting.number(
            "maxDelayMillis", 0, 0, 86_400_000, "The longest delay of a path in milliseconds; 0 for no limit");
    /** Limit of two paths of a connection. */
    public static final Setting<Integer> MAX_DELAY_SPREAD_MILLIS = Setting.number(
            "maxDelaySpreadMillis", PathLimits.DEFAULT_SPREAD_MILLIS, 0, 86_400_000,
            "The largest difference of delays between two paths of a connection in milliseconds; 0 for no limit");

    /** All settings, as users see them. */
    public static final List<Setting<?>> ALL = List.of(
            STRATEGY, ALLOCATOR, SUBFLOWS, JOIN_POLICY, IDLE_SECONDS, RETENTION_SECONDS, PLAIN_IDLE_SECONDS, MOST_SUBFLOWS,
            REOPTIMISE_PERCENT, BACKGROUND_PLAN, MANAGE_AFTER_MILLIS, MANAGE_AFTER_BYTES, MOST_CONNECTIONS,
            MOST_CONNECTIONS_PER_HOST, AGENT_SUBFLOWS, ANNOUNCE_SECONDS, PATH_LABELS, DISJOINT, MAX_DELAY_MILLIS,
            MAX_DELAY_SPREAD_MILLIS);

    /** Every setting with its default. */
    public static final Settings DEFAULTS = new Settings(ALL.stream().collect(
            ImmutableMap.toImmutableMap(setting -> setting, Setting::standard)));

    private final ImmutableMap<Setting<?>, Object> values;

    private Settings(ImmutableMap<Setting<?>, Object> values) {
        this.values = values;
    }

    /**
     * Finds a setting.
     *
     * @param name its name; not null
     * @throws IllegalArgumentException if there is none of that name; the message lists all
     */
    public static Setting<?> named(String name) {
        return ALL.stream().filter(setting -> setting.name().equals(name)).findFirst().orElseThrow(
                () -> new IllegalArgumentException("no setting '" + name + "'; there are " + Joiner.on(", ").join(ALL)));
    }

    /** Returns the value of a setting. */
    @SuppressWarnings("unchecked") // "with" puts nothing else there
    public <T> T get(Setting<T> setting) {
        return (T) values.get(setting);
    }

    /**
     * Returns these settings with another value of one.
     *
     * @param setting which one; not null
     * @param value   its value; not null
     * @return the settings
     * @throws IllegalArgumentException if it does not take the value; the message names those that it takes
     */
    public <T> Settings with(Setting<T> setting, T value) {
        return read(setting, value.toString());
    }

    /** Returns these settings with the values of a policy, which has checked them. */
    Settings with(Map<Setting<?>, Object> others) {
        Map<Setting<?>, Object> changed = new LinkedHashMap<>(values);
        changed.putAll(others);
        return new Settings(ImmutableMap.copyOf(changed));
    }

    /**
     * Returns these settings with a value that a user has typed.
     *
     * @param setting which one; not null
     * @param text    its value; not null
     * @return the settings
     * @throws IllegalArgumentException if it does not take the value; the message names those that it takes
     */
    public <T> Settings read(Setting<T> setting, String text) {
        try {
            return with(Map.of(setting, setting.parse(text)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + " = " + e.getMessage(), e);
        }
    }

    /** Returns the terms of a connection that begins without a policy. */
    public Terms terms() {
        return Policy.STANDARD.terms(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Settings && values.equals(((Settings) other).values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Returns each setting with its value. */
    @Override
    public String toString() {
        return Joiner.on(", ").withKeyValueSeparator(" ").join(values);
    }
}
