// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.detect.Handshakes;
import org.subflow.mptcp.placement.JoinPolicy;

/** Connections without rules: when they earn them, when they are forgotten, and what bounds them. */
class CandidateTableTest {
    private static final Threshold THRESHOLD = Threshold.of(500, 1000);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST = 10;
    private static final int MOST_PER_HOST = 4;

    private final List<Candidate> forgotten = new ArrayList<>();
    private final CandidateTable table = new CandidateTable(MOST, MOST_PER_HOST, forgotten::add);

    private static FiveTuple tuple(int host, int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0." + host), port, IpAddress.valueOf("10.0.1.1"), 80);
    }

    @Test
    void ageEarnsOnce() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        assertTrue(table.aged(SECOND / 2 - 1).isEmpty());
        List<Candidate> aged = table.aged(SECOND / 2);
        assertEquals(List.of(tuple(1, 1)), List.of(aged.get(0).first()));
        assertTrue(table.aged(SECOND).isEmpty());
    }

    @Test
    void aHandshakeThatMayNotBeCompleteIsToldApart() {
        table.open(Handshakes.capable(tuple(1, 1)), false, THRESHOLD, 0);
        Candidate candidate = table.aged(SECOND).get(0);
        assertFalse(candidate.isEstablished());
        assertTrue(table.count(candidate, 0, SECOND), "a packet of it is what was missing");
        assertTrue(candidate.isEstablished());
    }

    @Test
    void aJoinOfTheClientShowsThatItIsComplete() {
        table.open(Handshakes.capable(tuple(1, 1)), false, THRESHOLD, 0);
        assertTrue(table.join(Handshakes.join(tuple(1, 2), tuple(1, 1))));
        assertTrue(table.aged(SECOND).get(0).isEstablished());
    }

    @Test
    void octetsOfAllSubflowsEarn() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)));
        Candidate candidate = table.of(tuple(1, 2).reversed()).orElseThrow();
        assertFalse(table.count(candidate, 999, 1));
        assertTrue(table.count(candidate, 1, 1));
    }

    @Test
    void bothHostsEndASubflowAndAResetDoesAlone() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)));
        table.ended(tuple(1, 1), false);
        table.ended(tuple(1, 1), false);
        table.ended(tuple(1, 2), true);
        assertEquals(1, table.size(), "a half-closed subflow goes on");
        table.ended(tuple(1, 1).reversed(), false);
        assertEquals(0, table.size());
        assertEquals(1, forgotten.size());
        assertTrue(table.of(tuple(1, 2)).isEmpty(), "nor are its subflows known any more");
    }

    @Test
    void anEndedSubflowIsNotHandedOn() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        table.join(Handshakes.join(tuple(1, 2), tuple(1, 1)));
        table.join(Handshakes.join(tuple(1, 3), tuple(1, 1)));
        table.ended(tuple(1, 2), true);
        Candidate candidate = table.aged(SECOND).get(0);
        assertEquals(List.of(tuple(1, 3)), List.of(candidate.joins().get(0).fiveTuple()));
        assertEquals(1, candidate.joins().size());
        assertFalse(candidate.hasFirstEnded());
    }

    @Test
    void oneThatWasSubmittedStaysUntilItIsSettled() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        Candidate candidate = table.aged(SECOND).get(0);
        table.submitted(candidate);
        assertFalse(table.count(candidate, 5000, SECOND));
        assertFalse(table.join(Handshakes.join(tuple(1, 2), tuple(1, 1))), "the control loop takes it");
        table.settle(candidate);
        assertEquals(0, table.size());
        assertTrue(forgotten.isEmpty(), "its connection is known now");
    }

    @Test
    void oneThatWasPostponedEarnsAgain() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        Candidate candidate = table.aged(SECOND).get(0);
        table.submitted(candidate);
        table.postponed(candidate);
        assertEquals(List.of(candidate), table.aged(SECOND + 1));
    }

    @Test
    void aHostHasOnlySoManyAndTheOldestGoFirst() {
        for (int port = 1; port <= MOST_PER_HOST + 2; port++) {
            table.open(Handshakes.capable(tuple(1, port)), true, THRESHOLD, port);
        }
        assertEquals(MOST_PER_HOST, table.size());
        assertEquals(2, table.evicted());
        assertEquals(tuple(1, 1), forgotten.get(0).first());
        for (int host = 2; host < 2 + MOST; host++) {
            table.open(Handshakes.capable(tuple(host, 1)), true, THRESHOLD, 100);
        }
        assertEquals(MOST, table.size());
    }

    @Test
    void aReusedFiveTupleBeginsAnew() {
        table.open(Handshakes.capable(tuple(1, 1)), true, THRESHOLD, 0);
        table.openPlain(tuple(1, 1), THRESHOLD, SECOND);
        assertEquals(1, table.size());
        assertTrue(table.aged(2 * SECOND).isEmpty(), "plain TCP earns by packets");
    }

    @Test
    void hundredsOfThousandsThatComeAndGoLeaveNothing() {
        CandidateTable large = new CandidateTable(CandidateTable.MOST, CandidateTable.MOST_PER_HOST, forgotten -> { });
        for (int i = 0; i < 200_000; i++) {
            FiveTuple tuple = tuple(i % 200, 1 + i % 60_000);
            large.open(Handshakes.capable(tuple), true, Threshold.of(3_600_000, 1000), i);
            large.ended(tuple, true);
        }
        assertEquals(0, large.size());
        assertTrue(large.waiting() < 2000, "the queue of those not due yet is trimmed");
    }

    @Test
    void whatMustDecideBeforeAConnectionBeginsManagesAtOnce() {
        Settings settings = Settings.builder().build();
        assertFalse(Threshold.of(Policy.STANDARD, settings).isNone());
        assertTrue(Threshold.of(Policy.named("a").refuseBelow(1e6).build(), settings).isNone());
        assertTrue(Threshold.of(Policy.named("a").joinPolicy(JoinPolicy.BLOCK).build(), settings).isNone());
        assertTrue(Threshold.of(Policy.STANDARD, Settings.builder().joinPolicy(JoinPolicy.BLOCK).build()).isNone());
        assertTrue(Threshold.of(Policy.named("a").manageAfterMillis(0).build(), settings).isNone());
        assertFalse(Threshold.of(Policy.named("a").manageAfterBytes(7).build(), settings).isNone());
    }
}
