// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.Optional;
import org.onosproject.event.AbstractEvent;

/** An event of a connection; the subject is the connection after the event. */
public final class ConnectionEvent extends AbstractEvent<ConnectionEvent.Type, Connection> {
    /** What happened. */
    public enum Type {
        /** A connection was seen and submitted. Its first expected throughputs may follow with {@link #SHARES_CHANGED}. */
        OPENED,
        /** It is added before its handshake, and submitted. It may end without {@link #OPENED}. */
        AWAITED,
        /** A subflow joined: it got a path, became a backup, or was blocked. */
        SUBFLOW_JOINED,
        /** Its rules are in the switches. */
        INSTALLED,
        /** Subflows sent nothing while their siblings sent: their rules and shares are withdrawn. */
        SUBFLOW_IDLE,
        /** Subflows moved to other paths, lost their paths, or have paths again. */
        REROUTED,
        /** Expected throughputs changed. Changes of a connection that come close together are one event, with the newest. */
        SHARES_CHANGED,
        /**
         * The attainable rate ζ, available or fair, changed noticeably; {@link MptcpService#attainableRate} returns it. Changes
         * of a connection that come close together are one event.
         */
        ATTAINABLE_RATE_CHANGED,
        /** No path joins its hosts. */
        DOWN,
        /** It sent nothing for the idle time: rules and reservations are withdrawn. */
        IDLE,
        /** Its age alone had earned its paths, and it sends little: rules and reservations are withdrawn until it sends more. */
        DEMOTED,
        /** It is forgotten. */
        CLOSED
    }

    /** Why a connection was closed, or its subflows were rerouted. */
    public enum Cause {
        /** FIN or RST of all its subflows was seen. */
        ENDED("its hosts have ended it"),
        /** A host's agent has told of its end. */
        REPORTED("an agent has told that it has ended"),
        /** It sent nothing for the idle time, and ends of such connections are not all seen. */
        SILENT("no packet for the idle time; where many connections end, not all ends are seen"),
        /** It sent nothing for as long as connections are remembered, or was the longest idle one of too many. */
        FORGOTTEN("idle for longer than connections are remembered"),
        /** Another connection, or another subflow, has its addresses and ports. */
        REPLACED("its addresses and ports were used for another"),
        /** It was added before its handshake, and an operator has removed it or it has not begun in time. */
        REMOVED("it has not begun before its time was over, or an operator has removed it"),
        /** Its rules were refused again and again. */
        REFUSED("its rules could not be installed, even when they were tried again"),
        /** A switch had no room for further rules, and it had least traffic. */
        NO_ROOM("a switch was full, and it sent less than others"),
        /** A link, switch or port of a path is gone, or paths have come back. */
        NETWORK("links or switches have gone or come back"),
        /** A host has another attachment point. */
        HOST("a host has moved"),
        /** The re-optimisation has found better paths. */
        BETTER("the new path is better");

        private final String text;

        Cause(String text) {
            this.text = text;
        }

        /** Returns the cause in words. */
        @Override
        public String toString() {
            return text;
        }
    }

    private final Cause cause;

    /**
     * Makes an event.
     *
     * @param type    what happened
     * @param subject the connection afterwards
     * @param cause   why; null if there is nothing to say beyond the type
     */
    public ConnectionEvent(Type type, Connection subject, Cause cause) {
        super(type, subject);
        this.cause = cause;
    }

    /** Makes an event of which the type says all. */
    public ConnectionEvent(Type type, Connection subject) {
        this(type, subject, null);
    }

    /** Returns why it happened; empty if there is nothing to say beyond the type. */
    public Optional<Cause> cause() {
        return Optional.ofNullable(cause);
    }
}
