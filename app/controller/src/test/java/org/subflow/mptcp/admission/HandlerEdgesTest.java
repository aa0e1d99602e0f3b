// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.handshake.Handshakes;

/** Which packets come to the controller, and what waits for nobody. */
class HandlerEdgesTest extends HandshakeScenario {
    @Test
    void whereCopiesComeOnlyWhatNobodyForwardsGetsRules() {
        copying = true;
        handler.plainEstablished(Handshakes.plain(FIRST));
        assertEquals(0, plain.size());
        handler.unclaimed(SECOND);
        handler.plainEstablished(Handshakes.plain(SECOND.reversed()));
        assertEquals(1, plain.size(), "in either direction");
    }

    @Test
    void packetsOfManagedConnectionsAndOfWhatNobodyForwardsAreForUs() {
        assertFalse(handler.isAwaited(FIRST));
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        handler.unclaimed(SECOND);
        assertTrue(handler.isAwaited(FIRST));
        assertTrue(handler.isAwaited(FIRST.reversed()));
        assertTrue(handler.isAwaited(SECOND.reversed()));
        assertFalse(handler.isAwaited(THIRD));
    }

    @Test
    void aSweepLeavesWhatIsAskedForOfCandidatesAndManagedConnections() {
        copying = true;
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        earn(60_000, 100_000);
        handler.capableEstablished(Handshakes.capable(SECOND, Handshakes.OTHER_KEYS));
        unmanaged.awaitPacket(FIRST);
        unmanaged.awaitPacket(SECOND);
        unmanaged.awaitPacket(THIRD);
        handler.sweep();
        assertTrue(unmanaged.isAwaited(FIRST));
        assertTrue(unmanaged.isAwaited(SECOND));
        assertFalse(unmanaged.isAwaited(THIRD), "nobody's");
    }

    @Test
    void aCandidateThatWasHeardIsNotAskedForBeforeItsNextProbe() {
        copying = true;
        earn(300, 100_000);
        handler.capableEstablished(Handshakes.capable(FIRST));
        unmanaged.awaitPacket(FIRST);
        handler.counted(data(FIRST, 10), later(10));
        assertFalse(unmanaged.isAwaited(FIRST));
    }

    @Test
    void aSubflowWhoseEndWasSeenIsNotWokenByWhatItStillSends() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        only();
        handler.ended(fin(SECOND));
        handler.ended(fin(SECOND.reversed()));
        loop.ask(() -> {
            for (int second = 0; second < 3; second++) {
                stage.second(1_000_000);
            }
            return true;
        }, MILLIS);
        assertEquals(SubflowState.IDLE, second().state());
        handler.midstream(data(SECOND.reversed(), 1), false);
        handler.midstream(data(SECOND, 1), false);
        assertEquals(SubflowState.IDLE, second().state(), "either way");
        assertFalse(plain.isEmpty(), "its packets go on");
        handler.joinEstablished(Handshakes.join(SECOND, FIRST));
        assertTrue(second().isRouted(), "another one with its five-tuple");
    }

    private Subflow second() {
        return only().subflow(SECOND).orElseThrow();
    }

    @Test
    void aJoinThatNothingBlocksDoesNotWaitForTheControlLoop() {
        handler.capableEstablished(Handshakes.capable(FIRST));
        only();
        AtomicBoolean isForwarded = new AtomicBoolean();
        whileTheLoopIsBusy(() -> {
            handler.joinAttempted(Handshakes.attempt(SECOND, FIRST), () -> isForwarded.set(true));
            assertTrue(isForwarded.get());
        });
    }
}
