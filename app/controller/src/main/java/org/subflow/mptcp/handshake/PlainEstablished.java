// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.FiveTuple;

/** A plain TCP connection is established, or one that is none of our MPTCP connections. Immutable. */
public final class PlainEstablished extends HandshakeEvent {
    /** Why a connection is plain. */
    public enum Cause {
        /** The SYN had no usable MPTCP option. */
        NOT_OFFERED,
        /** The listener answered without the option that fits. */
        REFUSED,
        /** The option vanished after the SYN/ACK. */
        LOST,
        /** An MP_JOIN whose token belongs to no connection that is known. */
        UNKNOWN_TOKEN,
        /** An MP_JOIN whose listener does not know the keys of the connection with that token. */
        BAD_HMAC,
        /** An MP_JOIN whose keyed hash was not checked: the port of its SYN has had its HMACs of this second. */
        UNCHECKED,
        /** Both hosts sent a SYN (RFC 9293 section 3.5, simultaneous open). */
        SIMULTANEOUS_OPEN
    }

    /** Why the connection is plain. */
    public final Cause cause;

    PlainEstablished(FiveTuple fiveTuple, InitialNumbers numbers, Cause cause) {
        super(fiveTuple, numbers);
        this.cause = checkNotNull(cause, "cause");
    }

    /** Returns whether the handshake began with an MPTCP option. */
    public boolean fallback() {
        return cause != Cause.NOT_OFFERED && cause != Cause.SIMULTANEOUS_OPEN;
    }

    @Override
    public void tell(Listener listener) {
        listener.plainEstablished(this);
    }

    @Override
    public String toString() {
        return "plain " + fiveTuple + " " + cause;
    }
}
