// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.Leader;
import org.onosproject.cluster.Leadership;
import org.onosproject.cluster.LeadershipServiceAdapter;
import org.onosproject.cluster.NodeId;

/** Who decides, and until when. */
class LeaderElectionTest {
    private static final NodeId HERE = NodeId.nodeId("10.0.0.1");
    private static final NodeId THERE = NodeId.nodeId("10.0.0.2");

    private final Topic topic = new Topic();
    private final List<String> office = new ArrayList<>();
    private long stored;
    private boolean isCutOff;
    private boolean isThereCutOff;
    private long clock = 1000;
    private Mandate mandate;
    private boolean fails;
    private final LeaderElection election = new LeaderElection(topic, HERE, this::store, () -> clock);

    @BeforeEach
    void stand() {
        election.stand(new Election.Office() {
            @Override
            public void begin(Mandate given) {
                if (fails) {
                    throw new IllegalStateException("a store does not answer");
                }
                mandate = given;
                office.add("begin " + given.term());
            }

            @Override
            public void end() {
                assertFalse(mandate.isValid(), "it has ended before");
                office.add("end");
            }
        });
    }

    private long store(long term) {
        if (isCutOff) {
            throw new IllegalStateException("no storage node answers");
        }
        stored = Math.max(stored, term);
        return stored;
    }

    @Test
    void theFirstCandidateDecides() {
        election.look();
        assertEquals(List.of("begin 1"), office);
        assertTrue(mandate.isValid());
        assertEquals(Optional.of("10.0.0.1"), election.leader());
    }

    @Test
    void whoCannotBeginTriesAgainAndIsNotNamed() {
        fails = true;
        election.look();
        assertEquals(Optional.empty(), election.leader());
        fails = false;
        election.look();
        assertEquals(List.of("begin 1"), office);
        assertEquals(Optional.of("10.0.0.1"), election.leader());
    }

    @Test
    void whoLeadsInVainStandsForElectionAnew() {
        topic.lead(HERE, 3);
        stored = 4;
        election.look();
        clock += LeaderElection.VAIN_MILLIS - 1;
        election.look();
        assertEquals(0, topic.withdrawn);
        clock++;
        election.look();
        assertEquals(1, topic.withdrawn);
        election.look();
        assertEquals(1, topic.withdrawn, "the new election takes its time");
        topic.lead(HERE, 5);
        election.look();
        clock += Mandate.LEASE_MILLIS;
        election.look();
        assertEquals(List.of("begin 5"), office);
    }

    @Test
    void anotherNodeThatLeadsIsNamed() {
        topic.lead(THERE, 4);
        election.look();
        assertEquals(List.of(), office);
        assertEquals(Optional.of("10.0.0.2"), election.leader());
    }

    @Test
    void aCandidacyThatHasExpiredIsRenewed() {
        topic.lead(THERE, 4);
        election.look();
        topic.candidates.remove(HERE);
        election.look();
        assertTrue(topic.candidates.contains(HERE));
    }

    @Test
    void theNextLeaderEndsTheMandate() {
        election.look();
        topic.lead(THERE, 2);
        election.look();
        assertEquals(List.of("begin 1", "end"), office);
        assertThrows(IllegalStateException.class, () -> mandate.check());
    }

    @Test
    void aGreaterTermInTheStoreEndsTheMandateAlthoughThisNodeBelievesThatItLeads() {
        election.look();
        stored = 2;
        election.look();
        assertEquals(List.of("begin 1", "end"), office);
        election.look();
        assertEquals(List.of("begin 1", "end"), office, "its term is over");
    }

    @Test
    void aNodeThatIsCutOffHasNoMandateAfterTheLease() {
        election.look();
        isCutOff = true;
        clock += Mandate.LEASE_MILLIS;
        assertThrows(IllegalStateException.class, election::look);
        assertTrue(mandate.isValid());
        clock++;
        assertFalse(mandate.isValid());
        assertEquals(Optional.empty(), election.leader());
    }

    @Test
    void afterALapseItBeginsAnewWithTheStoredState() {
        election.look();
        clock += Mandate.LEASE_MILLIS + 1;
        election.look();
        assertEquals(List.of("begin 1", "end", "begin 1"), office);
        assertTrue(mandate.isValid());
    }

    @Test
    void theNextLeaderBeginsWhenTheMandateBeforeHasLapsed() {
        stored = 4;
        topic.lead(HERE, 5);
        election.look();
        assertEquals(5, stored, "the leader before is to see it");
        assertEquals(List.of(), office);
        assertEquals(Optional.empty(), election.leader(), "nobody decides meanwhile");
        clock += Mandate.LEASE_MILLIS - 1;
        election.look();
        assertEquals(List.of(), office);
        clock++;
        election.look();
        assertEquals(List.of("begin 5"), office);
        assertEquals(Optional.of("10.0.0.1"), election.leader());
    }

    @Test
    void whoDecidedLastNeedNotWaitForItself() {
        election.look();
        isCutOff = true;
        clock += Mandate.LEASE_MILLIS + 1;
        assertThrows(IllegalStateException.class, election::look);
        isCutOff = false;
        topic.lead(HERE, 2);
        election.look();
        assertEquals(List.of("begin 1", "end", "begin 2"), office);
    }

