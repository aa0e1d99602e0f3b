// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.config;

/** Names and defaults of the component properties. */
final class OsgiPropertyConstants {
    /** Path strategy for connections that begin from now on. */
    static final String STRATEGY = "strategy";
    static final String STRATEGY_DEFAULT = "widest-disjoint";

    /** Allocator of expected throughputs. */
    static final String ALLOCATOR = "allocator";
    static final String ALLOCATOR_DEFAULT = "max-min";

    /** How many subflows a connection is expected to open: so many disjoint paths are chosen together. */
    static final String SUBFLOWS = "subflows";
    static final int SUBFLOWS_DEFAULT = 3;

    /** What is done with an MP_JOIN for which no disjoint path is left: share, backup or block. */
    static final String JOIN_POLICY = "joinPolicy";
    static final String JOIN_POLICY_DEFAULT = "share";

    /** After how many seconds without a packet a connection's rules and reservations go. */
    static final String IDLE_SECONDS = "idleSeconds";
    static final int IDLE_SECONDS_DEFAULT = 30;

    /** For how many seconds an idle connection is remembered. */
    static final String RETENTION_SECONDS = "retentionSeconds";
    static final int RETENTION_SECONDS_DEFAULT = 3600;

    /** Idle time-out in seconds of the rules of plain TCP. */
    static final String PLAIN_IDLE_SECONDS = "plainIdleSeconds";
    static final int PLAIN_IDLE_SECONDS_DEFAULT = 10;

    /** How many subflows of a connection are managed at most; MP_JOINs beyond are left to plain forwarding. */
    static final String MOST_SUBFLOWS = "mostSubflows";
    static final int MOST_SUBFLOWS_DEFAULT = 64;

    /** By how many per cent a move to other paths must gain, when the network has more to offer than it had. */
    static final String REOPTIMISE_PERCENT = "reoptimisePercent";
    static final int REOPTIMISE_PERCENT_DEFAULT = 10;

    private OsgiPropertyConstants() {
    }
}
