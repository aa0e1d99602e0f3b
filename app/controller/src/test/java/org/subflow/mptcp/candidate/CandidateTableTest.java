// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.segment.Segment;

/** Connections without rules: when they earn them, when they are forgotten, and what bounds them. */
class CandidateTableTest {
    private static final Threshold THRESHOLD = Threshold.of(500, 1000);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST = 10;
    private static final int MOST_PER_HOST = 4;
    /** Port of a service whose connections may end unseen. */
    private static final int BUSY = 8080;

    /** When that service was busy last; nanoseconds. */
    private long busyAt = Long.MAX_VALUE / 2;
    private long now;

    private final List<Candidate> forgotten = new ArrayList<>();
    private final CandidateTable table = new CandidateTable(MOST, MOST_PER_HOST, first -> first.sourceHost().mac(),
            (first, nanos) -> first.destinationPort() == BUSY && now - nanos < busyAt, forgotten::add);

    private static FiveTuple tuple(int host, int port) {
        return tuple(host, "10.0.0." + host, port);
    }

    private static FiveTuple tuple(int host, String address, int port) {
        return FiveTuple.of(IpAddress.valueOf(address), port, IpAddress.valueOf("10.0.1.1"), 80)
                .between(HostId.hostId(MacAddress.valueOf(host)), HostId.hostId(MacAddress.valueOf(99)));
    }

    private static Segment data(FiveTuple tuple, int octets) {
        return Segment.of(tuple, Segment.ACK, 1, 1, null, octets);
    }

    /** Sees to what is due, five times a second; {@code to} excluded, seconds. */
    private void probeOften(long from, long to) {
        for (now = from * SECOND; now < to * SECOND; now += SECOND / 5) {
            table.toProbe(now);
        }
    }

