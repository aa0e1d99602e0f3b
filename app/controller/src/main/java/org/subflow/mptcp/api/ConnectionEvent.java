// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import org.onosproject.event.AbstractEvent;

/** Something that happened to a connection; the subject is the connection as it was afterwards. */
public final class ConnectionEvent extends AbstractEvent<ConnectionEvent.Type, Connection> {
    /** What happened. */
    public enum Type {
        /** A connection was seen and submitted. */
        OPENED,
        /** A subflow joined, or was parked or blocked. */
        SUBFLOW_JOINED,
        /** Its rules are in the switches. */
        INSTALLED,
        /** Subflows stood still while their siblings ran: their rules and shares are taken back. */
        SUBFLOW_IDLE,
        /** Subflows were moved to other paths, lost theirs, or have one again. */
        REROUTED,
        /** Expected throughputs changed. */
        SHARES_CHANGED,
        /** ζ, available or fair, changed noticeably; {@link MptcpService#attainableRate} has it. */
        ATTAINABLE_RATE_CHANGED,
        /** No path joins its hosts. */
        DOWN,
        /** It stood still for the idle time: rules and reservations are withdrawn. */
        IDLE,
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
