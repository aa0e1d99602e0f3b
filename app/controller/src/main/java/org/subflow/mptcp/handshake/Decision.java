// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;

/**
 * What a segment means. Every segment is forwarded by packet-out; the SYN of a {@link #joinAttempt} waits until its
 * receiver has decided. Immutable.
 */
public final class Decision {
    /** What a segment is. */
    public enum Kind {
        /** Part of a handshake that is not complete: install nothing. */
        IN_HANDSHAKE,
        /** Completes a handshake: {@link Decision#event} is present. */
        ESTABLISHED,
        /** Of a connection just established or confirmed, whose event was given: its rules are on their way. */
        OVERTAKING,
        /**
         * Of a connection whose handshake was not seen: open before the application was, or idle for long. See
         * {@link Decision#confirmed}.
         */
        UNKNOWN_MIDSTREAM,
        /** Nothing that deserves a rule: a reset, the end of an unknown connection, a stray answer, an odd segment. */
        PASS
    }

    static final Decision IN_HANDSHAKE = new Decision(Kind.IN_HANDSHAKE, false, Optional.empty(), Optional.empty());
    static final Decision OVERTAKING = new Decision(Kind.OVERTAKING, false, Optional.empty(), Optional.empty());
    static final Decision MIDSTREAM = new Decision(Kind.UNKNOWN_MIDSTREAM, false, Optional.empty(), Optional.empty());
    static final Decision MIDSTREAM_CONFIRMED =
            new Decision(Kind.UNKNOWN_MIDSTREAM, true, Optional.empty(), Optional.empty());
    static final Decision PASS = new Decision(Kind.PASS, false, Optional.empty(), Optional.empty());

    /** What the segment is. */
    public final Kind kind;
    /**
     * Whether, for {@link Kind#UNKNOWN_MIDSTREAM}, segments of both directions were seen and their numbers fit
     * together. Rules should wait for that: single segments are easily forged. Said once; what follows shortly after
     * is {@link Kind#OVERTAKING}.
     */
    public final boolean confirmed;
    /** The event, if the segment completes a handshake. */
    public final Optional<HandshakeEvent> event;
    /** The MP_JOIN in the segment, if it is a SYN with one. Its receiver may drop it to refuse the subflow. */
    public final Optional<JoinAttempt> joinAttempt;

    private Decision(Kind kind, boolean confirmed, Optional<HandshakeEvent> event, Optional<JoinAttempt> joinAttempt) {
        this.kind = kind;
        this.confirmed = confirmed;
        this.event = event;
        this.joinAttempt = joinAttempt;
    }

    static Decision established(HandshakeEvent event) {
        return new Decision(Kind.ESTABLISHED, false, Optional.of(checkNotNull(event, "event")), Optional.empty());
    }

    static Decision joinSyn(JoinAttempt attempt) {
        return new Decision(Kind.IN_HANDSHAKE, false, Optional.empty(), Optional.of(attempt));
    }

    @Override
    public String toString() {
        return kind + event.map(value -> " " + value).orElse("") + (confirmed ? " confirmed" : "");
    }
}
