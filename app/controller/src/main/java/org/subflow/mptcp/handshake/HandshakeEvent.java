// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import org.subflow.mptcp.api.FiveTuple;

/**
 * A handshake is complete. Immutable; one of {@link PlainEstablished}, {@link CapableEstablished} and
 * {@link JoinEstablished}.
 */
public abstract class HandshakeEvent {
    /** Addresses and ports of the subflow, the source being the sender of the SYN. */
    public final FiveTuple fiveTuple;
    /** The initial sequence numbers. */
    public final InitialNumbers numbers;

    HandshakeEvent(FiveTuple fiveTuple, InitialNumbers numbers) {
        this.fiveTuple = checkNotNull(fiveTuple, "five-tuple");
        this.numbers = checkNotNull(numbers, "numbers");
    }

    /** Calls the listener's method for this event. */
    public abstract void tell(Listener listener);

    /** Takes each kind of event. */
    public interface Listener {
        /** A plain TCP connection was established. */
        void plainEstablished(PlainEstablished event);

        /** An MPTCP connection was established, with its first subflow. */
        void capableEstablished(CapableEstablished event);

        /** A further subflow of an MPTCP connection was established. */
        void joinEstablished(JoinEstablished event);
    }
}
