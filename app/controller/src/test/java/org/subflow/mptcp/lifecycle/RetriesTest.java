// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.subflow.mptcp.admission.Refusal;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.SubflowPathIntent;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** What becomes of connections whose rules cannot be installed: tried again, or given up for the sake of others. */
class RetriesTest {
    private static final int FORWARDERS_RULES = 10;
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");

    private final Stage stage = new Stage();
    /** Of these ONOS knows no rules. */
    private final Set<ConnectionId> lost = new HashSet<>();
    private long nanos;

    @BeforeEach
    void start() {
        stage.nanoClock = () -> nanos;
        stage.start();
    }

    private void seconds(int count) {
        nanos += TimeUnit.SECONDS.toNanos(count);
        stage.retry();
    }

    private MptcpIntent intent(ConnectionId id) {
        return stage.intents.submitted.values().stream().filter(one -> one.connection.equals(id)).findFirst().orElseThrow();
    }

    /** ONOS has compiled the intent of a connection to one rule, at switch 1. */
    private FlowRule compiled(ConnectionId id) {
        Subflow first = stage.store.get(id).orElseThrow().first();
        FlowRule rule = rule(first.tuple());
        stage.intents.compiled.put(intent(id).key(), SubflowPathIntent.of(
                intent(id), first.tuple(), rule.selector(), first.ingress(), first.path(), first.egress(), List.of(rule)));
        return rule;
    }

    @Test
    void aTickReadsEachSwitchOnceForCountersAndForWhatIsMissing() {
        stage.open();
        compiled(Stage.ID);
        RuleReading reading = stage.rules.own().read();
        stage.lifecycle.tick(1000, reading);
        stage.retries.tick(reading);
        assertEquals(Set.of(Nets.device(1), Nets.device(5)), Set.copyOf(stage.rules.read));
        assertEquals(2, stage.rules.read.size());
    }

    private static FlowRule rule(FiveTuple tuple) {
        return DefaultFlowRule.builder().forDevice(Nets.device(1)).fromApp(APP).withPriority(RuleKind.SUBFLOW.priority()).makePermanent()
                .withSelector(TupleMatch.of(tuple)).withTreatment(DefaultTrafficTreatment.emptyTreatment()).build();
    }

    /**
     * A second passes, and the switches report what they have: the rules of these connections, and the forwarder's. ONOS waits
     * for those of others.
     */
    private void second(Map<ConnectionId, Long> octets) {
        report(octets);
        stage.pass(1);
        stage.retry();
    }

    private void report(Map<ConnectionId, Long> octets) {
        stage.rules.clear();
        for (int port = 0; port < FORWARDERS_RULES; port++) {
            stage.rules.tell(rule(Stage.tuple("10.0.0.99", 1 + port)), stage.millis + 900, 0, 0);
        }
        stage.rules.state = FlowEntryState.PENDING_ADD;
        stage.store.all().stream().map(Connection::id).filter(id -> !octets.containsKey(id) && !lost.contains(id))
                .forEach(id -> stage.rules.tell(compiled(id), 0, 0, 0));
        stage.rules.state = FlowEntryState.ADDED;
        octets.forEach((id, perSecond) -> stage.store.get(id).ifPresent(connection -> {
            long sent = perSecond * (stage.millis / 1000);
            stage.rules.tell(compiled(id), stage.millis + 900, sent / 1000, sent);
            Subflow first = connection.first();
            stage.rules.tell(first.tuple(), first.ingress(), stage.millis + 900, sent / 1000, sent);
        }));
    }

    @Test
    void aFailedSubmissionIsSubmittedAgainAfterAPause() {
        stage.open();
        long revision = intent(Stage.ID).revision;
        stage.retries.failed(Stage.ID, revision);
        stage.retry();
        assertEquals(revision, intent(Stage.ID).revision);
        seconds(1);
        assertTrue(intent(Stage.ID).revision > revision);
    }

    @Test
    void oneThatFailsAgainAndAgainIsGivenUpAfterLongerAndLongerPauses() {
        stage.open();
        List<Integer> tries = new ArrayList<>();
        for (int second = 0; second < 100 && !stage.store.all().isEmpty(); second++) {
            long revision = intent(Stage.ID).revision;
            stage.retries.failed(Stage.ID, revision);
            seconds(1);
            if (intent(Stage.ID).revision > revision) {
                tries.add(second);
            }
        }
        assertEquals(List.of(0, 2, 6, 14), tries, "after 1, 2, 4 and 8 s");
        assertTrue(stage.store.all().isEmpty());
    }

    @Test
    void rulesThatTheSwitchesHaveAreLeftAlone() {
        stage.open();
        stage.installed();
        for (int second = 0; second < 5; second++) {
            second(Map.of(Stage.ID, 1000L));
        }
        assertEquals(1, stage.store.all().size());
        assertEquals(0, stage.retries.givenUp());
    }

