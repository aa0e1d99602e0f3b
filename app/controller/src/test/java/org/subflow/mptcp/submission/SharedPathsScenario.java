// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.HostId;
import org.onosproject.net.flow.FlowRuleOperations;
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
import org.subflow.mptcp.rules.FakeFlowRules;
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
    final SlowRules switches = new SlowRules();
    final OwnRules own = new OwnRules(switches, new KnownSwitches(5), APP);
    final Heard heard = new Heard();
    PathLabels setting = PathLabels.ON;
    ConnectionIntents intents;
    Reconciler reconciler;

    @BeforeEach
    void bind() {
        IntentIds.bind();
        start();
    }

    void start() {
        intents = new ConnectionIntents(store, own, heard, () -> setting);
        reconciler = new Reconciler(own, intents.wantedRules());
        intents.start();
    }

    void submitted(ConnectionId id, int middle) {
        intents.submit(connection(id, middle));
        switches.carryOut();
        intents.submitWaiting();
        store.installAll();
    }

    /** Returns how many labels switches have rules of. */
    long paths() {
        return switches.rules().stream().flatMap(rule -> LabelledPath.label(rule).stream()).distinct().count();
    }

    /** Sweeps; switches do at once what they are asked for. */
    void sweep(int times) {
        for (int time = 0; time < times; time++) {
            intents.sweep();
            switches.carryOut();
            reconciler.look();
            switches.carryOut();
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

    /** Switches that do what they are asked for when the test says so. */
    static final class SlowRules extends FakeFlowRules {
        private final Queue<FlowRuleOperations> waiting = new ArrayDeque<>();

        int waiting() {
            return waiting.size();
        }

        /** Returns how many rules they are asked for whose packets have labels. */
        long waitingWithLabels() {
            return waiting.stream().flatMap(one -> one.stages().stream()).flatMap(Set::stream)
                    .filter(one -> LabelledPath.label(one.rule()).isPresent()).count();
        }

        void carryOut() {
            while (!waiting.isEmpty()) {
                super.apply(waiting.remove());
            }
        }

        /** Refuses what waits. */
        void refuse() {
            takes = rule -> false;
            carryOut();
            takes = rule -> true;
        }

        @Override
        public void apply(FlowRuleOperations operations) {
            waiting.add(operations);
        }
    }
}