    @Test
    void whoWaitedWhenItsTermEndedGoesOnWaiting() {
        stored = 4;
        topic.lead(HERE, 5);
        election.look();
        topic.lead(HERE, 6);
        election.look();
        assertEquals(List.of(), office, "the mandate of term 4 may still hold");
        clock += Mandate.LEASE_MILLIS;
        election.look();
        assertEquals(List.of("begin 6"), office);
    }

    /** Two nodes on one store, of which the first is cut off at any moment. */
    @Test
    void neverDoTwoNodesHaveAMandate() {
        for (int cut = 0; cut < 30; cut++) {
            office.clear();
            stored = 0;
            isCutOff = false;
            mandate = null;
            Topic there = new Topic();
            List<Mandate> theirs = new ArrayList<>();
            LeaderElection first = new LeaderElection(there, THERE, this::storeThere, () -> clock);
            first.stand(new Office(theirs));
            LeaderElection next = new LeaderElection(topic, HERE, this::store, () -> clock);
            List<Mandate> ours = new ArrayList<>();
            next.stand(new Office(ours));
            there.lead(THERE, 1);
            topic.lead(THERE, 1);
            long from = clock;
            isThereCutOff = false;
            boolean isReplaced = false;
            for (; clock < from + 20_000; clock += 100) {
                isThereCutOff = clock >= from + 100L * cut;
                if (clock >= from + 100L * cut + 1200 && !isReplaced) {
                    topic.lead(HERE, 2);
                    isReplaced = true;
                }
                if ((clock - from) % 500 == 0) {
                    tryToLook(first);
                }
                tryToLook(next);
                assertFalse(isValid(theirs) && isValid(ours), "cut off at " + cut);
            }
            assertTrue(isValid(ours));
        }
    }

    private long storeThere(long term) {
        if (isThereCutOff) {
            throw new IllegalStateException("no storage node answers");
        }
        return store(term);
    }

    private static boolean acquired(Semaphore asked) {
        try {
            return asked.tryAcquire(3, 10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void tryToLook(LeaderElection election) {
        try {
            election.look();
        } catch (IllegalStateException e) {
            // The next look comes.
        }
    }

    private static boolean isValid(List<Mandate> given) {
        return given.stream().anyMatch(Mandate::isValid);
    }

    private static final class Office implements Election.Office {
        private final List<Mandate> given;

        private Office(List<Mandate> given) {
            this.given = given;
        }

        @Override
        public void begin(Mandate mandate) {
            given.add(mandate);
        }

        @Override
        public void end() {
            // Its mandate has ended.
        }
    }

    @Test
    void aFollowerThatReachesNoStorageNamesNoLeader() {
        topic.lead(THERE, 4);
        election.look();
        assertTrue(election.isStorageThere());
        isCutOff = true;
        clock += Mandate.LEASE_MILLIS + 1;
        assertThrows(IllegalStateException.class, election::look);
        assertFalse(election.isStorageThere());
        assertEquals(Optional.empty(), election.leader());
    }

    @Test
    void confirmationsKeepTheMandate() {
        election.look();
        for (int look = 0; look < 5; look++) {
            clock += Mandate.LEASE_MILLIS - 1;
            election.look();
        }
        assertEquals(List.of("begin 1"), office);
    }

    @Test
    void theMandateIsConfirmedWhileTheBeginningLasts() throws InterruptedException {
        AtomicLong time = new AtomicLong(1000);
        Semaphore asked = new Semaphore(0);
        CompletableFuture<Boolean> wasValid = new CompletableFuture<>();
        LeaderElection slow = new LeaderElection(topic, HERE, term -> {
            asked.release();
            return store(term);
        }, time::get);
        topic.lead(HERE, 1);
        slow.start(new Election.Office() {
            @Override
            public void begin(Mandate given) {
                boolean isConfirmed = true;
                for (int step = 0; step < 3; step++) {
                    time.addAndGet(Mandate.LEASE_MILLIS - 500);
                    asked.drainPermits();
                    // The third question comes after the answer to one that was asked at this time.
                    isConfirmed &= acquired(asked);
                }
                wasValid.complete(isConfirmed && given.isValid());
            }

            @Override
            public void end() {
                wasValid.complete(false);
            }
        });
        try {
            assertTrue(wasValid.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        } finally {
            slow.stop();
        }
    }

    @Test
    void oneNodeAloneDecidesForGood() {
        Alone alone = new Alone();
        alone.start(new Election.Office() {
            @Override
            public void begin(Mandate given) {
                mandate = given;
            }

            @Override
            public void end() {
                office.add("end");
            }
        });
        alone.stop();
        mandate.check();
        assertEquals(List.of(), office);
    }

    /** The leadership of one topic: the first candidate leads. */
    private static final class Topic extends LeadershipServiceAdapter {
        private final List<NodeId> candidates = new ArrayList<>();
        private Leader leader;
        private int withdrawn;

        private void lead(NodeId node, long term) {
            if (!candidates.contains(node)) {
                candidates.add(node);
            }
            leader = new Leader(node, term, 0);
        }

        @Override
        public Leadership getLeadership(String path) {
            return candidates.isEmpty() ? null : new Leadership(path, leader, List.copyOf(candidates));
        }

        @Override
        public void withdraw(String path) {
            candidates.remove(HERE);
            withdrawn++;
        }

        @Override
        public Leadership runForLeadership(String path) {
            candidates.add(HERE);
            if (leader == null) {
                lead(HERE, 1);
            }
            return getLeadership(path);
        }
    }
}