    @Test
    void rulesThatOnosHasLostAreAppliedAgain() {
        stage.open();
        stage.installed();
        FlowRule rule = compiled(Stage.ID);
        lost.add(Stage.ID);
        Reconciler reconciler = stage.reconciler();
        second(Map.of());
        reconciler.look();
        assertEquals(List.of(), stage.rules.applied, "it may be on its way");
        second(Map.of());
        assertEquals(Set.of(Nets.device(1)), stage.retry(), "meanwhile nobody gets new rules there");
        reconciler.look();
        assertEquals(List.of(rule), stage.rules.applied);
        for (int second = 0; second < 5; second++) {
            second(Map.of());
        }
        assertEquals(1, stage.store.all().size(), "the switch has refused nothing");
        int tries = stage.rules.applied.size();
        for (int second = 0; second < 5; second++) {
            second(Map.of(Stage.ID, 1000L));
            reconciler.look();
        }
        assertEquals(tries, stage.rules.applied.size(), "now the switch has it");
    }

    @Test
    void aSwitchThatReportsNothingHasRefusedNothingAndOnosHasLostNothing() {
        stage.open();
        stage.installed();
        compiled(Stage.ID);
        for (int second = 0; second < 5; second++) {
            stage.pass(1);
            stage.retry();
        }
        assertEquals(1, stage.store.all().size());
        assertEquals(List.of(), stage.rules.applied);
    }

    @Test
    void aRefusalIsSeenSoonAlthoughTheSubmissionIsTriedAgainMeanwhile() {
        ConnectionId there = stage.openAnother("0000000a", 2000).id();
        stage.installed();
        second(Map.of(there, 1_000_000L));
        stage.open();
        long first = intent(Stage.ID).revision;
        int reports = 0;
        while (stage.store.get(Stage.ID).isPresent()) {
            report(Map.of(there, 1_000_000L));
            stage.retries.failed(Stage.ID, intent(Stage.ID).revision);
            nanos += TimeUnit.SECONDS.toNanos(1);
            stage.millis += 1000;
            stage.retry();
            reports++;
        }
        assertTrue(intent(Stage.ID).revision > first, "tried again meanwhile");
        assertEquals(6, reports, "two too early to have the rules, and four without them");
    }

    @Test
    void afterARefusalNewcomersStayPlainAndThoseWithLeastTrafficGiveTheirRulesBack() {
        ConnectionId busy = stage.openAnother("0000000a", 2000).id();
        ConnectionId slow = stage.openAnother("0000000b", 2001).id();
        stage.installed();
        Map<ConnectionId, Long> there = Map.of(busy, 1_000_000L, slow, 1_000L);
        for (int second = 0; second < 8; second++) {
            second(there);
        }
        stage.open();
        stage.installed();
        compiled(Stage.ID);
        for (int second = 0; second < 4; second++) {
            second(there);
        }
        assertEquals(3, stage.store.all().size(), "the switch may just have come back");
        second(there);
        second(there);
        assertEquals(List.of(busy), stage.store.all().stream().map(Connection::id).collect(Collectors.toList()),
                     "the newcomer's rules are not in the switch, and a tenth of its table is free again");
        assertEquals(2, stage.retries.givenUp());
        assertTrue(stage.intents.withdrawn.contains(intent(Stage.ID).key()));

        stage.rules.clear();
        for (int port = 0; port < 2 * FORWARDERS_RULES; port++) {
            stage.rules.tell(rule(Stage.tuple("10.0.0.99", 1 + port)), stage.millis + 900, 0, 0);
        }
        assertFalse(opened(3000));
        assertEquals(1, stage.admission.refusals().of(Refusal.FLOW_TABLES));
        nanos += TimeUnit.SECONDS.toNanos(31);
        assertTrue(opened(3001), "one finds out whether the table is still full");
    }

    @Test
    void otherRulesThatASwitchRefusesCostThoseWithLeastTrafficTheirRules() {
        ConnectionId busy = stage.openAnother("0000000a", 2000).id();
        ConnectionId slow = stage.openAnother("0000000b", 2001).id();
        stage.installed();
        for (int second = 0; second < 8; second++) {
            second(Map.of(busy, 1_000_000L, slow, 1_000L));
        }
        stage.retries.tableIsFull(Nets.device(1));
        assertEquals(List.of(busy), stage.store.all().stream().map(Connection::id).collect(Collectors.toList()));
        assertEquals(1, stage.retries.givenUp());
        assertFalse(opened(3000), "newcomers stay plain");
    }

    private boolean opened(int port) {
        return stage.admission.opened(ConnectionId.of("0000" + port), Opening.of(Stage.tuple("10.0.0.1", port), List.of()), 1,
                                      Token.of(port), Token.of(port + 1), stage.millis);
    }
}
