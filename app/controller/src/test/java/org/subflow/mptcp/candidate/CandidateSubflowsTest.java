// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.handshake.Handshakes;
import org.subflow.mptcp.handshake.PlainEstablished;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.wiring.Stage;

/** What packets tell of the subflows of a connection without rules. The clock has run for days, as a machine's has. */
class CandidateSubflowsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long BEGIN = TimeUnit.DAYS.toNanos(10);
    private static final Threshold NEVER = Threshold.of(3_600_000, 1_000_000);
    private static final byte[] BACKUP = {30, 3, 0x51, 1};
    private static final byte[] NO_BACKUP = {30, 3, 0x50, 1};

    private final List<Candidate> forgotten = new ArrayList<>();
    private final CandidateTable table = new CandidateTable(10, 10, FiveTuple::source, (first, nanos) -> false, forgotten::add);

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.1.1"), 80)
                .between(HostId.hostId(MacAddress.valueOf(1)), HostId.hostId(MacAddress.valueOf(99)));
    }

    private static Segment segment(FiveTuple tuple, byte[] options, int octets) {
        return Segment.of(tuple, Segment.ACK, 1, 1, options, octets);
    }

    /** Opens a connection of as many subflows. */
    private Candidate open(int subflows) {
        table.open(Handshakes.capable(tuple(1)), NEVER, BEGIN);
        for (int port = 2; port <= subflows; port++) {
            table.join(Handshakes.join(tuple(port), tuple(1)), BEGIN);
        }
        return table.of(tuple(1)).orElseThrow();
    }

    private static List<FiveTuple> backups(Opening opening) {
        return IntStream.rangeClosed(1, 3).mapToObj(CandidateSubflowsTest::tuple).filter(opening::isBackup).collect(Collectors.toList());
    }

    @Test
    void thereAreOnlySoMany() {
        Candidate candidate = open(Candidate.MOST_JOINS + 3);
        assertEquals(Candidate.MOST_JOINS, candidate.opening().joins.size());
        assertFalse(table.of(tuple(Candidate.MOST_JOINS + 2)).isPresent(), "nobody knows the others");
    }

    @Test
    void eachIsABackupThatItsHostsWantAsOne() {
        Candidate candidate = open(2);
        table.join(Handshakes.join(tuple(3), tuple(1), true), BEGIN);
        assertEquals(List.of(tuple(3)), backups(candidate.opening()));
        table.note(candidate, segment(tuple(2).reversed(), BACKUP, 0), BEGIN);
        assertEquals(List.of(tuple(2), tuple(3)), backups(candidate.opening()), "the server's word counts, too");
        table.note(candidate, segment(tuple(3), NO_BACKUP, 0), BEGIN);
        table.note(candidate, segment(tuple(1), BACKUP, 0), BEGIN);
        assertEquals(List.of(tuple(1), tuple(2)), backups(candidate.opening()));
    }

    @Test
    void aSubflowOfAnotherConnectionIsNoLongerThatConnections() {
        Candidate candidate = open(1);
        table.open(Handshakes.capable(tuple(7)), NEVER, BEGIN);
        Candidate reused = table.of(tuple(7)).orElseThrow();
        table.join(Handshakes.join(tuple(7), tuple(1)), BEGIN);
        assertEquals(List.of(reused), forgotten);
        assertEquals(Optional.of(candidate), table.of(tuple(7)));
    }

    @Test
    void onlyDataOfTheFirstWithoutMptcpIsAFallback() {
        table.open(Handshakes.capableWithoutThirdAck(tuple(1)), NEVER, BEGIN);
        Candidate candidate = table.of(tuple(1)).orElseThrow();
        table.note(candidate, segment(tuple(1), null, 0), BEGIN);
        assertEquals(Optional.empty(), candidate.fallback(segment(tuple(1), null, 0)), "no data");
        table.note(candidate, segment(tuple(1), null, 5), BEGIN);
        assertEquals(Optional.empty(), candidate.fallback(segment(tuple(9), null, 5)), "of another one");
        assertEquals(PlainEstablished.class, candidate.fallback(segment(tuple(1).reversed(), null, 5)).orElseThrow().getClass());
        assertEquals(Optional.empty(), candidate.fallback(segment(tuple(1), NO_BACKUP, 5)), "an MPTCP option");
        assertEquals(Optional.empty(), candidate.fallback(segment(tuple(1), null, 5)), "and from then on");
    }

    @Test
    void ageCountsFromItsBegin() {
        table.open(Handshakes.capable(tuple(1)), Threshold.of(500, 1000), BEGIN);
        Candidate candidate = table.of(tuple(1)).orElseThrow();
        assertFalse(table.note(candidate, segment(tuple(1), null, 0), BEGIN + SECOND / 2 - 1));
        assertTrue(table.note(candidate, segment(tuple(1), null, 0), BEGIN + SECOND / 2));
    }

    @Test
    void oneThatIsAboutToEndIsProbedASecondLater() {
        Candidate candidate = open(2);
        table.ended(tuple(2), false, BEGIN);
        assertEquals(List.of(), table.toProbe(BEGIN + SECOND / 2));
        assertEquals(List.of(candidate), table.toProbe(BEGIN + 2 * SECOND));
    }

    @Test
    void aHalfClosedOneIsForgottenAfterAMinuteOfSilence() {
        Candidate candidate = open(1);
        table.ended(tuple(1), false, BEGIN);
        for (long now = BEGIN; now <= BEGIN + 60 * SECOND; now += SECOND) {
            table.toProbe(now);
        }
        assertFalse(candidate.isForgotten());
        for (long now = BEGIN + 60 * SECOND; now <= BEGIN + 95 * SECOND; now += SECOND) {
            table.toProbe(now);
        }
        assertTrue(candidate.isForgotten());
    }

    @Test
    void oneForWhichThereWasNoTimeIsProbedATenthOfASecondLater() {
        Candidate candidate = open(1);
        table.toProbe(BEGIN + SECOND);
        table.submitted(candidate);
        table.postponed(candidate, BEGIN + SECOND);
        assertEquals(List.of(), table.toProbe(BEGIN + SECOND + SECOND / 20), "not at once");
        assertEquals(List.of(candidate), table.toProbe(BEGIN + SECOND + SECOND / 10));
    }

    @Test
    void anEndOfAnEarlierConnectionEndsNoSubflowThatJoinsLater() {
        table.ended(tuple(2), true, BEGIN);
        assertEquals(Map.of(tuple(2), true), table.earlyEnds(tuple(2).reversed(), BEGIN + 2 * SECOND - 1));
        assertEquals(Map.of(), table.earlyEnds(tuple(2), BEGIN + 2 * SECOND));
    }

    @Test
    void joinsMayBeBlockedByTheSettingAlone() {
        PolicyService none = new Stage().policyService;
        assertFalse(new ConnectionPolicies(() -> Settings.DEFAULTS, none).mayBlockJoins());
        assertTrue(new ConnectionPolicies(() -> Settings.DEFAULTS.with(Settings.JOIN_POLICY, JoinPolicy.BLOCK), none).mayBlockJoins());
    }

    @Test
    void aThresholdOfNothingIsNoneAndNoneIsNegative() {
        assertTrue(Threshold.of(1000, 0).isNone());
        assertTrue(Threshold.of(0, 1000).isNone());
        assertThrows(IllegalArgumentException.class, () -> Threshold.of(-1, 1000));
        assertThrows(IllegalArgumentException.class, () -> Threshold.of(1000, -1));
    }
}
