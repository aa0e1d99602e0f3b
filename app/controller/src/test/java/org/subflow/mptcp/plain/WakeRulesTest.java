// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

class WakeRulesTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final int MANY = 100;

    private final Set<FlowRule> installed = new LinkedHashSet<>();
    private final List<DeviceId> full = new ArrayList<>();
    /** The most rules that the switch takes. */
    private int room = Integer.MAX_VALUE;
    private int refusals;
    private long nanos;
    private final FlowRuleService rules = new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            if (installed.size() >= room) {
                refusals++;
                operations.callback().onError(operations);
                return;
            }
            operations.stages().forEach(stage -> stage.forEach(operation -> installed.add(operation.rule())));
            operations.callback().onSuccess(operations);
        }

        @Override
        public void applyFlowRules(FlowRule... lost) {
            installed.addAll(Set.of(lost));
        }

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return installed.stream().map(rule -> new DefaultFlowEntry(rule, FlowEntryState.ADDED)).collect(Collectors.toList());
        }

        @Override
        public void removeFlowRules(FlowRule... rules) {
            installed.removeAll(Set.of(rules));
        }
    };
    private final OwnRules own = new OwnRules(rules, new KnownSwitches(1), APP);
    private final WakeRules wakeRules = keeper();

    private WakeRules keeper() {
        return new WakeRules(own, () -> nanos, full::add);
    }

    private Reconciler reconciler(WakeRules of) {
        return new Reconciler(own, Map.of(RuleKind.WAKE, of::wanted));
    }

    private void seconds(int count) {
        for (int second = 0; second < count; second++) {
            nanos += TimeUnit.SECONDS.toNanos(1);
            wakeRules.takeTurns();
        }
    }

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
    void aRuleWhoseRemovalOvertookItsInstallationGoesWithTheSecondLook() {
        Reconciler reconciler = reconciler(wakeRules);
        watch(1);
        Set<FlowRule> late = new HashSet<>(installed);
        wakeRules.ignore(tuple(1));
        wakeRules.watch(tuple(2), Nets.edge(1));
        installed.addAll(late);
        reconciler.look();
        assertEquals(2, installed.size(), "its removal may be under way");
        reconciler.look();
        assertEquals(1, installed.size());
        assertTrue(installed.stream().noneMatch(late::contains));
    }

    @Test
    void aLostRuleComesAgain() {
        Reconciler reconciler = reconciler(wakeRules);
        watch(2);
        Set<FlowRule> before = Set.copyOf(installed);
        installed.remove(before.iterator().next());
        reconciler.look();
        reconciler.look();
        assertEquals(before, installed);
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
        WakeRules later = keeper();
        later.watch(tuple(2), Nets.edge(1));
        reconciler(later).begin(RuleKind.WAKE);
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

    @Test
    void aSwitchRefusesOneRuleASecond() {
        room = 5;
        watch(MANY);
        assertEquals(5, installed.size());
        assertEquals(1, refusals);
        for (int turn = 0; turn < MANY; turn++) {
            wakeRules.takeTurns();
        }
        assertEquals(1, refusals, "no second has passed");
        assertEquals(5, installed.size(), "those that have rules keep them");
        seconds(3);
        assertEquals(4, refusals);
        assertEquals(5, installed.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 28})
    void onAFullTableEverybodyGetsATurn(int fitting) {
        room = fitting;
        watch(MANY);
        Set<FlowRule> had = new HashSet<>(installed);
        for (int second = 0; second < 2 * MANY && had.size() < MANY; second++) {
            seconds(1);
            had.addAll(installed);
        }
        assertEquals(MANY, had.size());
        wakeRules.watch(tuple(MANY + 1), Nets.edge(1));
        for (int second = 0; second < 3 && had.containsAll(installed); second++) {
            seconds(1);
        }
        assertFalse(had.containsAll(installed), "whoever is new does not wait for the silent");
    }

    @Test
    void aFullTableIsToldAfterAFewRefusalsInARow() {
        room = 0;
        watch(1);
        seconds(RefusingSwitches.MANY - 2);
        assertEquals(List.of(), full, "it may have changed its master");
        seconds(1);
        assertEquals(List.of(Nets.edge(1).deviceId()), full);
        seconds(RefusingSwitches.MANY);
        assertEquals(2, full.size(), "and again while it refuses");
        assertTrue(wakeRules.isWatched(tuple(1)));
    }

    @Test
    void onceThereIsRoomEverybodyGetsARule() {
        room = 1;
        watch(3);
        seconds(2);
        assertEquals(1, installed.size());
        room = Integer.MAX_VALUE;
        seconds(2);
        assertEquals(3, installed.size());
        room = 3;
        watch(4);
        assertEquals(3, installed.size());
        seconds(RefusingSwitches.MANY - 2);
        assertEquals(List.of(), full, "what was refused before does not count");
    }

    @Test
    void whoeverLeavesWhileItsSwitchRefusesIsForgotten() {
        room = 0;
        watch(1);
        wakeRules.ignore(tuple(1));
        room = 1;
        seconds(3);
        assertTrue(installed.isEmpty());
    }
}
