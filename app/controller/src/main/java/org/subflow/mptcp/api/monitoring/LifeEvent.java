// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Locale;
import java.util.Optional;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;

/** An event in the life of a connection, in words. Immutable. */
public final class LifeEvent {
    /** What kind of thing happened. */
    public enum Kind {
        /** The connection was seen for the first time. */
        OPENED,
        /** A packet of an idle connection or subflow came; it has rules again. */
        WOKEN,
        /** A subflow joined and got a path. */
        JOINED,
        /** A subflow is a backup: it shares its path with a sibling and has an expected throughput of 0. */
        PARKED,
        /** A subflow's MP_JOIN is dropped. */
        BLOCKED,
        /** A subflow moved to another path. */
        MOVED,
        /** A subflow lost its path, and there is no other. */
        LOST,
        /** A subflow without a path has one again. */
        RESTORED,
        /** A subflow is no longer part of the connection. */
        LEFT,
        /** The connection's expected throughput changed. */
        SHARE,
        /** The rules are in the switches. */
        INSTALLED,
        /** No path joins the connection's hosts. */
        DOWN,
        /** The connection sent nothing for the idle time, or one of its subflows did while others sent. */
        IDLE,
        /** The connection sends too little for paths of its own. */
        DEMOTED,
        /** The connection is forgotten. */
        CLOSED;

        /** Returns the kind as it is written in JSON. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final long millis;
    private final ConnectionId connection;
    private final Kind kind;
    private final FiveTuple subflow;
    private final String text;
    private final String why;

    /**
     * Makes an event.
     *
     * @param millis     time of the event, milliseconds of the Unix epoch
     * @param connection the connection; not null
     * @param kind       what kind of thing happened; not null
     * @param subflow    the subflow; null if the event concerns the whole connection
     * @param text       what happened, in words; not null
     * @param why        the reason, in words; null if it is unknown or obvious
     */
    public LifeEvent(long millis, ConnectionId connection, Kind kind, FiveTuple subflow, String text, String why) {
        this.millis = millis;
        this.connection = checkNotNull(connection, "connection");
        this.kind = checkNotNull(kind, "kind");
        this.subflow = subflow;
        this.text = checkNotNull(text, "text");
        this.why = why;
    }

    /** Returns when it happened, milliseconds of the Unix epoch. */
    public long millis() {
        return millis;
    }

    /** Returns the connection. */
    public ConnectionId connection() {
        return connection;
    }

    /** Returns what kind of thing happened. */
    public Kind kind() {
        return kind;
    }

    /** Returns the subflow; empty if the event concerns the whole connection. */
    public Optional<FiveTuple> subflow() {
        return Optional.ofNullable(subflow);
    }

    /** Returns what happened, in words. */
    public String text() {
        return text;
    }

    /** Returns the reason, in words. */
    public Optional<String> why() {
        return Optional.ofNullable(why);
    }

    @Override
    public String toString() {
        return kind + (subflow == null ? "" : " " + subflow) + ": " + text + (why == null ? "" : " (" + why + ")");
    }
}
