// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Device;
import org.onosproject.net.device.DeviceDescription;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;

/** What ONOS is told of a switch's life: its coming and going, its ports, its counters. */
class SwitchListenerTest {
    private static final Dpid S1 = new Dpid(1);
    private static final String ID = "of:0000000000000001";
    private static final Dpid GONE = new Dpid(9);

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final RecordingDevices devices = new RecordingDevices();
    private final SwitchListener listener = new SwitchListener(controller, devices, "10.0.0.7");

    @BeforeEach
    void ports() {
        s1.ports.add(port(1, false));
        s1.ports.add(port(2, true));
    }

    @Test
    void aNewSwitchIsDescribedWithItsPorts() {
        listener.switchAdded(S1);
        assertEquals(List.of("connected " + ID, "ports " + ID + " [1 up, 2 down]"), devices.told);
        DeviceDescription description = devices.descriptions.get(0);
        assertEquals(Device.Type.SWITCH, description.type());
        assertEquals("Nicira, Inc.", description.manufacturer());
        assertEquals("Open vSwitch", description.hwVersion());
        assertEquals("3.1.0", description.swVersion());
        assertEquals(1, description.chassisId().value());
        assertEquals("OF_13", description.annotations().value(AnnotationKeys.PROTOCOL));
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.7:40001, 192.0.2.7", "'[2001:db8::7]:40001', 2001:db8::7", "local, local"})
    void itsManagementAddressIsThatOfTheChannel(String channel, String address) {
        s1.channel = channel;
        listener.switchAdded(S1);
        assertEquals(address, devices.descriptions.get(0).annotations().value(AnnotationKeys.MANAGEMENT_ADDRESS));
        assertEquals(channel, devices.descriptions.get(0).annotations().value(AnnotationKeys.CHANNEL_ID));
    }

    @Test
    void aSwitchThatIsGoneAgainIsNotTold() {
        listener.switchAdded(GONE);
        listener.switchChanged(GONE);
        listener.roleChangedToMaster(GONE);
        assertEquals(List.of(), devices.told);
    }

    @Test
    void aSwitchThatConnectsSendsNoCopiesYet() {
        listener.switchAdded(S1);
        assertEquals("none", devices.descriptions.get(0).annotations().value("tcpFlags"));
        assertEquals("none", devices.descriptions.get(0).annotations().value("tcpFlagsPausedPorts"));
        assertEquals("none", devices.descriptions.get(0).annotations().value("tcpFlagsNode"));
    }

    @Test
    void thatItSendsCopiesIsToldInItsAnnotations() {
        listener.describeAgain(S1, Map.of("tcpFlags", "copied", "tcpFlagsPausedPorts", "1,2"));
        assertEquals(List.of("connected " + ID), devices.told);
        assertEquals("copied", devices.descriptions.get(0).annotations().value("tcpFlags"));
        assertEquals("10.0.0.7", devices.descriptions.get(0).annotations().value("tcpFlagsNode"));
        assertEquals("1,2", devices.descriptions.get(0).annotations().value("tcpFlagsPausedPorts"));
        assertEquals("OF_13", devices.descriptions.get(0).annotations().value(AnnotationKeys.PROTOCOL));
    }

    @Test
    void aSwitchThatIsGoneIsNotCalledConnected() {
        listener.describeAgain(GONE, Map.of("tcpFlags", "copied"));
        assertEquals(List.of(), devices.told);
    }

    @Test
    void aSwitchGoes() {
        listener.switchRemoved(S1);
        assertEquals(List.of("disconnected " + ID), devices.told);
    }

    @Test
    void changedPortsAreToldAsAWhole() {
        s1.ports.remove(0);
        listener.switchChanged(S1);
        assertEquals(List.of("ports " + ID + " [2 down]"), devices.told);
    }

    @Test
    void onePortGoesDownUpAndAway() {
        listener.portChanged(S1, status(OFPortReason.MODIFY, true));
        listener.portChanged(S1, status(OFPortReason.MODIFY, false));
        listener.portChanged(S1, status(OFPortReason.DELETE, true));
        listener.portChanged(S1, status(OFPortReason.ADD, false));
        assertEquals(List.of("port " + ID + " 2 down", "port " + ID + " 2 up", "port deleted " + ID + " 2",
                "port " + ID + " 2 up"), devices.told);
    }

    @Test
    void rolesAreThoseOfOnos() {
        listener.receivedRoleReply(S1, RoleState.MASTER, RoleState.SLAVE);
        listener.receivedRoleReply(S1, RoleState.EQUAL, RoleState.EQUAL);
        assertEquals(List.of("role " + ID + " MASTER NONE", "role " + ID + " STANDBY STANDBY"), devices.told);
    }

    @Test
    void aNewMasterAsksForThePortsOnceMore() {
        listener.roleChangedToMaster(S1);
        assertInstanceOf(OFPortDescStatsRequest.class, s1.onlyMessage());
    }

    @Test
    void countersOfPortsAreToldButNotThoseOfReservedPorts() {
        listener.handleMessage(S1, RecordingSwitch.FACTORY.buildPortStatsReply()
                .setEntries(List.of(entry(OFPort.of(1), 100), entry(OFPort.LOCAL, 7), entry(OFPort.CONTROLLER, 1)))
                .build());
        assertEquals(List.of("statistics " + ID), devices.told);
        assertEquals(List.of(100L, 7L),
                devices.statistics.stream().map(PortStatistics::bytesSent).collect(Collectors.toList()));
    }

    @Test
    void otherMessagesAreOthersMatter() {
        listener.handleMessage(S1, RecordingSwitch.FACTORY.buildBarrierReply().build());
        assertEquals(List.of(), devices.told);
    }

    private static OFPortStatus status(OFPortReason reason, boolean down) {
        return RecordingSwitch.FACTORY.buildPortStatus().setReason(reason).setDesc(port(2, down)).build();
    }

    private static OFPortDesc port(int number, boolean down) {
        return RecordingSwitch.FACTORY.buildPortDesc().setPortNo(OFPort.of(number)).setHwAddr(MacAddress.of(number))
                .setName("s1-eth" + number)
                .setState(down ? EnumSet.of(OFPortState.LINK_DOWN) : EnumSet.noneOf(OFPortState.class)).build();
    }

    private static OFPortStatsEntry entry(OFPort port, long bytesSent) {
        return RecordingSwitch.FACTORY.buildPortStatsEntry().setPortNo(port).setTxBytes(U64.of(bytesSent)).build();
    }
}
