// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.host.HostServiceAdapter;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.KnownInterfaces;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.StillView;

class PlainTrafficTest {
    private static final int SWITCHES = 5;
    private static final int CONNECTIONS = 100;

    private final List<FlowRuleOperations> onTheirWay = new ArrayList<>();
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private NetworkSnapshot network = Nets.diamond();
    private int reads;
    private final PlainTraffic traffic = new PlainTraffic(new PlainTcpForwarder(new OwnRules(new FlowRuleServiceAdapter() {
        @Override
        public void apply(FlowRuleOperations operations) {
            onTheirWay.add(operations);
        }

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            reads++;
            return List.of();
        }
    }, new KnownSwitches(SWITCHES), new DefaultApplicationId(7, "org.subflow.mptcp")), () -> 0), (StillView) () -> network,
            new Attachments(new HostServiceAdapter(), port -> true, new KnownInterfaces().own(), () -> { }), () -> Settings.DEFAULTS,
            task -> () -> waiting.add(task));

    private void forward(int connections) {
        for (int port = 1; port <= connections; port++) {
            traffic.forward(FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 80), Nets.edge(1), Nets.edge(5));
        }
    }

    private void installed() {
        List<FlowRuleOperations> done = List.copyOf(onTheirWay);
        onTheirWay.clear();
        done.forEach(operations -> operations.callback().onSuccess(operations));
    }

    @Test
    void rulesThatComeAfterAChangeAreLookedAtOnceForAllOfThem() {
        forward(CONNECTIONS);
        assertEquals(CONNECTIONS, onTheirWay.size());
        network = Nets.snapshot(Nets.diamondLinks().subList(2, Nets.diamondLinks().size()));
        installed();
        assertEquals(0, reads, "not on ONOS's threads");
        assertEquals(1, waiting.size());
        waiting.forEach(Runnable::run);
        assertEquals(SWITCHES, reads, "each switch once");
    }

    @Test
    void onTheNetworkThatTheyWereMadeForNobodyLooksAtThem() {
        forward(CONNECTIONS);
        installed();
        assertEquals(Set.of(), waiting);
    }
}
