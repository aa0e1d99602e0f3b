// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;
import org.subflow.mptcp.topology.Nets;

/** What becomes of intents that ONOS did not take away when it was asked to. */
class ConnectionIntentsTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ConnectionId LIVE = ConnectionId.of("live");
    private static final ConnectionId GONE = ConnectionId.of("gone");
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 5201);

    private static final FiveTuple OTHER_TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.3"), 1000, IpAddress.valueOf("10.0.0.2"), 5201);

    private static final ApplicationId OTHER = new DefaultApplicationId(3, "org.onosproject.net.intent");

    private final Held held = new Held();
    private final Switches rules = new Switches();
    private final OwnRules own = new OwnRules(rules, new KnownSwitches(5), APP);
    private ConnectionIntents intents;
    private Reconciler reconciler;

    @BeforeEach
    void bind() {
        IntentIds.bind();
        intents = new ConnectionIntents(held, own, new NoOutcome(), () -> PathLabels.OFF);
        reconciler = new Reconciler(own, intents.wantedRules());
        held.add(LIVE, IntentState.INSTALLED);
    }

    private void sweep() {
        intents.sweep();
        reconciler.look();
    }

    @Test
    void revisionsGoOnAfterThoseOfAnEarlierRun() {
        long before = 0;
        for (int i = 0; i < 3; i++) {
            before = intents.submit(connection(2));
        }
        held.add(LIVE, IntentState.INSTALLED, before);
        ConnectionIntents next = new ConnectionIntents(held, own, new NoOutcome(), () -> PathLabels.OFF);
        next.start();
        assertTrue(next.submit(connection(2)) > before);
    }

    @Test
    void whatIsInstalledForNobodyIsWithdrawn() {
        intents.submit(connection(2));
        held.add(GONE, IntentState.INSTALLED);
        intents.sweep();
        assertEquals(List.of("withdraw gone"), held.asked);
    }

    @Test
    void aFailedWithdrawalIsRepeatedAndPurgedOnceNoRuleRemains() {
        intents.submit(connection(2));
        held.add(GONE, IntentState.FAILED);
        held.hasRules = true;
        intents.sweep();
        held.hasRules = false;
        intents.sweep();
        assertEquals(List.of("withdraw gone", "purge gone"), held.asked);
    }

    @Test
    void whatIsOnItsWayIsLeftAlone() {
        intents.submit(connection(2));
        held.add(GONE, IntentState.WITHDRAWING);
        intents.sweep();
        assertEquals(List.of(), held.asked);
    }

    @Test
    void aRuleThatOnosPutBackIsRemovedAgain() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        rules.installed.add(rule(2, 1));

        sweep();
        assertEquals(List.of(), rules.removed, "its removal may be under way");
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);

        rules.installed.clear();
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void soIsOneWhoseRemovalCameTooEarly() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        rules.installed.add(rule(2, 1));
        rules.state = FlowEntryState.PENDING_REMOVE;

        sweep();
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void soIsOneOfAnEarlierPathThatOnosNeverSaidToBeInstalled() {
        intents.submit(connection(2));
        intents.submit(connection(3));
        held.compiled = List.of(rule(2, 1));
        rules.installed.add(rule(2, 1));
        rules.installed.add(rule(3, 1));
        rules.installed.add(rule(5, 3));

        sweep();
        sweep();
        assertEquals(List.of(), rules.removed, "until the new path is there, the old one carries");
        held.add(LIVE, IntentState.INSTALLED, 2);
        held.compiled = List.of(rule(3, 1), rule(5, 3));
        sweep();
        assertEquals(List.of(), rules.removed, "its last packets may be on their way");
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void soIsOneThatAMoveHasLeftWhenTheApplicationStops() {
        intents.submit(connection(2));
        intents.submit(connection(3));
        held.add(LIVE, IntentState.INSTALLED, 2);
        rules.installed.add(rule(2, 1));
        held.intents.clear();
        assertTrue(intents.removeAll(0));

        sweep();
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void aRuleThatItsConnectionHasAgainIsLeftAlone() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        intents.submit(connection(2));
        held.add(LIVE, IntentState.INSTALLED, 2);
        held.compiled = List.of(rule(2, 1));
        rules.installed.add(rule(2, 1));

        sweep();
        sweep();
        assertEquals(List.of(), rules.removed);
    }

    @Test
    void aRuleThatOnosLosesLaterIsAddedAgain() {
        intents.submit(connection(2));
        held.add(LIVE, IntentState.INSTALLED);
        held.compiled = List.of(rule(2, 1));
        rules.installed.add(rule(OTHER_TUPLE, 2, 4));

        sweep();
        assertEquals(List.of(), rules.added, "it may be on its way");
        sweep();
        assertEquals(List.of(rule(2, 1)), rules.added);
    }

    @Test
    void soAreRulesThatAnotherNodeLeftOrThatComeLate() {
        rules.installed.add(rule(OTHER_TUPLE, 3, 1));
        sweep();
        rules.installed.add(rule(OTHER_TUPLE, 4, 1));
        sweep();
        sweep();
        assertEquals(Set.of(rule(OTHER_TUPLE, 3, 1), rule(OTHER_TUPLE, 4, 1)), Set.copyOf(rules.removed));
    }

    @Test
    void rulesOfOtherApplicationsStay() {
        intents.submit(connection(2));
        rules.installed.add(rule(OTHER, OTHER_TUPLE, 3, 1));
        for (int sweep = 1; sweep <= 4; sweep++) {
            sweep();
        }
        assertEquals(List.of(), rules.removed);
    }

    @Test
    void intentsOfOtherApplicationsStay() {
        intents.submit(connection(2));
        held.add(new MptcpIntent(OTHER, GONE, 1, List.of()), IntentState.INSTALLED);
        held.add(new FlowRuleIntent(APP, Key.of("another", APP), List.of(), Set.of(), PathIntent.ProtectionType.PRIMARY, null),
                 IntentState.INSTALLED);
        intents.sweep();
        assertEquals(List.of(), held.asked);
    }

    /** As ONOS's store of intents does with a request that still waits; it registers ONOS's own classes only. */
    @Test
    void onosCanCopyAWaitingRequest() {
        Serializer store = Serializer.using(KryoNamespace.newBuilder()
                .register(KryoNamespaces.API)
                .nextId(KryoNamespaces.BEGIN_USER_CUSTOM_ID)
                .register(IntentData.class)
                .build());
        IntentData waiting = IntentData.submit(new MptcpIntent(APP, GONE, 1, List.of()));
        assertSame(waiting.intent(), store.copy(waiting).intent());
    }

    /** A connection whose one subflow goes 1–middle–5. */
    private static Connection connection(int middle) {
        Subflow subflow = Subflow.unrouted(TUPLE, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY);
        Terms terms = Settings.DEFAULTS.terms();
        return Connection.opened(LIVE, 1, Token.of(1), Token.of(2), terms, 0, subflow);
    }

    /** The rule of that subflow, on the way to the server, for packets that come to a switch from another. */
    private static FlowRule rule(int device, int from) {
        return rule(TUPLE, device, from);
    }

    private static FlowRule rule(FiveTuple tuple, int device, int from) {
        return rule(APP, tuple, device, from);
    }

    private static FlowRule rule(ApplicationId app, FiveTuple tuple, int device, int from) {
        return DefaultFlowRule.builder()
                .forDevice(Nets.device(device))
                .withSelector(DefaultTrafficSelector.builder(TupleMatch.of(tuple))
                                      .matchInPort(Nets.link(from, device).dst().port())
                                      .build())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(RuleKind.SUBFLOW.priority())
                .fromApp(app)
                .makePermanent()
                .build();
    }

    private static final class Switches extends FlowRuleServiceAdapter {
        private final List<FlowRule> installed = new ArrayList<>();
        private final List<FlowRule> removed = new ArrayList<>();
        private final List<FlowRule> added = new ArrayList<>();
        private FlowEntryState state = FlowEntryState.ADDED;

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return installed.stream().filter(rule -> rule.deviceId().equals(device))
                    .map(rule -> new DefaultFlowEntry(rule, state)).collect(Collectors.toList());
        }

        @Override
        public void applyFlowRules(FlowRule... lost) {
            added.addAll(List.of(lost));
        }

        @Override
        public void removeFlowRules(FlowRule... gone) {
            removed.addAll(List.of(gone));
        }
    }

    private static final class Held extends IntentServiceAdapter {
        private final Map<Key, Intent> intents = new LinkedHashMap<>();
        private final Map<Key, IntentState> states = new LinkedHashMap<>();
        private final List<String> asked = new ArrayList<>();
        private boolean hasRules;
        /** What ONOS has made of each intent. */
        private List<FlowRule> compiled = List.of();

        private void add(ConnectionId connection, IntentState state) {
            add(connection, state, 1);
        }

        private void add(ConnectionId connection, IntentState state, long revision) {
            add(new MptcpIntent(APP, connection, revision, List.of()), state);
        }

        private void add(Intent intent, IntentState state) {
            intents.put(intent.key(), intent);
            states.put(intent.key(), state);
        }

        @Override
        public Intent getIntent(Key key) {
            return intents.get(key);
        }

        @Override
        public Iterable<Intent> getIntents() {
            return intents.values();
        }

        @Override
        public IntentState getIntentState(Key key) {
            return states.get(key);
        }

        @Override
        public List<Intent> getInstallableIntents(Key key) {
            if (hasRules) {
                return List.of(intents.get(key));
            }
            return compiled.isEmpty() ? List.of()
                    : List.of(new FlowRuleIntent(APP, key, compiled, Set.of(), PathIntent.ProtectionType.PRIMARY, null));
        }

        @Override
        public void withdraw(Intent intent) {
            asked.add("withdraw " + ((MptcpIntent) intent).connection);
        }

        @Override
        public void purge(Intent intent) {
            asked.add("purge " + ((MptcpIntent) intent).connection);
        }
    }

    @Test
    void whatIsWithdrawnIsNoSubmissionAndNothingPending() {
        long revision = intents.submit(connection(2));
        assertTrue(intents.isAnyPending(revision));
        assertFalse(intents.isAnyPending(revision - 1));
        assertEquals(1, intents.submissions().size());
        intents.withdraw(LIVE);
        assertFalse(intents.isAnyPending(revision));
        assertEquals(List.of(), intents.submissions());
    }

    @Test
    void theFirstConfirmationOfTheNewestRevisionCounts() {
        long before = intents.submit(connection(2));
        long revision = intents.submit(connection(3));
        Submission submission = intents.submission(LIVE).orElseThrow();
        submission.confirmed(before, 1);
        assertEquals(Optional.empty(), submission.confirmedNanos());
        submission.confirmed(revision, 2);
        submission.confirmed(revision, 3);
        assertEquals(Optional.of(2L), submission.confirmedNanos());
    }
}
