// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.token.ConnectionKeys;

/** An MPTCP connection is established, with its first subflow. Immutable. */
public final class CapableEstablished extends HandshakeEvent {
    /** Keys and tokens; the initiator's are missing if its first segments did not come to the controller. */
    public final ConnectionKeys keys;
    /** Whether the listener wants no further subflows to this address and port (v1 flag C). */
    public final boolean listenerDeniesJoins;
    private final boolean complete;

    CapableEstablished(FiveTuple fiveTuple, InitialNumbers numbers, ConnectionKeys keys, boolean listenerDeniesJoins,
                       boolean complete) {
        super(fiveTuple, numbers);
        this.keys = checkNotNull(keys, "keys");
        this.listenerDeniesJoins = listenerDeniesJoins;
        this.complete = complete;
    }

    /**
     * Returns whether a segment was seen that follows the SYN/ACK. If not, the third segment of the handshake may still be on its
     * way. Data must not overtake it, or the hosts fall back to plain TCP (RFC 8684, section 3.7).
     */
    public boolean isComplete() {
        return complete;
    }

    /** Returns the plain TCP connection that this one is, because a later segment shows that its third ACK had no MP_CAPABLE. */
    public PlainEstablished fellBack() {
        return new PlainEstablished(fiveTuple, numbers, PlainEstablished.Cause.LOST);
    }

    @Override
    public void tell(Listener listener) {
        listener.capableEstablished(this);
    }

    @Override
    public String toString() {
        return "MP_CAPABLE " + fiveTuple + " " + keys;
    }
}
