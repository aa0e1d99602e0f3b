// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private long clock = 1000;
    private Mandate mandate;
    private final LeaderElection election = new LeaderElection(topic, HERE, this::store, () -> clock);

    @BeforeEach
    void stand() {
        election.stand(new Election.Office() {
            @Override
            public void begin(Mandate given) {
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
    void confirmationsKeepTheMandate() {
        election.look();
        for (int look = 0; look < 5; look++) {
            clock += Mandate.LEASE_MILLIS - 1;
            election.look();
        }
        assertEquals(List.of("begin 1"), office);
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
        public Leadership runForLeadership(String path) {
            candidates.add(HERE);
            if (leader == null) {
                lead(HERE, 1);
            }
            return getLeadership(path);
        }
    }
}
