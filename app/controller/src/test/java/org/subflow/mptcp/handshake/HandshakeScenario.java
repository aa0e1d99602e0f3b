// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Decision.Kind;

/** What tests of the tracker share: a tracker with its surroundings, and the five-tuple of one connection. */
abstract class HandshakeScenario {
    static final FiveTuple A = Bench.tuple("10.0.0.1", 40000);

    final Bench bench = new Bench();

    /** The decision says that {@link #A} is a plain connection, and no handshake is left. */
    final void assertPlain(PlainEstablished.Cause cause, Decision decision) {
        assertEquals(Kind.ESTABLISHED, decision.kind);
        assertEquals("plain " + A + " " + cause, decision.event.orElseThrow().toString());
        assertEquals(0, bench.tracker.handshakes());
    }

    static CapableEstablished capable(Decision decision) {
        return (CapableEstablished) decision.event.orElseThrow();
    }
}
