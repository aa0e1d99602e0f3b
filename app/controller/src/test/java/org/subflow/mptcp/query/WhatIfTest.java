// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.loop.ControlLoop;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What a connection would get is what it gets, and asking leaves no trace. */
class WhatIfTest {
    private static final double ROUNDING = 1e3;

    private final Stage stage = new Stage();

    @Test
    void threeSubflowsOfAnEmptyDiamondGetAPathAndALinksWorthEach() {
        Connection answer = ask(settings("widest-disjoint", 3));

        assertEquals(3, answer.subflows().size());
        assertEquals(6, linksOf(answer).size(), "no link is used twice");
        answer.subflows().forEach(subflow -> assertEquals(Nets.CAPACITY, subflow.expected().up(), ROUNDING));
    }

    @Test
    void theAnswerIsWhatARealConnectionThenGets() {
        stage.settings = settings("widest-disjoint", 3);
        stage.openAnother("busy", 2000);
        Connection answer = ask(settings("widest-disjoint", 3));

        stage.open();
        stage.join(1);
        Connection real = stage.join(2);

        for (int i = 0; i < 3; i++) {
            assertEquals(real.subflows().get(i).path(), answer.subflows().get(i).path());
            assertEquals(real.subflows().get(i).expected().up(), answer.subflows().get(i).expected().up(), ROUNDING);
        }
    }

    @Test
    void answersAboutOneMomentCanBeCompared() {
        WhatIf.Moment now = stage.whatIf.now(stage.provisioner.live());
        Connection before = now.connection(settings("widest-disjoint", 2), first());
        stage.cut(2, 5);
        stage.openAnother("busy", 2000);
        assertEquals(before, now.connection(settings("widest-disjoint", 2), first()));
        assertNotEquals(before.subflows(), ask(settings("widest-disjoint", 2)).subflows());
    }

    @Test
    void askingLeavesNoTrace() {
        stage.open();
        Connection before = stage.connection();
        int events = stage.events.size();

        ask(settings("shortest", 4));

        assertEquals(List.of(before), stage.store.all());
        assertEquals(events, stage.events.size());
        assertEquals(1, stage.intents.submitted.size());
    }

    @Test
    void theJoinPolicyDecidesWhatAFourthSubflowGets() {
        assertEquals(SubflowState.BLOCKED, fourth(JoinPolicy.BLOCK));
        assertEquals(SubflowState.BACKUP, fourth(JoinPolicy.BACKUP));
        assertEquals(SubflowState.ACTIVE, fourth(JoinPolicy.SHARE));
    }

    @Test
    void hostsThatNothingJoinsGetNothing() {
        for (int middle = 2; middle <= 4; middle++) {
            stage.cut(middle, 5);
        }
        Connection answer = ask(settings("widest-disjoint", 2));
        assertTrue(answer.subflows().stream().allMatch(subflow -> subflow.state() == SubflowState.DOWN));
        assertEquals(0, answer.expected().up());
    }

    @Test
    void aQuestionDoesNotNeedTheControlLoop() {
        ControlLoop decisions = new ControlLoop(Thread::new, 1, System::nanoTime);
        try {
            stage.guard = LoopGuard.of(decisions);
            stage.start();
            assertThrows(IllegalStateException.class, stage.model::now, "decisions are the loop's");
            assertEquals(2, ask(settings("shortest", 2)).subflows().size());
        } finally {
            decisions.stop();
        }
    }

    @Test
    void anUnknownStrategyIsNamed() {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> ask(settings("fastest", 2)));
        assertTrue(refusal.getMessage().contains("fastest"));
    }

    private SubflowState fourth(JoinPolicy policy) {
        return ask(settings("widest-disjoint", 4).with(Settings.JOIN_POLICY, policy)).subflows().get(3).state();
    }

    private static Settings settings(String strategy, int subflows) {
        return Settings.DEFAULTS.with(Settings.STRATEGY, strategy).with(Settings.SUBFLOWS, subflows);
    }

    private Connection ask(Settings settings) {
        return stage.whatIf.now(stage.provisioner.live()).connection(settings, first());
    }

    private static Subflow first() {
        return Subflow.unrouted(Stage.tuple("10.0.0.1", 0), true, false, Nets.edge(1), Nets.edge(5));
    }

    private static Set<Link> linksOf(Connection connection) {
        Set<Link> links = new HashSet<>();
        connection.subflows().forEach(subflow -> links.addAll(subflow.path()));
        return links;
    }
}
