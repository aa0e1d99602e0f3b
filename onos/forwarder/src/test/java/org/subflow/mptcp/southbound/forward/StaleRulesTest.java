// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.FlowRuleStoreException;

class StaleRulesTest {

    private static final ApplicationId APPLICATION = new DefaultApplicationId(6, "org.onosproject.fwd");
    private static final String H1 = "02:00:00:00:00:01";
    private static final String H2 = "02:00:00:00:00:02";
    private static final String H3 = "02:00:00:00:00:03";

    private final List<FlowEntry> installed = new ArrayList<>();
    private final List<FlowRule> removed = new ArrayList<>();
    private DeviceId withoutMaster;
    private final StaleRules staleRules = new StaleRules(new Rules(), new Devices(), APPLICATION);

    @Test
    void rulesToWhatLayBehindTheLinkGoEverywhere() {
        FlowEntry into = rule("of:1", H2, 1);
        FlowEntry before = rule("of:9", H2, 4);
        rule("of:1", H1, 4);
        staleRules.removeAllAlong(ConnectPoint.deviceConnectPoint("of:1/1"));
        assertEquals(Set.of(into.id(), before.id()), removed.stream().map(FlowRule::id).collect(Collectors.toSet()));
    }

    @Test
    void rulesOutOfOtherPortsStay() {
        rule("of:1", H2, 2);
        rule("of:2", H2, 1);
        staleRules.removeAllAlong(ConnectPoint.deviceConnectPoint("of:1/1"));
        assertEquals(List.of(), removed);
    }

    @Test
    void rulesToAHostThatHasMovedGoEverywhere() {
        FlowEntry here = rule("of:1", H2, 1);
        FlowEntry there = rule("of:9", H2, 4);
        rule("of:1", H1, 4);
        staleRules.removeAllOf(MacAddress.valueOf(H2));
        assertEquals(Set.of(here.id(), there.id()), removed.stream().map(FlowRule::id).collect(Collectors.toSet()));
    }

    @Test
    void rulesFromAHostThatHasMovedGoEverywhere() {
        FlowEntry here = rule("of:1", H2, H1, 1);
        FlowEntry there = rule("of:9", H2, H1, 4);
        rule("of:1", H1, 1);
        staleRules.removeAllOf(MacAddress.valueOf(H2));
        assertEquals(Set.of(here.id(), there.id()), removed.stream().map(FlowRule::id).collect(Collectors.toSet()));
    }

    @Test
    void aSwitchWithoutMasterIsPassedOver() {
        FlowEntry into = rule("of:1", H2, 1);
        rule("of:9", H2, 4);
        withoutMaster = DeviceId.deviceId("of:9");
        staleRules.removeAllAlong(ConnectPoint.deviceConnectPoint("of:1/1"));
        assertEquals(List.of(into), removed);
        removed.clear();
        staleRules.removeAllAlong(ConnectPoint.deviceConnectPoint("of:9/4"));
        assertEquals(List.of(), removed);
    }

    private FlowEntry rule(String device, String destination, int outPort) {
        return rule(device, H3, destination, outPort);
    }

    private FlowEntry rule(String device, String source, String destination, int outPort) {
        FlowEntry entry = new DefaultFlowEntry(DefaultFlowRule.builder()
                .forDevice(DeviceId.deviceId(device))
                .withSelector(DefaultTrafficSelector.builder()
                        .matchEthSrc(MacAddress.valueOf(source)).matchEthDst(MacAddress.valueOf(destination)).build())
                .withTreatment(DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build())
                .withPriority(10).fromApp(APPLICATION).makeTemporary(10).build());
        installed.add(entry);
        return entry;
    }

    private final class Devices extends DeviceServiceAdapter {
        @Override
        public Iterable<Device> getDevices() {
            return installed.stream().map(FlowEntry::deviceId).distinct()
                    .map(id -> new DefaultDevice(null, id, Device.Type.SWITCH, "", "", "", "", null))
                    .collect(Collectors.toList());
        }
    }

    private final class Rules extends FlowRuleServiceAdapter {
        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            if (device.equals(withoutMaster)) {
                throw new FlowRuleStoreException("no master for " + device);
            }
            return installed.stream().filter(rule -> rule.deviceId().equals(device)).collect(Collectors.toList());
        }

        @Override
        public void removeFlowRules(FlowRule... rules) {
            removed.addAll(List.of(rules));
        }
    }
}
