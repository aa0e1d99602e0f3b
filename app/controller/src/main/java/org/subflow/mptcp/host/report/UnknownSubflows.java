// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Subflows that clients report as part of a known connection, while the controller does not know them. This happens when the
 * controller gave a requested subflow up although its MP_JOIN had arrived. It also happens when a switch was without a
 * controller during a handshake (RFC 8684, section 3.2).
 *
 * <p>A subflow that has just begun or ended is unknown for a moment. So one counts only after it was reported for three
 * seconds. Thread-safe.
 */
public final class UnknownSubflows {
    /** So long a subflow must have been reported. */
    static final long WAIT_MILLIS = 3000;
    /** So long after one was taken it is not due again. */
    static final long PAUSE_MILLIS = 60_000;
    /** So long after the last report of a connection it is forgotten. */
    private static final long SILENT_MILLIS = 10_000;

    private final Map<ConnectionId, Reported> reported = new HashMap<>();

    /** What a client has reported of a connection. */
    private static final class Reported {
        private final Map<FiveTuple, Long> dueMillis = new HashMap<>();
        private long millis;
    }

    /**
     * Notes the latest report of a connection.
     *
     * @param unknown   the subflows in it that the controller does not know, with the client as the source
     * @param nowMillis milliseconds of a clock without steps
     * @return whether {@link #take} would return something
     */
    public synchronized boolean note(ConnectionId id, Set<FiveTuple> unknown, long nowMillis) {
        if (unknown.isEmpty()) {
            reported.remove(id);
            return false;
        }
        Reported of = reported.computeIfAbsent(id, unused -> new Reported());
        of.millis = nowMillis;
        of.dueMillis.keySet().retainAll(unknown);
        unknown.forEach(tuple -> of.dueMillis.putIfAbsent(tuple, nowMillis + WAIT_MILLIS));
        return of.dueMillis.values().stream().anyMatch(due -> due <= nowMillis);
    }

    /** Returns the subflows that are due, by connection. They are not due again for a minute. */
    public synchronized Map<ConnectionId, Set<FiveTuple>> take(long nowMillis) {
        Map<ConnectionId, Set<FiveTuple>> taken = new HashMap<>();
        reported.forEach((id, of) -> of.dueMillis.replaceAll((tuple, due) -> {
            if (due > nowMillis) {
                return due;
            }
            taken.computeIfAbsent(id, unused -> new HashSet<>()).add(tuple);
            return nowMillis + PAUSE_MILLIS;
        }));
        return taken;
    }

    /** Forgets connections of which there are no reports any more. */
    public synchronized void expire(long nowMillis) {
        reported.values().removeIf(of -> nowMillis - of.millis >= SILENT_MILLIS);
    }
}
