// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.subflow.mptcp.topology.Nets;

/** What ONOS has becomes what is wanted, whatever happens in between. */
class ReconcilerTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.onosproject.fwd");
    private static final int SWITCHES = 3;
    private static final int RULES = 12;
    /** One of another application in each switch: ONOS tells something of all of them. */
    private static final Set<FlowRule> OTHERS =
            Set.of(rule(OTHER, RuleKind.WAKE, RULES), rule(OTHER, RuleKind.WAKE, RULES + 1), rule(OTHER, RuleKind.WAKE, RULES + 2));

    private final FakeFlowRules onos = new FakeFlowRules();
    private static final List<FlowEntryState> STATES = List.of(FlowEntryState.values());
    private final Set<FlowRule> wanted = new HashSet<>();
    private final KnownSwitches switches = new KnownSwitches(SWITCHES);
    private final Reconciler reconciler = new Reconciler(
            new OwnRules(onos, switches, APP), Map.of(RuleKind.WAKE, () -> new WantedRules(wanted.stream(), other -> false)));

    ReconcilerTest() {
        OTHERS.forEach(rule -> onos.put(rule, FlowEntryState.ADDED));
    }

    private static FlowRule rule(ApplicationId app, RuleKind kind, int number) {
        return kind.rule(app, Nets.device(1 + number % SWITCHES),
                         DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(number + 1)).build(),
                         DefaultTrafficTreatment.builder().punt().build());
    }

    private static FlowRule rule(int number) {
        return rule(APP, RuleKind.WAKE, number);
    }

    private Set<FlowRule> own() {
        Set<FlowRule> own = new HashSet<>(onos.rules());
        own.removeIf(rule -> rule.appId() == OTHER.id());
        return own;
    }

    private void looks(int times) {
        for (int look = 0; look < times; look++) {
            reconciler.look();
        }
    }

    @Test
    void aRuleThatLeadsElsewhereIsAppliedAgain() {
        FlowRule ours = rule(1);
        wanted.add(ours);
        onos.put(RuleKind.WAKE.rule(APP, ours.deviceId(), ours.selector(), DefaultTrafficTreatment.builder().drop().build()),
                 FlowEntryState.ADDED);
        looks(2);
        assertEquals(List.of(ours.treatment()), own().stream().map(FlowRule::treatment).collect(Collectors.toList()));
    }

    @Test
    void aLostRuleComesAgainOnceItIsMissingAtTwoLooks() {
        wanted.add(rule(1));
        looks(1);
        assertEquals(Set.of(), own(), "it may be on its way");
        looks(1);
        assertEquals(wanted, own());
    }

    @Test
    void aTableStandsStillWhereOnosDoesNothingOfWhatItIsAskedForAgainAndAgain() {
        onos.isStill = true;
        onos.put(rule(1), FlowEntryState.ADDED);
        wanted.add(rule(2));
        looks(Reconciler.STANDS_STILL);
        assertEquals(Set.of(), reconciler.standingStill(), "the first look asks for nothing");
        looks(1);
        assertEquals(Set.of(rule(1).deviceId(), rule(2).deviceId()), reconciler.standingStill());
        onos.isStill = false;
        looks(2);
        assertEquals(Set.of(), reconciler.standingStill());
        assertEquals(wanted, own());
    }

    @Test
    void aTableThatLosesAnotherRuleEachTimeDoesNotStandStill() {
        for (int look = 0; look < 4 * Reconciler.STANDS_STILL; look++) {
            onos.stored.keySet().removeAll(wanted);
            wanted.clear();
            wanted.add(rule(look / 2 * SWITCHES));
            looks(1);
            assertEquals(Set.of(), reconciler.standingStill());
        }
    }

    @Test
    void aRuleThatNobodyWantsGoesAtTheSecondLook() {
        onos.put(rule(1), FlowEntryState.ADDED);
        looks(1);
        assertEquals(Set.of(rule(1)), own(), "its removal may be on its way");
        looks(1);
        assertEquals(Set.of(), own());
        assertTrue(onos.rules().containsAll(OTHERS));
    }

    @Test
    void aWantedRuleThatOnosGoesOnRemovingIsAskedForAgain() {
        wanted.add(rule(1));
        onos.put(rule(1), FlowEntryState.PENDING_REMOVE);
        looks(2);
        assertEquals(FlowEntryState.ADDED, onos.stored.get(rule(1)).state());
    }

    @Test
    void onosMayForgetWhatItHasRemovedAndWaitForWhatItAdds() {
        onos.put(rule(1), FlowEntryState.REMOVED);
        wanted.add(rule(2));
        onos.put(rule(2), FlowEntryState.PENDING_ADD);
        looks(3);
        assertEquals(List.of(), onos.asked);
    }

    @Test
    void aSwitchThatLeavesAWantedRuleUnconfirmedFromLookToLookIsTold() {
        wanted.addAll(Set.of(rule(1), rule(2)));
        onos.put(rule(1), FlowEntryState.PENDING_ADD);
        onos.put(rule(2), FlowEntryState.ADDED);
        onos.put(rule(3), FlowEntryState.PENDING_ADD);
        assertEquals(Set.of(), reconciler.look(), "it may be on its way");
        assertEquals(Set.of(rule(1).deviceId()), reconciler.look());
        onos.put(rule(1), FlowEntryState.ADDED);
        assertEquals(Set.of(), reconciler.look());
    }

    @Test
    void rulesThatEndByThemselvesStay() {
        FlowRule plain = rule(APP, RuleKind.PLAIN, 1);
        onos.put(plain, FlowEntryState.ADDED);
        looks(3);
        assertEquals(Set.of(plain), own());
    }

    @Test
    void whatIsUnknownOrDownIsLeft() {
        wanted.addAll(Set.of(rule(1), rule(2)));
        switches.up.remove(rule(1).deviceId());
        onos.put(rule(4), FlowEntryState.ADDED);
        onos.stored.keySet().removeIf(rule -> rule.deviceId().equals(rule(2).deviceId()));
        looks(3);
        assertEquals(Set.of(rule(4)), own(), "one switch is down, and one without a master");
        switches.up.add(rule(1).deviceId());
        looks(2);
        assertEquals(Set.of(rule(1)), own());
    }

    @Test
    void whatAnEarlierRunLeftGoesAtTheBegin() {
        wanted.add(rule(1));
        for (int number = 1; number < RULES; number++) {
            onos.put(rule(number), FlowEntryState.ADDED);
        }
        reconciler.begin(RuleKind.WAKE);
        assertEquals(wanted, own());
    }

    @Test
    void afterTheStopItAddsNothing() {
        wanted.add(rule(1));
        looks(1);
        reconciler.stop();
        looks(3);
        assertEquals(Set.of(), own());
    }

    @Test
    void aLookAtManyRulesGoesOnInTheNextOne() {
        for (int number = 0; number < SWITCHES * Reconciler.MOST_RULES_IN_A_LOOK; number++) {
            onos.put(rule(APP, RuleKind.PLAIN, number), FlowEntryState.ADDED);
        }
        looks(1);
        assertEquals(1, onos.read.size());
        looks(SWITCHES - 1);
        assertEquals(switches.up, Set.copyOf(onos.read));
    }

    /** ONOS carries out what it is asked for late and in any order, loses rules, and puts removed ones back. */
    @Property
    void inTheEndOnosHasWhatIsWanted(@ForAll @Size(max = 80) List<@IntRange(min = 0, max = 6 * RULES - 1) Integer> steps) {
        List<Runnable> late = new ArrayList<>();
        for (int step : steps) {
            FlowRule rule = rule(step % RULES);
            switch (step / RULES) {
                case 0:
                    wanted.add(rule);
                    late.add(() -> onos.put(rule, FlowEntryState.ADDED));
                    break;
                case 1:
                    wanted.remove(rule);
                    late.add(() -> onos.stored.remove(rule));
                    break;
                case 2:
                    onos.stored.remove(rule);
                    break;
                case 3:
                    onos.put(rule, STATES.get(step % STATES.size()));
                    break;
                case 4:
                    if (!late.isEmpty()) {
                        late.remove(step % late.size()).run();
                    }
                    break;
                default:
                    reconciler.look();
                    break;
            }
        }
        late.forEach(Runnable::run);
        looks(2);
        Set<FlowRule> standing = own();
        standing.removeIf(rule -> onos.stored.get(rule).state() == FlowEntryState.REMOVED);
        assertEquals(wanted, standing);
        assertTrue(onos.rules().containsAll(OTHERS));
    }
}
