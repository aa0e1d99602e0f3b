// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentData;
import org.onosproject.net.intent.IntentServiceAdapter;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.onosproject.net.intent.PathIntent;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.subflow.mptcp.api.ConnectionId;

/** What becomes of intents that ONOS did not take away when it was asked to. */
class ConnectionIntentsTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ConnectionId LIVE = ConnectionId.of("live");
    private static final ConnectionId GONE = ConnectionId.of("gone");
    private static final FlowRule RULE = DefaultFlowRule.builder()
            .forDevice(DeviceId.deviceId("of:0000000000000001"))
            .withSelector(DefaultTrafficSelector.emptySelector())
            .withTreatment(DefaultTrafficTreatment.emptyTreatment())
            .withPriority(100)
            .fromApp(APP)
            .makePermanent()
            .build();

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
        held.add(GONE, IntentState.INSTALLED);
        intents.sweep(Set.of(LIVE));
        assertEquals(List.of("withdraw gone"), held.asked);
    }

    @Test
    void aWithdrawalThatFailedIsTriedAgainAndForgottenOnceNoRuleIsLeft() {
        held.add(GONE, IntentState.FAILED);
        held.hasRules = true;
        intents.sweep(Set.of(LIVE));
        held.hasRules = false;
        intents.sweep(Set.of(LIVE));
        assertEquals(List.of("withdraw gone", "purge gone"), held.asked);
    }

    @Test
    void whatIsOnItsWayIsLeftAlone() {
        held.add(GONE, IntentState.WITHDRAWING);
        intents.sweep(Set.of(LIVE));
        assertEquals(List.of(), held.asked);
    }

    @Test
    void aRuleThatOnosPutBackIsRemovedAgain() {
        held.add(GONE, IntentState.INSTALLED);
        held.installed.add(RULE);
        intents.withdraw(GONE);
        held.installed.clear();
        rules.installed.add(RULE);

        intents.sweep(Set.of(LIVE));
        assertEquals(List.of(), rules.removed, "its removal may be under way");
        intents.sweep(Set.of(LIVE));
        assertEquals(List.of(RULE), rules.removed);

        rules.installed.clear();
        intents.sweep(Set.of(LIVE));
        assertEquals(List.of(RULE), rules.removed);
    }

    @Test
    void aRuleThatItsConnectionHasAgainIsLeftAlone() {
        held.add(GONE, IntentState.INSTALLED);
        held.installed.add(RULE);
        intents.withdraw(GONE);
        rules.installed.add(RULE);

        intents.sweep(Set.of(LIVE, GONE));
        intents.sweep(Set.of(LIVE, GONE));
        assertEquals(List.of(), rules.removed);
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

    private static final class Switches extends FlowRuleServiceAdapter {
        private final List<FlowRule> installed = new ArrayList<>();
        private final List<FlowRule> removed = new ArrayList<>();

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return installed.stream()
                    .map(rule -> new DefaultFlowEntry(rule, FlowEntryState.ADDED))
                    .collect(Collectors.toList());
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
        private final List<FlowRule> installed = new ArrayList<>();
        private boolean hasRules;

        private void add(ConnectionId connection, IntentState state) {
            Intent intent = MptcpIntent.of(APP, connection, 1, List.of());
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
            return installed.isEmpty() ? List.of() : List.of(new FlowRuleIntent(APP, key, installed, List.of(),
                    PathIntent.ProtectionType.PRIMARY, null));
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
