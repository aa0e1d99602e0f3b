// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.core.IdGenerator;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.PathLabels;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.topology.Nets;

/** The rules that connections share come before those that lead there, and go after them. */
class SharedPathsTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OWNER = new DefaultApplicationId(3, MptcpIntentCompiler.RULES_APP_NAME);
    private static final ConnectionId ONE = ConnectionId.of("one");
    private static final ConnectionId TWO = ConnectionId.of("two");

    private final IdGenerator ids = new AtomicLong()::getAndIncrement;
    private final SlowIntents store = new SlowIntents(OWNER);
    private final Switches switches = new Switches();
    private final Heard heard = new Heard();
    private PathLabels setting = PathLabels.ON;
    private Function<IpAddress, MacAddress> hosts = SharedPathsTest::mac;
    private ConnectionIntents intents;

    @BeforeEach
    void bind() {
        Intent.unbindIdGenerator(ids);
        Intent.bindIdGenerator(ids);
        start();
    }

    @AfterEach
    void unbind() {
        Intent.unbindIdGenerator(ids);
    }

    private void start() {
        intents = new ConnectionIntents(store, APP, switches, heard, OWNER,
                                        new LabelChoice(() -> setting, address -> Optional.of(hosts.apply(address))));
        intents.start();
    }

    @Test
    void aConnectionWaitsForTheRulesOfItsPaths() {
        long revision = intents.submit(connection(ONE, 2), List.of());

        assertEquals(2, store.waiting().size(), "a path of each direction, and no connection");
        assertEquals(revision, intents.revision(ONE));
        assertTrue(intents.report(ONE), "it is not lost");
        assertEquals(List.of(), intents.rules(ONE));

        store.installAll();
        assertTrue(heard.pathsChanged > 0);
        assertEquals(List.of(), store.waiting());
        intents.submitWaiting();
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(List.of(revision), heard.installed);
        assertEquals(6, intents.rules(ONE).size(), "two of its own, and two of each path");
    }

    @Test
    void anotherConnectionOnThosePathsDoesNotWait() {
        submitted(ONE, 2);
        intents.submit(connection(TWO, 2), List.of());
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void switchedOffNothingIsShared() {
        setting = PathLabels.OFF;
        intents.submit(connection(ONE, 2), List.of());
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
        assertEquals(Set.of(MptcpIntent.PRIORITY),
                     intents.rules(ONE).stream().map(FlowRule::priority).collect(Collectors.toSet()));
    }

    @Test
    void aPathOverAnIndirectLinkHasNoLabel() {
        Link unknown = DefaultLink.builder().providerId(ProviderId.NONE).src(Nets.port(1, 2)).dst(Nets.port(2, 1))
                .type(Link.Type.INDIRECT).build();
        Connection indirect = connection(ONE, 2).mapSubflows(subflow -> subflow.withRoute(
                SubflowState.ACTIVE, List.of(unknown, Nets.link(2, 5)), subflow.reversePath(), Nets.CAPACITY));
        intents.submit(indirect, List.of());
        assertEquals(1, store.waiting().size(), "the path of the other direction");
    }

    @Test
    void aPathStaysWhileSomebodyUsesItAndGoesSomeSweepsLater() {
        submitted(ONE, 2);
        submitted(TWO, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(5, TWO);
        assertEquals(2, store.paths(IntentState.INSTALLED));

        intents.withdraw(TWO);
        sweep(5);
        assertEquals(2, store.paths(IntentState.INSTALLED), "the rules that lead there are not gone");
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        sweep(1);
        assertEquals(0, store.paths(IntentState.INSTALLED));
        sweep(1);
        assertEquals(Set.of(), store.intents.keySet(), "they are purged");
    }

    @Test
    void thePathsThatAConnectionHasLeftStayUntilItsNewRulesAreThere() {
        submitted(ONE, 2);
        intents.submit(connection(ONE, 3), List.of());
        store.installAll();
        intents.submitWaiting();
        sweep(5, ONE);
        assertEquals(4, store.paths(IntentState.INSTALLED));

        store.installAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 2, ONE);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        assertEquals(3, store.intents.size());
    }

    @Test
    void aPathThatIsWantedAgainComesBack() {
        submitted(ONE, 2);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS);
        intents.sweep(Set.of());
        intents.submit(connection(TWO, 2), List.of());
        store.withdrawAll();
        assertEquals(2, store.waiting().size(), "an intent that is about to go is not ready");
        store.installAll();
        intents.submitWaiting();
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void whereAPathFailsTheRulesAreExact() {
        intents.submit(connection(ONE, 2), List.of());
        store.settleAll(IntentState.FAILED);
        assertTrue(heard.pathsChanged > 0);
        intents.submitWaiting();
        assertEquals(List.of("mptcp-one"), store.waiting());
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }

    @Test
    void soTheyAreWhereAPathDoesNotComeForAWholeSweep() {
        intents.submit(connection(ONE, 2), List.of());
        sweep(1, ONE);
        assertEquals(2, store.waiting().size());
        sweep(1, ONE);
        assertTrue(store.waiting().contains("mptcp-one"));
    }

    @Test
    void whatAnEarlierRunHasLeftGoesOnceItsConnectionsHaveHadTime() {
        submitted(ONE, 2);
        start();
        sweep(SharedPaths.SPARING_SWEEPS - 1, ONE);
        assertEquals(2, store.paths(IntentState.INSTALLED));
        sweep(2, ONE);
        assertEquals(0, store.paths(IntentState.INSTALLED));
        assertEquals(1, store.intents.size());
    }

    @Test
    void anotherRunTakesTheSamePathsOver() {
        submitted(ONE, 2);
        start();
        intents.submit(connection(ONE, 2), List.of());
        store.installAll();
        intents.submitWaiting();
        store.installAll();
        sweep(10, ONE);
        assertEquals(2, store.paths(IntentState.INSTALLED));
    }

    @Test
    void aStopWithdrawsThePathsAfterTheConnections() {
        submitted(ONE, 2);
        store.withdrawsAtOnce = true;
        assertTrue(intents.removeAll(1000));
        assertEquals(Set.of(), store.intents.keySet());
        assertEquals("mptcp-one", store.withdrawn.get(0));
        assertEquals(3, store.withdrawn.size());
    }

    @Test
    void whereALinkIsLostTheRulesOfItsPathsLeadAroundItAtOnce() {
        submitted(ONE, 2);
        leadAround();

        assertEquals(1, store.waiting().size(), "the path of the other direction is whole");
        store.installAll();
        MacAddress label = label(1);
        assertEquals(List.of("of:2 from 1 out 3", "of:3 from 2 out 5", "of:5 from 3 out 100"), shared(label));

        intents.detour(Optional::of);
        store.installAll();
        assertEquals(List.of("of:2 from 1 out 5", "of:5 from 2 out 100"), shared(label));
    }

    @Test
    void whereThereIsNoWayAroundNothingChanges() {
        submitted(ONE, 2);
        intents.detour(path -> Optional.empty());
        assertEquals(List.of(), store.waiting());
    }

    @Test
    void aConnectionWaitsUntilThePathFollowsItsLinksAgain() {
        submitted(ONE, 2);
        leadAround();
        store.installAll();
        intents.submit(connection(TWO, 2), List.of());
        assertEquals(List.of(), store.waiting(), "the path is there, but leads elsewhere");

        intents.detour(Optional::of);
        store.installAll();
        intents.submitWaiting();
        assertEquals(List.of("mptcp-two"), store.waiting());
    }

    @Test
    void theRulesOfADetourGoWithThePath() {
        submitted(ONE, 2);
        leadAround();
        store.installAll();
        FlowRule detour = intents.rules(ONE).stream().filter(rule -> rule.deviceId().equals(Nets.device(3))).findFirst().get();
        switches.entries.add(detour);
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 2);
        assertEquals(List.of(detour), switches.removed);
        assertEquals(Set.of(), store.intents.keySet());
    }

    /** Leads packets from switch 1 over 3 instead of straight from 2 to 5. */
    private void leadAround() {
        List<Link> around = List.of(Nets.link(1, 2), Nets.link(2, 3), Nets.link(3, 5));
        intents.detour(path -> Optional.of(path.get(0).src().deviceId().equals(Nets.device(1)) ? around : path));
    }

    /** Returns the label of the path from this switch. */
    private MacAddress label(int from) {
        return intents.rules(ONE).stream()
                .filter(rule -> rule.deviceId().equals(Nets.device(from)) && rule.priority() == MptcpIntent.PRIORITY)
                .flatMap(rule -> rule.treatment().allInstructions().stream())
                .filter(ModEtherInstruction.class::isInstance)
                .map(instruction -> ((ModEtherInstruction) instruction).mac()).findFirst().get();
    }

    /** Returns the rules for packets with a label: switch, port in, port out. */
    private List<String> shared(MacAddress label) {
        return intents.rules(ONE).stream()
                .filter(rule -> rule.selector().getCriterion(Criterion.Type.ETH_DST) != null
                        && ((EthCriterion) rule.selector().getCriterion(Criterion.Type.ETH_DST)).mac().equals(label))
                .map(rule -> rule.deviceId() + " from "
                        + ((PortCriterion) rule.selector().getCriterion(Criterion.Type.IN_PORT)).port() + " out "
                        + rule.treatment().allInstructions().stream().filter(OutputInstruction.class::isInstance)
                                .map(instruction -> ((OutputInstruction) instruction).port().toString()).findFirst().get())
                .sorted().collect(Collectors.toList());
    }

    @Test
    void aRuleOfAPathThatOnosPutBackIsRemovedAgain() {
        submitted(ONE, 2);
        FlowRule shared = intents.rules(ONE).stream().filter(rule -> rule.priority() == LabelledPath.PRIORITY).findFirst().get();
        switches.entries.add(shared);
        sweep(3, ONE);
        assertEquals(List.of(), switches.removed, "it is used");
        intents.withdraw(ONE);
        store.withdrawAll();
        sweep(SharedPaths.UNUSED_SWEEPS + 1);
        assertEquals(List.of(), switches.removed, "its removal may be under way");
        sweep(1);
        assertEquals(List.of(shared), switches.removed);
    }

    @Test
    void thereIsALimitAndBeyondItRulesAreExact() {
        for (int number = 1; number <= SharedPaths.MOST / 2; number++) {
            int host = number;
            hosts = address -> MacAddress.valueOf(0x10000 + 2 * host + (address.getIp4Address().toInt() & 1));
            intents.submit(connection(ConnectionId.of("c" + number), 2), List.of());
        }
        assertEquals(SharedPaths.MOST, store.waiting().size());
        hosts = SharedPathsTest::mac;
        intents.submit(connection(ONE, 2), List.of());
        assertTrue(store.waiting().contains("mptcp-one"), "it does not wait");
        store.installAll();
        assertEquals(6, intents.rules(ONE).size());
    }

    private void submitted(ConnectionId id, int middle) {
        intents.submit(connection(id, middle), List.of());
        store.installAll();
        intents.submitWaiting();
        store.installAll();
    }

    /** Sweeps; ONOS removes the paths that are withdrawn at once. */
    private void sweep(int times, ConnectionId... submitted) {
        for (int time = 0; time < times; time++) {
            intents.sweep(Set.of(submitted));
            store.withdraw(LabelledPath::isKey);
        }
    }

    private static MacAddress mac(IpAddress address) {
        return MacAddress.valueOf(address.getIp4Address().toInt() & 0xff);
    }

    private static Connection connection(ConnectionId id, int middle) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000 + id.toString().length() + id.hashCode() % 100,
                                       IpAddress.valueOf("10.0.0.2"), 5201);
        Subflow subflow = Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY);
        Terms terms = Terms.of(Policy.STANDARD, Settings.builder().build());
        return Connection.opened(id, 1, Token.of(1), Token.of(2), terms, 0, subflow);
    }

    private static final class Heard implements ConnectionIntents.Outcome {
        private final List<Long> installed = new ArrayList<>();
        private int pathsChanged;

        @Override
        public void installed(ConnectionId connection, long revision) {
            installed.add(revision);
        }

        @Override
        public void failed(ConnectionId connection, long revision) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void withdrawn(ConnectionId connection) {
            // Nobody purges connections here but the sweep.
        }

        @Override
        public void pathsChanged() {
            pathsChanged++;
        }
    }

    private static final class Switches extends FlowRuleServiceAdapter {
        private final List<FlowRule> entries = new ArrayList<>();
        private final List<FlowRule> removed = new ArrayList<>();

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return entries.stream().filter(rule -> rule.deviceId().equals(device))
                    .map(rule -> new DefaultFlowEntry(rule, FlowEntryState.ADDED)).collect(Collectors.toList());
        }

        @Override
        public void removeFlowRules(FlowRule... gone) {
            removed.addAll(List.of(gone));
            entries.removeAll(removed);
        }
    }
}
