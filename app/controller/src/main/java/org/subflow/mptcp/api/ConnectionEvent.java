// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

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
        GIVEN_BACK,
        /** It is forgotten. */
        CLOSED
    }

    /**
     * Makes an event.
     *
     * @param type    what happened
     * @param subject the connection afterwards
     */
    public ConnectionEvent(Type type, Connection subject) {
        super(type, subject);
    }
}
