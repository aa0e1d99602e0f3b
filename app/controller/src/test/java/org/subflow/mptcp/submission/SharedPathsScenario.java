// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
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
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.topology.Nets;

/** Connections whose paths have labels, over an ONOS that installs intents when it is told to. */
abstract class SharedPathsScenario {
    static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    static final ConnectionId ONE = ConnectionId.of("one");
    static final ConnectionId TWO = ConnectionId.of("two");

    final SlowIntents store = new SlowIntents();
    final Switches switches = new Switches();
    final Heard heard = new Heard();
    PathLabels setting = PathLabels.ON;
    ConnectionIntents intents;
    private Reconciler reconciler;

    @BeforeEach
    void bind() {
        IntentIds.bind();
        start();
    }

    void start() {
        intents = new ConnectionIntents(store, APP, heard, () -> setting);
        reconciler = new Reconciler(new OwnRules(switches, new KnownSwitches(5), APP), intents.wantedRules());
        intents.start();
    }

    void submitted(ConnectionId id, int middle) {
        intents.submit(connection(id, middle));
        store.installAll();
        intents.submitWaiting();
        store.installAll();
    }

    /** Sweeps; ONOS removes the paths that are withdrawn at once. */
    void sweep(int times) {
        for (int time = 0; time < times; time++) {
            intents.sweep();
            store.withdraw(LabelledPath::isKey);
            reconciler.look();
        }
    }

    static MacAddress mac(IpAddress address) {
        return MacAddress.valueOf(address.getIp4Address().toInt() & 0xff);
    }

    static Connection connection(ConnectionId id, int middle) {
        return connection(id, middle, SharedPathsScenario::mac);
    }

    static Connection connection(ConnectionId id, int middle, Function<IpAddress, MacAddress> hosts) {
        FiveTuple addresses = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000 + id.toString().length() + id.hashCode() % 100,
                                           IpAddress.valueOf("10.0.0.2"), 5201);
        FiveTuple tuple = addresses.between(HostId.hostId(hosts.apply(addresses.source())),
                                            HostId.hostId(hosts.apply(addresses.destination())));
        Subflow subflow = Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY);
        Terms terms = Settings.DEFAULTS.terms();
        return Connection.opened(id, 1, Token.of(1), Token.of(2), terms, 0, subflow);
    }

    static final class Heard implements ConnectionIntents.Outcome {
        final List<Long> installed = new ArrayList<>();
        int pathsChanged;

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

    static final class Switches extends FlowRuleServiceAdapter {
        final List<FlowRule> entries = new ArrayList<>();
        final List<FlowRule> removed = new ArrayList<>();

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
