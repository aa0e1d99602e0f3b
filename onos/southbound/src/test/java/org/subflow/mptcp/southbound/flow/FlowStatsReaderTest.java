// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.codec.MatchEncoder;

class FlowStatsReaderTest {

    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
    private static final DeviceId DEVICE = DeviceId.deviceId("of:0000000000000001");
    private static final TrafficSelector FROM_PORT_1 =
            DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(1)).build();
    private static final OFAction OUTPUT = FACTORY.actions().output(OFPort.of(2), 0);
    private static final OFAction UNKNOWN = FACTORY.actions().setNwTtl((short) 9);

    @Test
    void whatIsUnderstoodIsReportedAsItIs() throws Exception {
        FlowEntry entry = FlowStatsReader.read(DEVICE, stats(FROM_PORT_1, OUTPUT), null).orElseThrow();
        assertEquals(FROM_PORT_1, entry.selector());
        assertEquals(5, entry.packets());
    }

    @Test
    void unknownRuleOfNobodyIsKeptFromOnos() throws Exception {
        assertEquals(Optional.empty(), FlowStatsReader.read(DEVICE, stats(FROM_PORT_1, UNKNOWN), null));
    }

    @Test
    void unknownRuleUnderAKnownCookieIsThatRule() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 2);
        FlowEntry entry = FlowStatsReader.read(DEVICE, stats(FROM_PORT_1, UNKNOWN), known).orElseThrow();
        assertTrue(known.exactMatch(entry));
        assertEquals(5, entry.packets());
    }

    @Test
    void maskedBitsDoNotMakeItAnotherRule() throws Exception {
        TrafficSelector superfluousBits = DefaultTrafficSelector.builder().matchEthDstMasked(
                MacAddress.valueOf("02:00:00:00:00:01"), MacAddress.valueOf("ff:ff:ff:00:00:00")).build();
        FlowRule known = rule(superfluousBits, 2);
        FlowEntry entry = FlowStatsReader.read(DEVICE, stats(superfluousBits, OUTPUT), known).orElseThrow();
        assertTrue(known.exactMatch(entry));
    }

    @Test
    void anotherTreatmentIsReportedSoThatOnosCanPutItRight() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 7);
        FlowEntry entry = FlowStatsReader.read(DEVICE, stats(FROM_PORT_1, OUTPUT), known).orElseThrow();
        assertFalse(known.exactMatch(entry));
    }

    private static FlowRule rule(TrafficSelector selector, int outPort) {
        return DefaultFlowRule.builder().forDevice(DEVICE).withSelector(selector).withCookie(99)
                .withTreatment(DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(outPort)).build())
                .withPriority(10).makePermanent().build();
    }

    private static OFFlowStatsEntry stats(TrafficSelector selector, OFAction action) throws Exception {
        return FACTORY.buildFlowStatsEntry()
                .setMatch(MatchEncoder.encode(selector, FACTORY))
                .setInstructions(List.of(FACTORY.instructions().applyActions(List.of(action))))
                .setCookie(U64.of(99))
                .setPriority(10)
                .setTableId(TableId.of(1))
                .setPacketCount(U64.of(5))
                .setByteCount(U64.of(6))
                .build();
    }
}
