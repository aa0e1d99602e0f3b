// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.southbound.tcpflags.PortBound.LONGEST_PAUSE_MILLIS;
import static org.subflow.mptcp.southbound.tcpflags.Tables.ports;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.openflow.controller.Dpid;

/** How many segments a port may bring, and how long its pauses are. */
class PausedPortsTest {
    private static final Dpid S1 = new Dpid(1);
    private static final Dpid S2 = new Dpid(2);
    private static final int PORT = 3;

    private final PortClock time = new PortClock();
    private final List<String> changes = new ArrayList<>();
    private int most = 100;
    private int mostUnanswered;
    private int mostSyns;
    private byte[] frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
    private final PausedPorts paused = new PausedPorts(() -> most, () -> mostUnanswered, () -> mostSyns, time, time, this::note);

    @Test
    void aPortMayBringASecondsWorthAtOnce() {
        assertEquals(most, bring(10 * most));
        assertEquals(ports(PORT), paused.paused(S1));
    }

    @Test
    void aPortAtItsBoundIsNeverPaused() {
        for (int i = 0; i < 100 * most; i++) {
            time.pass(10);
            assertTrue(paused.admits(S1, PORT, () -> frame));
        }
        assertEquals(most - 1, bring(most - 1), "the bucket was full all the time");
        assertEquals(List.of(), changes);
    }

    @Test
    void aPortAboveItsBoundIsPausedSoon() {
        int taken = 0;
        while (paused.paused(S1).isEmpty()) {
            time.pass(5);
            taken += bring(1);
        }
        assertEquals(2.0 * most, taken, 2, "at twice its rate the bucket lasts for a second");
    }

    @Test
    void nothingIsTakenDuringAPauseAndAWholeBucketAfterIt() {
        bring(most + 1);
        time.pass(999);
        assertEquals(0, bring(10));
        assertEquals(ports(PORT), paused.paused(S1));
        time.pass(1);
        assertEquals(Set.of(), paused.paused(S1));
        assertEquals(most, bring(2 * most));
    }

    @Test
    void whatAMeterLetsPassOfAFloodBeginsTheNextPause() {
        mostUnanswered = most / 2;
        mostSyns = most / 4;
        bring(mostUnanswered + 1);
        assertEquals(ports(PORT), paused.floodedOfLate(S1));
        time.pass(1000);
        bring(mostSyns * 4 / 5);
        assertEquals(Set.of(), paused.paused(S1));
        bring(1);
        assertEquals(ports(PORT), paused.paused(S1));
    }

    @Test
    void aPortWhoseSynsAreAnsweredIsBusyAndFloodsNot() {
        mostUnanswered = 10;
        for (int i = 0; i < most / 2; i++) {
            frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
            assertTrue(paused.admits(S1, PORT, () -> frame));
            frame = Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK);
            assertTrue(paused.admits(S2, PORT + 1, () -> frame));
        }
        assertEquals(List.of(), changes);
        frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        assertEquals(most / 2, bring(most) + 40, "ten SYNs without an answer end it");
        assertEquals(ports(PORT), paused.floodedOfLate(S1));
    }

    @Test
    void aPortAnswersNoSynOfItsOwn() {
        mostUnanswered = 10;
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
            taken += bring(1);
            frame = Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK);
            bring(1);
        }
        assertEquals(10, taken);
    }

    @Test
    void anAnswerCountsOnce() {
        mostUnanswered = 10;
        bring(10);
        frame = Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK);
        for (int i = 0; i < 5; i++) {
            assertTrue(paused.admits(S2, PORT, () -> frame));
        }
        frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        assertEquals(1, bring(5));
    }

    @Test
    void aBusyPortIsPausedWithoutAMeter() {
        frame = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.ACK);
        mostUnanswered = 10;
        bring(10 * most);
        assertEquals(ports(PORT), paused.paused(S1));
        assertEquals(Set.of(), paused.floodedOfLate(S1));
    }

    @Test
    void pausesOfAFloodGrowToTheLongest() {
        List<Long> lengths = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            bring(most + 1);
            lengths.add(pauseMillis());
        }
        assertEquals(List.of(1000L, 2000L, 4000L, 8000L, 16_000L, 16_000L, 16_000L), lengths);
        int taken = 0;
        for (int i = 0; i < 160; i++) {
            taken += bring(2000);
            time.pass(1000);
        }
        assertTrue(taken <= 160 / 16 * most, taken + " taken of a flood in 160 s");
    }

    @Test
    void aPortThatKeptToItsBoundBeginsAnew() {
        bring(most + 1);
        pauseMillis();
        bring(most + 1);
        assertEquals(2000, pauseMillis());
        time.pass(LONGEST_PAUSE_MILLIS - 1);
        bring(most + 1);
        assertEquals(4000, pauseMillis(), "not long enough");
        time.pass(LONGEST_PAUSE_MILLIS);
        bring(most + 1);
        assertEquals(1000, pauseMillis());
    }

    @Test
    void theFaultStaysWithThePort() {
        bring(10 * most);
        assertTrue(paused.admits(S1, PORT + 1, () -> frame));
        assertTrue(paused.admits(S2, PORT, () -> frame));
        assertEquals(ports(PORT), paused.paused(S1));
        assertEquals(Set.of(), paused.paused(S2));
    }

    @Test
    void everyChangeIsTold() {
        bring(10 * most);
        time.pass(1000);
        time.pass(LONGEST_PAUSE_MILLIS);
        assertEquals(List.of("paused [3] of late [3]", "paused [] of late [3]", "paused [] of late []"), changes);
        assertEquals(0, time.waiting());
    }

    @Test
    void oneTaskWaitsForAPortHoweverMuchItBrings() {
        for (int i = 0; i < 100; i++) {
            bring(10 * most);
            time.pass(500);
        }
        // The ends of its last pauses, which change nothing any more.
        assertTrue(time.waiting() <= 6, time.waiting() + " tasks");
    }

    @Test
    void aSwitchThatLeavesTakesItsPausesWithIt() {
        bring(10 * most);
        paused.forget(S1);
        assertEquals(Set.of(), paused.paused(S1));
        assertEquals(most, bring(10 * most));
        changes.clear();
        time.pass(999);
        assertEquals(List.of(), changes, "the earlier pause ends for nobody");
        time.pass(1);
        assertEquals(List.of("paused [] of late [3]"), changes);
    }

    @Test
    void withoutABoundNoPortIsPaused() {
        bring(10 * most);
        most = 0;
        assertEquals(Set.of(), paused.paused(S1));
        assertEquals(10_000, bring(10_000));
        most = 100;
        assertFalse(paused.admits(S1, PORT, () -> frame), "still the same pause");
        time.pass(1000);
        assertEquals(most, bring(10 * most));
    }

    @Test
    void aBoundThatChangesCountsAtOnce() {
        bring(50);
        most = 10_000;
        assertEquals(5000, bring(20_000), "half of the second was used up");
    }

    /** Brings so many segments at once, and returns how many of them were taken. */
    private int bring(int segments) {
        int taken = 0;
        for (int i = 0; i < segments; i++) {
            taken += paused.admits(S1, PORT, () -> frame) ? 1 : 0;
        }
        return taken;
    }

    /** Waits for the end of the pause, and returns how long it took. */
    private long pauseMillis() {
        long millis = 0;
        while (!paused.paused(S1).isEmpty()) {
            time.pass(1);
            millis++;
        }
        return millis;
    }

    private void note(Dpid dpid) {
        changes.add("paused " + paused.paused(dpid) + " of late " + paused.pausedOfLate(dpid));
    }
}