    @Test
    void ageEarnsWithAPacketThatShowsThatItLives() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        Candidate candidate = table.of(tuple(1, 1)).orElseThrow();
        assertFalse(table.note(candidate, data(tuple(1, 1), 0), SECOND / 2 - 1));
        assertEquals(List.of(candidate), table.toProbe(SECOND / 2));
        assertFalse(candidate.hasSentEnough());
        assertTrue(table.note(candidate, data(tuple(1, 1), 0), SECOND / 2));
    }

    @Test
    void aYoungOneIsProbedNowAndThen() {
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        assertTrue(table.toProbe(SECOND / 10).isEmpty());
        int probes = 0;
        for (long now = 0; now < 60 * SECOND; now += SECOND / 20) {
            probes += table.toProbe(now).size();
        }
        assertTrue(probes >= 5 && probes <= 10, probes + " probes");
        assertEquals(1, table.toProbe(60 * SECOND).size(), "not later than its age says");
    }

    @Test
    void oneWhoseOtherSubflowsMayHaveSentAsMuchIsProbedSoon() {
        long milli = SECOND / 1000;
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        Candidate candidate = table.of(tuple(1, 1)).orElseThrow();
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        table.join(Handshakes.join(tuple(1, 3), tuple(1, 1)), 0);
        assertTrue(table.toProbe(249 * milli).isEmpty());
        assertEquals(List.of(candidate), table.toProbe(250 * milli));
        assertFalse(table.note(candidate, data(tuple(1, 2), 400), 260 * milli), "400 octets are known");
        assertTrue(table.toProbe(359 * milli).isEmpty(), "never at once");
        assertEquals(List.of(candidate), table.toProbe(360 * milli));
    }

    @Test
    void oneThatSendsLittleIsProbedNoSooner() {
        long milli = SECOND / 1000;
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        Candidate candidate = table.of(tuple(1, 1)).orElseThrow();
        assertEquals(1, table.toProbe(250 * milli).size());
        assertFalse(table.note(candidate, data(tuple(1, 1), 100), 260 * milli));
        assertTrue(table.toProbe(499 * milli).isEmpty());
        assertEquals(1, table.toProbe(500 * milli).size());
    }

    @Test
    void octetsOfAllSubflowsAndBothDirectionsEarn() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        Candidate candidate = table.of(tuple(1, 2).reversed()).orElseThrow();
        assertFalse(table.note(candidate, data(tuple(1, 2).reversed(), 600), 1));
        assertFalse(table.note(candidate, data(tuple(1, 2).reversed(), 600), 1), "the same again is a retransmission");
        assertFalse(table.note(candidate, data(tuple(1, 1), 399), 1));
        assertTrue(table.note(candidate, Segment.of(tuple(1, 1), Segment.ACK, 400, 2, null, 0), 1), "one in the other direction");
    }

    @Test
    void theSubflowsAreProbedInTurn() {
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        table.join(Handshakes.join(tuple(1, 3), tuple(1, 1)), 0);
        table.ended(tuple(1, 2), true, 0);
        Set<FiveTuple> looked = new LinkedHashSet<>();
        for (long now = 0; now < 10 * SECOND; now += SECOND / 10) {
            table.toProbe(now).forEach(candidate -> looked.add(candidate.subflowToProbe()));
        }
        assertEquals(List.of(tuple(1, 1), tuple(1, 3)), List.copyOf(looked), "the oldest first");
    }

    @Test
    void bothHostsEndASubflowAndAResetDoesAlone() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        table.ended(tuple(1, 1), false, 0);
        table.ended(tuple(1, 1), false, 0);
        table.ended(tuple(1, 2), true, 0);
        assertEquals(1, table.size(), "a half-closed subflow goes on");
        table.ended(tuple(1, 1).reversed(), false, 0);
        assertEquals(0, table.size());
        assertEquals(1, forgotten.size());
        assertTrue(table.of(tuple(1, 2)).isEmpty(), "nor are its subflows known any more");
    }

    @Test
    void anEndedSubflowIsNotHandedOn() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        table.join(Handshakes.join(tuple(1, 3), tuple(1, 1)), 0);
        table.ended(tuple(1, 2), true, 0);
        Candidate candidate = table.toProbe(SECOND).get(0);
        assertEquals(List.of(tuple(1, 3)), candidate.opening().joins.stream().map(join -> join.tuple).collect(Collectors.toList()));
        assertEquals(List.of(tuple(1, 2), tuple(1, 2).reversed()), candidate.ended());
    }

    @Test
    void oneThatIsAboutToEndIsPutOffForAMoment() {
        long milli = SECOND / 1000;
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0);
        Candidate candidate = table.of(tuple(1, 1)).orElseThrow();
        table.ended(tuple(1, 2), false, 100 * milli);
        assertEquals(List.of(), table.toProbe(200 * milli));
        assertEquals(List.of(), table.toProbe(600 * milli));
        assertEquals(List.of(candidate), table.toProbe(1400 * milli), "it has ended one subflow alone");
    }

    @Test
    void oneThatWasSubmittedStaysUntilItIsSettled() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        Candidate candidate = table.toProbe(SECOND).get(0);
        table.submitted(candidate);
        assertFalse(table.note(candidate, data(tuple(1, 1), 5000), SECOND));
        assertFalse(table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), 0), "the control loop takes it");
        table.settle(candidate);
        assertEquals(0, table.size());
        assertTrue(forgotten.isEmpty(), "its connection is known now");
    }

    @Test
    void oneThatWasPostponedEarnsAgain() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        Candidate candidate = table.toProbe(SECOND).get(0);
        table.submitted(candidate);
        assertEquals(List.of(), table.toProbe(2 * SECOND));
        table.postponed(candidate, 2 * SECOND);
        assertEquals(List.of(candidate), table.toProbe(2 * SECOND + SECOND / 5), "soon, however many looks there were");
    }

    @Test
    void aHostHasOnlySoManyAndTheOldestGoFirst() {
        for (int port = 1; port <= MOST_PER_HOST + 2; port++) {
            table.open(Handshakes.capable(tuple(1, "10.0.9." + port, port)), THRESHOLD, port);
        }
        assertEquals(MOST_PER_HOST, table.size(), "whatever addresses it has");
        assertEquals(2, table.evicted());
        assertEquals(tuple(1, "10.0.9.1", 1), forgotten.get(0).first());
        for (int host = 2; host < 2 + MOST; host++) {
            table.open(Handshakes.capable(tuple(host, 1)), THRESHOLD, 100);
        }
        assertEquals(MOST, table.size());
    }

    @Test
    void aReusedFiveTupleBeginsAnew() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        table.openPlain(Handshakes.plain(tuple(1, 1)), THRESHOLD, SECOND);
        assertEquals(1, table.size());
        assertEquals(List.of(), table.toProbe(2 * SECOND), "plain TCP comes by itself");
    }

    @Test
    void oneThatIsSilentIsForgottenIfItsEndMayHaveGoneUnseen() {
        FiveTuple busy = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.1.1"), BUSY);
        table.open(Handshakes.capable(busy), Threshold.of(60_000, 1000), 0);
        table.open(Handshakes.capable(tuple(1, 1)), Threshold.of(60_000, 1000), 0);
        probeOften(0, 4);
        table.note(table.of(busy).orElseThrow(), data(busy, 1), 4 * SECOND);
        probeOften(4, 9);
        assertTrue(table.of(busy).isPresent(), "it was heard");
        probeOften(9, 20);
        assertEquals(1, forgotten.size());
        assertFalse(table.of(busy).isPresent());
        assertTrue(table.of(tuple(1, 1)).isPresent(), "the ends of this service are seen");
    }

    @Test
    void oneWhoseServiceWasBusyOnceIsForgottenLater() {
        FiveTuple busy = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.1.1"), BUSY);
        table.open(Handshakes.capable(busy), Threshold.of(60_000, 1000), 0);
        probeOften(0, 1);
        busyAt = SECOND;
        probeOften(1, 20);
        assertFalse(table.of(busy).isPresent());
    }

    @Test
    void oneThatSendsIsNotForgottenThoughItIsProbedSeldom() {
        FiveTuple busy = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.1.1"), BUSY);
        table.open(Handshakes.capable(busy), Threshold.of(3_600_000, 1000), 0);
        Candidate candidate = table.of(busy).orElseThrow();
        for (now = 0; now < 600 * SECOND; now += SECOND / 5) {
            // It sends once a second.
            if (!table.toProbe(now).isEmpty()) {
                table.note(candidate, data(busy, 1), now + SECOND / 2);
            }
        }
        assertFalse(candidate.isForgotten());
        probeOften(600, 640);
        assertTrue(candidate.isForgotten());
    }

    @Test
    void plainTcpThatWasHeardAndIsSilentIsForgottenIfItsEndMayHaveGoneUnseen() {
        FiveTuple busy = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.1.1"), BUSY);
        table.openPlain(Handshakes.plain(busy), Threshold.of(3_600_000, 1000), 0);
        Candidate candidate = table.of(busy).orElseThrow();
        table.note(candidate, data(busy, 1), SECOND);
        probeOften(1, 6);
        assertFalse(candidate.isForgotten());
        probeOften(6, 20);
        assertTrue(candidate.isForgotten());
    }

    @Test
    void hundredsOfThousandsThatComeAndGoLeaveNothing() {
        CandidateTable large = new CandidateTable(CandidateTable.MOST, CandidateTable.MOST_PER_HOST, FiveTuple::source,
                                                  (first, nanos) -> false, forgotten -> { });
        for (int i = 0; i < 200_000; i++) {
            FiveTuple tuple = tuple(i % 200, 1 + i % 60_000);
            large.open(Handshakes.capable(tuple), Threshold.of(3_600_000, 1000), i);
            large.ended(tuple, true, i);
        }
        assertEquals(0, large.size());
        assertEquals(0, large.waiting());
    }

    @Test
    void anEndThatOvertakesTheHandshakeCounts() {
        table.ended(tuple(1, 1), false, 0);
        table.ended(tuple(1, 2), true, 0);
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, SECOND);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)), SECOND);
        assertEquals(1, table.size());
        table.ended(tuple(1, 1).reversed(), false, SECOND);
        assertEquals(0, table.size());
        assertEquals(1, forgotten.size());
    }

    @Test
    void anEndOfLongAgoIsThatOfAnEarlierConnection() {
        table.ended(tuple(1, 1), true, 0);
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 3 * SECOND);
        assertEquals(1, table.size());
    }

    @Test
    void aHalfClosedOneIsForgottenOnceItIsSilentForLong() {
        table.open(Handshakes.capable(tuple(1, 1)), THRESHOLD, 0);
        table.open(Handshakes.capable(tuple(1, 2)), THRESHOLD, 0);
        table.ended(tuple(1, 1), false, SECOND);
        Candidate candidate = table.of(tuple(1, 1)).orElseThrow();
        probeOften(0, 60);
        assertFalse(candidate.isForgotten());
        probeOften(60, 100);
        assertTrue(candidate.isForgotten());
        assertEquals(List.of(candidate), forgotten);
        assertEquals(1, table.size(), "one that neither host has ended may only be idle");
    }
}
