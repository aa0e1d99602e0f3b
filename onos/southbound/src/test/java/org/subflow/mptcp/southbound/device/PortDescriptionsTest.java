// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.device.PortStatistics;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

class PortDescriptionsTest {

    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);

    @Test
    void nameAddressAndNumber() {
        PortDescription port = PortDescriptions.describe(port().build());
        assertEquals(PortNumber.portNumber(3), port.portNumber());
        assertEquals("s1-eth3", port.annotations().value(AnnotationKeys.PORT_NAME));
        assertEquals("02:00:00:00:00:03", port.annotations().value(AnnotationKeys.PORT_MAC));
        assertTrue(port.isEnabled());
    }

    @Test
    void reservedPort() {
        assertEquals(PortNumber.LOCAL, PortDescriptions.describe(port().setPortNo(OFPort.LOCAL).build()).portNumber());
    }

    @Test
    void downByLinkOrByOperator() {
        assertFalse(PortDescriptions.describe(port().setState(EnumSet.of(OFPortState.LINK_DOWN)).build()).isEnabled());
        assertFalse(PortDescriptions.describe(port().setConfig(EnumSet.of(OFPortConfig.PORT_DOWN)).build()).isEnabled());
    }

    @Test
    void speedInMbitPerSecond() {
        assertEquals(10_000, PortDescriptions.describe(port().setCurrSpeed(10_000_000).build()).portSpeed());
    }

    @Test
    void speedByFeatureWhereNoneIsMeasured() {
        OFPortDesc port = port().setCurrSpeed(0)
                .setCurr(EnumSet.of(OFPortFeatures.PF_100MB_FD, OFPortFeatures.PF_1GB_FD, OFPortFeatures.PF_COPPER))
                .build();
        assertEquals(1_000, PortDescriptions.describe(port).portSpeed());
        assertEquals(0, PortDescriptions.describe(port().build()).portSpeed());
    }

    @Test
    void aBundleHasTheSpeedThatTheSwitchMeasuresAlsoWhereItsFeaturesAreThoseOfAMember() {
        OFPortDesc port = port().setCurrSpeed(40_000_000).setCurr(EnumSet.of(OFPortFeatures.PF_10GB_FD)).build();
        assertEquals(40_000, PortDescriptions.describe(port).portSpeed());
    }

    @Test
    void counters() {
        PortStatistics statistics = PortDescriptions.statistics(DeviceId.deviceId("of:1"),
                FACTORY.buildPortStatsEntry().setPortNo(OFPort.of(3))
                        .setRxPackets(U64.of(1)).setTxPackets(U64.of(2)).setRxBytes(U64.of(3)).setTxBytes(U64.of(4))
                        .setRxDropped(U64.of(5)).setTxDropped(U64.of(6)).setRxErrors(U64.of(7)).setTxErrors(U64.of(8))
                        .setDurationSec(9).setDurationNsec(10).build());
        assertEquals(PortNumber.portNumber(3), statistics.portNumber());
        assertEquals(1, statistics.packetsReceived());
        assertEquals(2, statistics.packetsSent());
        assertEquals(3, statistics.bytesReceived());
        assertEquals(4, statistics.bytesSent());
        assertEquals(5, statistics.packetsRxDropped());
        assertEquals(6, statistics.packetsTxDropped());
        assertEquals(7, statistics.packetsRxErrors());
        assertEquals(8, statistics.packetsTxErrors());
        assertEquals(9, statistics.durationSec());
        assertEquals(10, statistics.durationNano());
    }

    private static OFPortDesc.Builder port() {
        return FACTORY.buildPortDesc()
                .setPortNo(OFPort.of(3))
                .setName("s1-eth3")
                .setHwAddr(MacAddress.of("02:00:00:00:00:03"));
    }
}
