// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

import org.subflow.mptcp.path.PathLimits;

/** Names and defaults of the component properties. */
final class OsgiPropertyConstants {
    /** Path strategy for connections that begin from now on. */
    static final String STRATEGY = "strategy";
    static final String STRATEGY_DEFAULT = "widest-disjoint";

    /** Allocator of expected throughputs. */
    static final String ALLOCATOR = "allocator";
    static final String ALLOCATOR_DEFAULT = "max-min";

    /** Number of subflows that a connection is expected to open; that many disjoint paths are chosen together. */
    static final String SUBFLOWS = "subflows";
    static final int SUBFLOWS_DEFAULT = 3;

    /** Treatment of an MP_JOIN without a remaining disjoint path: share, backup or block. */
    static final String JOIN_POLICY = "joinPolicy";
    static final String JOIN_POLICY_DEFAULT = "share";

    /** Idle time in seconds, after which a connection loses its rules and reservations. */
    static final String IDLE_SECONDS = "idleSeconds";
    static final int IDLE_SECONDS_DEFAULT = 30;

    /** Time in seconds for which an idle connection is remembered. */
    static final String RETENTION_SECONDS = "retentionSeconds";
    static final int RETENTION_SECONDS_DEFAULT = 3600;

    /** Idle time-out in seconds of the rules of plain TCP. */
    static final String PLAIN_IDLE_SECONDS = "plainIdleSeconds";
    static final int PLAIN_IDLE_SECONDS_DEFAULT = 10;

    /** Limit of managed subflows of a connection; further MP_JOINs get plain forwarding. */
    static final String MOST_SUBFLOWS = "mostSubflows";
    static final int MOST_SUBFLOWS_DEFAULT = 64;

    /** Least gain in per cent of a move to other paths, after the network has gained bandwidth. */
    static final String REOPTIMISE_PERCENT = "reoptimisePercent";
    static final int REOPTIMISE_PERCENT_DEFAULT = 10;

    /** For how many connections paths are planned together at most; 0 switches that off. */
    static final String BACKGROUND_PLAN = "backgroundPlan";
    static final int BACKGROUND_PLAN_DEFAULT = 24;

    /** Age in milliseconds from which a connection is managed; 0 to manage every connection at once. */
    static final String MANAGE_AFTER_MILLIS = "manageAfterMillis";
    static final int MANAGE_AFTER_MILLIS_DEFAULT = 3000;

    /** Octets, both directions together, from which a connection is managed at any age; 0 to manage every one at once. */
    static final String MANAGE_AFTER_BYTES = "manageAfterBytes";
    static final int MANAGE_AFTER_BYTES_DEFAULT = 100_000;

    /** Limit of managed connections; further ones get plain forwarding. */
    static final String MOST_CONNECTIONS = "mostConnections";
    static final int MOST_CONNECTIONS_DEFAULT = 5000;

    /** Limit of managed connections that one address has opened; further ones get plain forwarding. */
    static final String MOST_CONNECTIONS_PER_HOST = "mostConnectionsPerHost";
    static final int MOST_CONNECTIONS_PER_HOST_DEFAULT = 1000;

    /** Which subflows hosts' agents open: all, needed or off. */
    static final String AGENT_SUBFLOWS = "agentSubflows";
    static final String AGENT_SUBFLOWS_DEFAULT = "all";

    static final String ANNOUNCE_SECONDS = "announceSeconds";
    static final int ANNOUNCE_SECONDS_DEFAULT = 0;

    /** When subflows on the same path share its rules, by a label in the destination MAC address: auto, on or off. */
    static final String PATH_LABELS = "pathLabels";
    static final String PATH_LABELS_DEFAULT = "auto";

    /** In which way a connection's paths are disjoint, where its strategy has the choice: auto, link, node or srlg. */
    static final String DISJOINT = "disjoint";
    static final String DISJOINT_DEFAULT = "auto";

    /** The longest delay of a path in milliseconds; 0 for no limit. */
    static final String MAX_DELAY_MILLIS = "maxDelayMillis";
    static final int MAX_DELAY_MILLIS_DEFAULT = 0;

    /** The largest difference of delays between two paths of a connection in milliseconds; 0 for no limit. */
    static final String MAX_DELAY_SPREAD_MILLIS = "maxDelaySpreadMillis";
    static final int MAX_DELAY_SPREAD_MILLIS_DEFAULT = PathLimits.DEFAULT_SPREAD_MILLIS;

    private OsgiPropertyConstants() {
    }
}
