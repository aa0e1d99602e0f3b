// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.submission.ConnectionIntents;
import org.subflow.mptcp.submission.NoOutcome;
import org.subflow.mptcp.topology.Nets;

/** What a stop removes, and in which order. */
class WithdrawalTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.onosproject.fwd");
    private static final int SWITCHES = 3;

    private final FakeFlowRules onos = new FakeFlowRules();
    private final OwnRules own = new OwnRules(onos, new KnownSwitches(SWITCHES), APP);
    private final Withdrawal withdrawal = new Withdrawal(
            own, new ConnectionIntents(new IntentServiceAdapter(), own, new NoOutcome(), () -> PathLabels.OFF));

    private static FlowRule rule(ApplicationId app, RuleKind kind, int device) {
        return kind.rule(app, Nets.device(device),
                         DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(app.id())).build(),
                         DefaultTrafficTreatment.builder().punt().build());
    }

    private void put(ApplicationId app) {
        for (RuleKind kind : RuleKind.values()) {
            for (int device = 1; device <= SWITCHES; device++) {
                onos.put(rule(app, kind, device), FlowEntryState.ADDED);
            }
        }
    }

    private static Set<RuleKind> kinds(Set<FlowRuleOperation> stage) {
        return stage.stream().map(one -> Set.of(RuleKind.values()).stream().filter(kind -> kind.includes(one.rule())).findFirst().get())
                .collect(Collectors.toSet());
    }

    @Test
    void allRulesOfTheApplicationGoAndNoOthers() {
        put(APP);
        put(OTHER);
        withdrawal.removeRules();
        assertEquals(RuleKind.values().length * SWITCHES, onos.rules().size());
        assertTrue(onos.rules().stream().allMatch(rule -> rule.appId() == OTHER.id()));
    }

    @Test
    void noPacketGetsALabelOnceTheRulesOfPathsGo() {
        put(APP);
        withdrawal.removeRules();
        List<Set<RuleKind>> order = onos.asked.stream().map(FlowRuleOperations::stages).flatMap(List::stream)
                .map(WithdrawalTest::kinds).collect(Collectors.toList());
        Set<RuleKind> first = new HashSet<>(Set.of(RuleKind.values()));
        first.removeAll(Set.of(RuleKind.SUBFLOW, RuleKind.PATH));
        assertEquals(List.of(first, Set.of(RuleKind.SUBFLOW), Set.of(RuleKind.PATH)), order);
    }
}
