// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

/**
 * The state of a connection in its life cycle.
 *
 * <pre>
 *   handshake ──▶ PENDING ──installed──▶ ACTIVE ──counters stand still──▶ IDLE ──retention over──▶ forgotten
 *                  │  ▲                   │  ▲                             │
 *           no path│  │path          no path│ │path                 a packet│
 *                  ▼  │                   ▼  │                             ▼
 *                  DOWN ◀────────────── DOWN                            PENDING
 * </pre>
 */
public enum ConnectionState {
    /** Its intent is submitted; the switches have not confirmed it. */
    PENDING,
    /** Its rules are in the switches and its bandwidth is reserved. */
    ACTIVE,
    /**
     * It has sent no packet for the idle time, or too little for paths of its own: no rules, no reservations, but its tokens
     * are remembered.
     */
    IDLE,
    /** No path joins its hosts: it has no intent until a path is back. */
    DOWN
}
