// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;

/** A subflow that nobody knows counts once it was reported for a while. */
class UnknownSubflowsTest {
    private static final ConnectionId ID = ConnectionId.of("a");
    private static final FiveTuple ONE = tuple(61_000);
    private static final FiveTuple OTHER = tuple(61_001);

    private final UnknownSubflows unknown = new UnknownSubflows();

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 80);
    }

    @Test
    void itIsDueAfterThreeSecondsAndThenNotForAMinute() {
        assertFalse(unknown.note(ID, Set.of(ONE), 0));
        assertFalse(unknown.note(ID, Set.of(ONE, OTHER), 2000));
        assertTrue(unknown.note(ID, Set.of(ONE, OTHER), 3000));
        assertEquals(Map.of(ID, Set.of(ONE)), unknown.take(3000));
        assertEquals(Map.of(ID, Set.of(OTHER)), unknown.take(5000));
        assertFalse(unknown.note(ID, Set.of(ONE, OTHER), 60_000));
        assertEquals(Map.of(ID, Set.of(ONE)), unknown.take(63_000));
    }

    @Test
    void oneThatWasMissingInAReportBeginsAnew() {
        unknown.note(ID, Set.of(ONE, OTHER), 0);
        unknown.note(ID, Set.of(OTHER), 1000);
        unknown.note(ID, Set.of(ONE, OTHER), 2000);
        assertEquals(Map.of(ID, Set.of(OTHER)), unknown.take(4000));
    }

    @Test
    void aConnectionThatIsKnownWholeOrSilentIsForgotten() {
        unknown.note(ID, Set.of(ONE), 0);
        unknown.note(ID, Set.of(), 1000);
        assertEquals(Map.of(), unknown.take(5000));
        unknown.note(ID, Set.of(ONE), 6000);
        unknown.expire(16_000);
        assertEquals(Map.of(), unknown.take(20_000));
    }
}
