// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.KryoNamespace;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.IdGenerator;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.rules.FlowEntries;
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

    private static final ApplicationId OWNER = new DefaultApplicationId(3, MptcpIntentCompiler.RULES_APP_NAME);

    private final IdGenerator ids = new AtomicLong()::getAndIncrement;
    private final Held held = new Held();
    private final Switches rules = new Switches();
    private ConnectionIntents intents;

    @BeforeEach
    void bind() {
        Intent.unbindIdGenerator(ids);
        Intent.bindIdGenerator(ids);
        intents = new ConnectionIntents(held, APP, rules, new NoOutcome());
        held.add(LIVE, IntentState.INSTALLED);
    }

    @AfterEach
    void unbind() {
        Intent.unbindIdGenerator(ids);
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

        intents.sweep();
        assertEquals(List.of(), rules.removed, "its removal may be under way");
        intents.sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);

        rules.installed.clear();
        intents.sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void soIsOneWhoseRemovalCameTooEarly() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        rules.installed.add(rule(2, 1));
        rules.state = FlowEntryState.PENDING_REMOVE;

        intents.sweep();
        intents.sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void soIsOneOfAnEarlierPathThatOnosNeverSaidToBeInstalled() {
        intents.submit(connection(2));
        intents.submit(connection(3));
        rules.installed.add(rule(2, 1));
        rules.installed.add(rule(3, 1));
        rules.installed.add(rule(5, 3));

        intents.sweep();
        intents.sweep();
        assertEquals(List.of(), rules.removed, "until the new path is there, the old one carries");
        held.add(LIVE, IntentState.INSTALLED, 2);
        intents.sweep();
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

        intents.sweep();
        intents.sweep();
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    @Test
    void aRuleThatItsConnectionHasAgainIsLeftAlone() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        intents.submit(connection(2));
        held.add(LIVE, IntentState.INSTALLED, 2);
        rules.installed.add(rule(2, 1));

        intents.sweep();
        intents.sweep();
        assertEquals(List.of(), rules.removed);
    }

    @Test
    void soAreRulesThatAnotherNodeLeftOrThatComeLate() {
        MptcpIntentCompiler compiler = new MptcpIntentCompiler(new LinkServiceAdapter(), OWNER);
        DepartedRules departed = new DepartedRules(rules, () -> FlowEntries.of(rules, compiler.owner()));
        rules.installed.add(rule(OTHER_TUPLE, 3, 1));
        departed.sweep(List.of(), intent -> true, label -> false);
        rules.installed.add(rule(OTHER_TUPLE, 4, 1));
        departed.sweep(List.of(), intent -> true, label -> false);
        assertEquals(Set.of(rule(OTHER_TUPLE, 3, 1), rule(OTHER_TUPLE, 4, 1)), Set.copyOf(rules.removed));
    }

    @Test
    void aNodeAloneLooksForNoRulesOfOthers() {
        intents.submit(connection(2));
        rules.installed.add(rule(OTHER_TUPLE, 3, 1));
        for (int sweep = 1; sweep <= 4; sweep++) {
            intents.sweep();
        }
        assertEquals(List.of(), rules.removed);
    }

    @Test
    void aSweepReadsFewSwitchesWhereRulesAreManyAndTheNextGoesOnThere() {
        intents.submit(connection(2));
        intents.withdraw(LIVE);
        rules.installed.add(rule(2, 1));
        rules.others = DepartedRules.MOST_RULES_IN_A_SWEEP;
        Set<DeviceId> read = new HashSet<>();
        for (int sweep = 1; sweep <= 6; sweep++) {
            rules.read.clear();
            intents.sweep();
            assertEquals(1, rules.read.size());
            read.addAll(rules.read);
        }
        assertEquals(Set.of(Nets.device(1), Nets.device(2), Nets.device(5)), read);
        assertEquals(List.of(rule(2, 1)), rules.removed);
    }

    /** As ONOS's store of intents does with a request that still waits; it registers ONOS's own classes only. */
    @Test
    void onosCanCopyAWaitingRequest() {
        Serializer store = Serializer.using(KryoNamespace.newBuilder()
                .register(KryoNamespaces.API)
                .nextId(KryoNamespaces.BEGIN_USER_CUSTOM_ID)
                .register(IntentData.class)
                .build());
        IntentData waiting = IntentData.submit(MptcpIntent.of(APP, GONE, 1, List.of()));
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
        return DefaultFlowRule.builder()
                .forDevice(Nets.device(device))
                .withSelector(DefaultTrafficSelector.builder(TupleMatch.of(tuple))
                                      .matchInPort(Nets.link(from, device).dst().port())
                                      .build())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(RuleKind.SUBFLOW.priority())
                .fromApp(APP)
                .makePermanent()
                .build();
    }

    private static final class Switches extends FlowRuleServiceAdapter {
        private final List<FlowRule> installed = new ArrayList<>();
        private final List<FlowRule> removed = new ArrayList<>();
        private final List<DeviceId> read = new ArrayList<>();
        private FlowEntryState state = FlowEntryState.ADDED;
        /** Rules of other connections in each switch. */
        private int others;

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            read.add(device);
            FlowEntry other = new DefaultFlowEntry(rule(OTHER_TUPLE, 4, 1), state);
            List<FlowEntry> entries = new ArrayList<>(Collections.nCopies(others, other));
            installed.stream()
                    .filter(rule -> rule.deviceId().equals(device))
                    .map(rule -> new DefaultFlowEntry(rule, state))
                    .forEach(entries::add);
            return entries;
        }

        @Override
        public Iterable<FlowEntry> getFlowEntriesById(ApplicationId owner) {
            return owner.equals(OWNER) ? installed.stream().map(rule -> new DefaultFlowEntry(rule, state))
                    .collect(Collectors.toList()) : List.of();
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

        private void add(ConnectionId connection, IntentState state) {
            add(connection, state, 1);
        }

        private void add(ConnectionId connection, IntentState state, long revision) {
            Intent intent = MptcpIntent.of(APP, connection, revision, List.of());
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
            return List.of();
        }

        @Override
        public void withdraw(Intent intent) {
            asked.add("withdraw " + ((MptcpIntent) intent).connection());
        }

        @Override
        public void purge(Intent intent) {
            asked.add("purge " + ((MptcpIntent) intent).connection());
        }
    }
}
