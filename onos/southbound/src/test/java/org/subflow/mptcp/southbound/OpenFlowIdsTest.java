// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.types.OFPort;

/** Identifiers there and back, the reserved ports among them. */
class OpenFlowIdsTest {
    @Test
    void aDatapathIsADeviceAndTheOtherWayRound() {
        DeviceId device = OpenFlowIds.deviceId(new Dpid(0xab));
        assertEquals("of:00000000000000ab", device.toString());
        assertEquals(new Dpid(0xab), OpenFlowIds.dpid(device));
        assertThrows(IllegalArgumentException.class, () -> OpenFlowIds.dpid(DeviceId.deviceId("netconf:192.0.2.1")));
    }

    @Test
    void devicesOfOtherProtocolsAreToldApart() {
        assertTrue(OpenFlowIds.isOpenFlow(DeviceId.deviceId("of:00000000000000ab")));
        assertFalse(OpenFlowIds.isOpenFlow(DeviceId.deviceId("netconf:192.0.2.1")));
    }

    @Test
    void portsKeepTheirNumbers() {
        assertPort(PortNumber.portNumber(7), OFPort.of(7));
        assertPort(PortNumber.portNumber(70_000), OFPort.of(70_000));
        assertPort(PortNumber.FLOOD, OFPort.FLOOD);
        assertPort(PortNumber.ALL, OFPort.ALL);
        assertPort(PortNumber.IN_PORT, OFPort.IN_PORT);
        assertPort(PortNumber.LOCAL, OFPort.LOCAL);
        assertPort(PortNumber.TABLE, OFPort.TABLE);
        assertPort(PortNumber.CONTROLLER, OFPort.CONTROLLER);
    }

    private static void assertPort(PortNumber onos, OFPort openFlow) {
        assertEquals(openFlow, OpenFlowIds.ofPort(onos));
        assertEquals(onos, OpenFlowIds.portNumber(openFlow));
    }
}
