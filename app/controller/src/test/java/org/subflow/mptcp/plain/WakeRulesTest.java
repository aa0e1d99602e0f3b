// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Nets;

class WakeRulesTest {
    private static final int MANY = 100;

    private final Set<FlowRule> installed = new LinkedHashSet<>();
    private final FlowRuleService rules = new FlowRuleServiceAdapter() {
        @Override
        public void applyFlowRules(FlowRule... rules) {
            installed.addAll(Set.of(rules));
        }

        @Override
        public Iterable<FlowEntry> getFlowEntriesById(ApplicationId id) {
            return installed.stream().map(DefaultFlowEntry::new).collect(Collectors.toList());
        }

        @Override
        public void removeFlowRules(FlowRule... rules) {
            installed.removeAll(Set.of(rules));
        }
    };
    private final WakeRules wakeRules = new WakeRules(rules, new DefaultApplicationId(7, "org.subflow.mptcp"));

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 80);
    }

    private void watch(int count) {
        for (int port = 1; port <= count; port++) {
            wakeRules.watch(tuple(port), Nets.edge(1));
        }
    }

    @Test
    void oneRuleWhereThePacketEntersAndNoneAfterwards() {
        watch(1);
        watch(1);
        assertEquals(1, installed.size());
        assertEquals(Nets.edge(1).deviceId(), installed.iterator().next().deviceId());
        assertTrue(wakeRules.isWatched(tuple(1)));
        wakeRules.ignore(tuple(1));
        wakeRules.ignore(tuple(1));
        assertTrue(installed.isEmpty());
        assertFalse(wakeRules.isWatched(tuple(1)));
    }

    @Test
    void aHostThatMovedIsWatchedAtItsNewSwitch() {
        wakeRules.watch(tuple(1), Nets.edge(1));
        wakeRules.watch(tuple(1), Nets.edge(5));
        assertEquals(1, installed.size());
        assertEquals(Nets.edge(5).deviceId(), installed.iterator().next().deviceId());
    }

    @Test
    void aSwitchHasOnlySoManyAndEverybodyGetsATurn() {
        watch(MANY);
        Set<FlowRule> had = new HashSet<>(installed);
        for (int turn = 0; turn < 2 * MANY / (WakeRules.MOST_PER_SWITCH / 2); turn++) {
            assertEquals(WakeRules.MOST_PER_SWITCH, installed.size());
            wakeRules.takeTurns();
            had.addAll(installed);
        }
        assertEquals(MANY, had.size());
        had.clear();
        for (int turn = 0; turn < MANY; turn++) {
            wakeRules.takeTurns();
            had.addAll(installed);
        }
        assertEquals(MANY, had.size(), "again and again");
    }

    @Test
    void whoeverIsNewNeedNotWaitForTheSilent() {
        watch(MANY);
        for (int turn = 0; turn < MANY; turn++) {
            wakeRules.takeTurns();
        }
        Set<FlowRule> before = new HashSet<>(installed);
        wakeRules.watch(tuple(MANY + 1), Nets.edge(1));
        assertEquals(WakeRules.MOST_PER_SWITCH, installed.size());
        installed.removeAll(before);
        assertEquals(1, installed.size(), "at once");
    }

    @Test
    void theSilentCostFewChanges() {
        watch(MANY);
        for (int turn = 0; turn < MANY; turn++) {
            wakeRules.takeTurns();
        }
        Set<FlowRule> before = new HashSet<>(installed);
        wakeRules.takeTurns();
        installed.removeAll(before);
        assertTrue(!installed.isEmpty() && installed.size() <= 4, installed.size() + " at once");
    }

    @Test
    void whoeverWaitsTakesAFreePlace() {
        watch(WakeRules.MOST_PER_SWITCH + 1);
        wakeRules.ignore(tuple(1));
        assertEquals(WakeRules.MOST_PER_SWITCH, installed.size());
        wakeRules.takeTurns();
        assertEquals(WakeRules.MOST_PER_SWITCH, installed.size(), "with nobody waiting nothing changes");
    }

    /** ONOS carries changes out on several threads. */
    @Test
    void aRuleWhoseRemovalOvertookItsInstallationGoesWithTheSecondSweep() {
        watch(1);
        Set<FlowRule> late = new HashSet<>(installed);
        wakeRules.ignore(tuple(1));
        wakeRules.watch(tuple(2), Nets.edge(1));
        installed.addAll(late);
        wakeRules.sweep(tuple -> true);
        assertEquals(2, installed.size(), "its removal may be under way");
        wakeRules.sweep(tuple -> true);
        assertEquals(1, installed.size());
        assertTrue(installed.stream().noneMatch(late::contains));
    }

    @Test
    void whatNobodyWaitsForGoes() {
        watch(3);
        wakeRules.sweep(tuple -> tuple.equals(tuple(2)));
        assertEquals(1, installed.size());
        assertTrue(wakeRules.isWatched(tuple(2)));
        assertFalse(wakeRules.isWatched(tuple(1)));
    }

    @Test
    void thereIsALimitOfThoseThatWait() {
        watch(WakeRules.MOST_PER_SWITCH + WakeRules.MOST_WAITING + 10);
        assertFalse(wakeRules.isWatched(tuple(WakeRules.MOST_PER_SWITCH + 1)), "the one that waited longest");
        assertTrue(wakeRules.isWatched(tuple(1)));
    }

    @Test
    void whatAnEarlierRunLeftIsTakenOverOrRemoved() {
        watch(2);
        WakeRules later = new WakeRules(rules, new DefaultApplicationId(7, "org.subflow.mptcp"));
        later.recover(tuple -> tuple.equals(tuple(2)));
        assertEquals(1, installed.size());
        assertTrue(later.isWatched(tuple(2)));
        later.ignore(tuple(2));
        assertTrue(installed.isEmpty());
    }

    @Test
    void nothingIsLeftWhenNobodyIsWatched() {
        watch(MANY);
        for (int port = 1; port <= MANY; port++) {
            wakeRules.ignore(tuple(port));
        }
        wakeRules.takeTurns();
        assertTrue(installed.isEmpty());
    }
}
