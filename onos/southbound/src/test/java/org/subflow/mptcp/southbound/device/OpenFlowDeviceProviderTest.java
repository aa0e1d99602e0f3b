// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceProvider;
import org.onosproject.net.device.DeviceProviderRegistryAdapter;
import org.onosproject.net.device.DeviceProviderService;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortMod;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.subflow.mptcp.southbound.OpenFlowIds;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;
import org.subflow.mptcp.southbound.fixtures.Configured;

/** What ONOS asks of the provider of devices, and what switches get to see of it. */
class OpenFlowDeviceProviderTest {
    private static final DeviceId S1 = DeviceId.deviceId("of:0000000000000001");
    private static final DeviceId UNKNOWN = DeviceId.deviceId("of:0000000000000009");
    private static final PortNumber PORT = PortNumber.portNumber(3);

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final RecordingDevices devices = new RecordingDevices();
    private final Registry registry = new Registry();
    private final OpenFlowDeviceProvider provider = new OpenFlowDeviceProvider();
    private boolean active;

    @BeforeEach
    void start() {
        s1.ports.add(port(3));
        provider.providerRegistry = registry;
        provider.controller = controller;
        provider.cfgService = new ComponentConfigAdapter();
        provider.clusterService = new ClusterServiceAdapter();
        provider.activate(every("3600"));
        active = true;
        s1.sent.clear();
    }

    @AfterEach
    void stop() {
        if (active) {
            provider.deactivate();
        }
    }

    @Test
    void switchesThatWereThereBeforeAreTold() {
        assertEquals(List.of("connected " + S1, "ports " + S1 + " [3 up]"), devices.told);
    }

    @Test
    void allProvidersShareOneId() {
        assertEquals(OpenFlowIds.PROVIDER, provider.id());
        assertEquals(Set.of(provider), registry.registered);
    }

    @Test
    void onlyAConnectedSwitchIsReachable() {
        assertTrue(provider.isReachable(S1));
        assertFalse(provider.isReachable(UNKNOWN));
        s1.connected = false;
        assertFalse(provider.isReachable(S1));
    }

    @Test
    void aProbeAsksForThePorts() {
        provider.triggerProbe(S1);
        assertInstanceOf(OFPortDescStatsRequest.class, s1.onlyMessage());
        s1.connected = false;
        provider.triggerProbe(S1);
        provider.triggerProbe(UNKNOWN);
        assertEquals(1, s1.sent.size());
    }

    @Test
    void rolesAreThoseOfOpenFlow() {
        assertRole(MastershipRole.MASTER, RoleState.MASTER);
        assertRole(MastershipRole.STANDBY, RoleState.EQUAL);
        assertRole(MastershipRole.NONE, RoleState.SLAVE);
    }

    @Test
    void aPortIsSwitchedOff() {
        provider.changePortState(S1, PORT, false);
        OFPortMod message = (OFPortMod) s1.onlyMessage();
        assertEquals(OFPort.of(3), message.getPortNo());
        assertEquals(MacAddress.of(3), message.getHwAddr(), "switches check it");
        assertEquals(EnumSet.of(OFPortConfig.PORT_DOWN), message.getConfig());
        assertEquals(EnumSet.of(OFPortConfig.PORT_DOWN), message.getMask());
    }

    @Test
    void aPortIsSwitchedOn() {
        provider.changePortState(S1, PORT, true);
        OFPortMod message = (OFPortMod) s1.onlyMessage();
        assertEquals(Set.of(), message.getConfig());
        assertEquals(EnumSet.of(OFPortConfig.PORT_DOWN), message.getMask(), "nothing else changes");
    }

    @Test
    void aPortOrSwitchThatIsNotThereChangesNothing() {
        provider.changePortState(S1, PortNumber.portNumber(4), false);
        provider.changePortState(UNKNOWN, PORT, false);
        s1.connected = false;
        provider.changePortState(S1, PORT, false);
        assertEquals(List.of(), s1.sent);
    }

    @Test
    void aSwitchIsDisconnected() {
        provider.triggerDisconnect(S1);
        provider.triggerDisconnect(UNKNOWN);
        assertFalse(s1.connected);
    }

    @Test
    void portCountersAreAskedForAtTheConfiguredInterval() throws InterruptedException {
        provider.modified(every("1"));
        assertEquals(OFPort.ANY, ((OFPortStatsRequest) s1.next()).getPortNo());
    }

    @Test
    void onceStoppedItListensToNothing() {
        provider.deactivate();
        active = false;
        assertEquals(Set.of(), controller.switchListeners);
        assertEquals(Set.of(), controller.eventListeners);
        assertEquals(Set.of(), registry.registered);
    }

    private void assertRole(MastershipRole onos, RoleState openFlow) {
        provider.roleChanged(S1, onos);
        assertEquals(openFlow, controller.roles.get(new Dpid(1)));
    }

    private static Configured every(String seconds) {
        return new Configured(Map.of(OpenFlowDeviceProvider.POLL_FREQUENCY, seconds));
    }

    private static OFPortDesc port(int number) {
        return RecordingSwitch.FACTORY.buildPortDesc().setPortNo(OFPort.of(number)).setHwAddr(MacAddress.of(number))
                .setName("s1-eth" + number).build();
    }

    private final class Registry extends DeviceProviderRegistryAdapter {
        private final Set<DeviceProvider> registered = new HashSet<>();

        @Override
        public DeviceProviderService register(DeviceProvider one) {
            registered.add(one);
            return devices;
        }

        @Override
        public void unregister(DeviceProvider one) {
            registered.remove(one);
        }
    }
}
