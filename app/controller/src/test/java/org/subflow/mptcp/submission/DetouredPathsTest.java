// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.Link;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

/** Where a path with a label has lost a link, its rules lead around it. */
class DetouredPathsTest extends SharedPathsScenario {
    @Test
    void whereALinkIsLostTheRulesOfItsPathsLeadAroundItAtOnce() {
        submitted(ONE, 2);
        leadAround();

        assertEquals(1, switches.waiting(), "the path of the other direction is whole");
        switches.carryOut();
        MacAddress label = label(1);
        assertEquals(List.of("of:2 from 1 out 3", "of:3 from 2 out 5", "of:5 from 3 out 100"), shared(label));

        intents.detour(Optional::of);
        switches.carryOut();
        assertEquals(List.of("of:2 from 1 out 5", "of:5 from 2 out 100"), shared(label));
    }

    @Test
    void whereThereIsNoWayAroundNothingChanges() {
        submitted(ONE, 2);
        intents.detour(path -> Optional.empty());
        assertEquals(0, switches.waiting());
    }

    @Test
    void aConnectionWaitsUntilThePathFollowsItsLinksAgain() {
        submitted(ONE, 2);
        leadAround();
        switches.carryOut();
        intents.submit(connection(TWO, 2));
        assertEquals(List.of(), store.waiting(), "the path is there, but leads elsewhere");

        intents.detour(Optional::of);
        switches.carryOut();
        intents.submitWaiting();
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void theRulesOfAConnectionAreThoseOfItsDetour() {
        submitted(ONE, 2);
        leadAround();
        switches.carryOut();
        assertTrue(intents.rules(ONE).stream().anyMatch(rule -> rule.deviceId().equals(Nets.device(3))));
    }

    @Test
    void whileADetourIsOnItsWayTheRulesOfThePathAreNoStrayOnes() {
        submitted(ONE, 2);
        leadAround();
        for (int look = 0; look < 3; look++) {
            reconciler.look();
        }
        switches.carryOut();
        assertEquals(List.of("of:2 from 1 out 3", "of:3 from 2 out 5", "of:5 from 3 out 100"), shared(label(1)));
    }

    @Test
    void aDetourThatASwitchRefusesIsAskedForOnceMore() {
        submitted(ONE, 2);
        leadAround();
        switches.refuse();
        assertEquals(0, at(3));
        sweep(1);
        assertTrue(at(3) > 0);
    }

    @Test
    void theRulesOfADetourGoWithThePath() {
        submitted(ONE, 2);
        leadAround();
        switches.carryOut();
        assertTrue(at(3) > 0);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 2);
        assertEquals(0, at(3));
        assertEquals(0, paths());
    }

    @Test
    void thoseThatItDoesNotNeedGoAtOnce() {
        submitted(ONE, 2);
        leadAround();
        switches.carryOut();
        intents.detour(Optional::of);
        switches.carryOut();
        assertEquals(0, at(3));
    }

    private long at(int device) {
        return switches.rules().stream().filter(rule -> rule.deviceId().equals(Nets.device(device))).count();
    }

    /** Leads packets from switch 1 over 3 instead of straight from 2 to 5. */
    private void leadAround() {
        List<Link> around = List.of(Nets.link(1, 2), Nets.link(2, 3), Nets.link(3, 5));
        intents.detour(path -> Optional.of(path.get(0).src().deviceId().equals(Nets.device(1)) ? around : path));
    }

    /** Returns the label of the path from this switch. */
    private MacAddress label(int from) {
        return intents.rules(ONE).stream()
                .filter(rule -> rule.deviceId().equals(Nets.device(from)) && rule.priority() == RuleKind.SUBFLOW.priority())
                .flatMap(rule -> rule.treatment().allInstructions().stream())
                .filter(ModEtherInstruction.class::isInstance)
                .map(instruction -> ((ModEtherInstruction) instruction).mac()).findFirst().get();
    }

    /** Returns the rules that switches have for packets with a label: switch, port in, port out. */
    private List<String> shared(MacAddress label) {
        return switches.stored.values().stream()
                .filter(rule -> rule.selector().getCriterion(Criterion.Type.ETH_DST) != null
                        && ((EthCriterion) rule.selector().getCriterion(Criterion.Type.ETH_DST)).mac().equals(label))
                .map(rule -> rule.deviceId() + " from "
                        + ((PortCriterion) rule.selector().getCriterion(Criterion.Type.IN_PORT)).port() + " out "
                        + rule.treatment().allInstructions().stream().filter(OutputInstruction.class::isInstance)
                                .map(instruction -> ((OutputInstruction) instruction).port().toString()).findFirst().get())
                .sorted().collect(Collectors.toList());
    }
}
