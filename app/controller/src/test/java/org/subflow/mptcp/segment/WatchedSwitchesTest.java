// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onosproject.cluster.NodeId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;

/** Of which switches a handshake may go unseen. */
class WatchedSwitchesTest {
    private static final DeviceId S1 = DeviceId.deviceId("of:0000000000000001");
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");

    private final List<FlowEntry> rules = new ArrayList<>();
    private DefaultAnnotations annotations = DefaultAnnotations.builder().set("tcpFlags", "none").build();
    private boolean isStorageAway;
    private NodeId master = NodeId.nodeId("10.0.0.1");
    private final WatchedSwitches watched = new WatchedSwitches(new DeviceServiceAdapter() {
        @Override
        public Iterable<Device> getAvailableDevices(Device.Type type) {
            return List.of(device());
        }

        @Override
        public Device getDevice(DeviceId id) {
            return device();
        }
    }, new MastershipServiceAdapter() {
        @Override
        public NodeId getMasterFor(DeviceId id) {
            if (isStorageAway) {
                throw new IllegalStateException("disconnected");
            }
            return master;
        }
    }, new OwnRules(new FlowRuleServiceAdapter() {
        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return rules.stream().filter(rule -> rule.deviceId().equals(device)).collect(Collectors.toList());
        }
    }, new KnownSwitches(1), APP));

    private Device device() {
        return new DefaultDevice(null, S1, Device.Type.SWITCH, "", "", "", "", null, annotations);
    }

    private void copies(String node) {
        annotations = DefaultAnnotations.builder().set("tcpFlags", "copied").set("tcpFlagsNode", node).build();
    }

    private static FlowEntry rule(DeviceId device, short etherType, int priority, FlowEntryState state) {
        return new DefaultFlowEntry(DefaultFlowRule.builder().forDevice(device)
                .withSelector(DefaultTrafficSelector.builder().matchEthType(etherType).build())
                .withTreatment(DefaultTrafficTreatment.builder().punt().build())
                .withPriority(priority).fromApp(APP).makePermanent().build(), state);
    }

    @Test
    void aSwitchShowsHandshakesOnceBothRulesAreConfirmed() {
        assertEquals(List.of(S1), watched.missing());
        rules.add(rule(S1, Ethernet.TYPE_IPV4, RuleKind.WATCH.priority(), FlowEntryState.ADDED));
        FlowEntry pending = rule(S1, Ethernet.TYPE_IPV6, RuleKind.WATCH.priority(), FlowEntryState.PENDING_ADD);
        rules.add(pending);
        assertEquals(List.of(S1), watched.missing());
        rules.remove(pending);
        rules.add(rule(S1, Ethernet.TYPE_IPV6, RuleKind.LAST_WATCH.priority(), FlowEntryState.ADDED));
        rules.add(rule(DeviceId.deviceId("of:2"), Ethernet.TYPE_IPV6, RuleKind.WATCH.priority(), FlowEntryState.ADDED));
        assertEquals(List.of(S1), watched.missing(), "other rules do not show all");
        rules.add(rule(S1, Ethernet.TYPE_IPV6, RuleKind.WATCH.priority(), FlowEntryState.ADDED));
        assertEquals(List.of(), watched.missing());
    }

    @Test
    void aNewMasterHasToConfirmCopiesAnew() {
        copies("10.0.0.1");
        assertEquals(List.of(), watched.missing());
        master = NodeId.nodeId("10.0.0.2");
        assertEquals(List.of(S1), watched.missing());
        copies("10.0.0.2");
        assertEquals(List.of(), watched.missing());
    }

    @Test
    void withoutAMasterNobodySeesAnything() {
        copies("10.0.0.1");
        master = null;
        assertEquals(List.of(S1), watched.missing());
    }

    @Test
    void whileNobodyKnowsTheMastersNothingIsWatched() {
        copies("10.0.0.1");
        isStorageAway = true;
        assertEquals(List.of(S1), watched.missing());
    }

    @Test
    void aSouthboundThatDoesNotSayWhoConfirmedIsBelieved() {
        annotations = DefaultAnnotations.builder().set("tcpFlags", "copied").build();
        assertEquals(List.of(), watched.missing());
    }
}
