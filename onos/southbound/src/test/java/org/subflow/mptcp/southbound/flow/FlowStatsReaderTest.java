// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

    private final FlowStatsReader reader = new FlowStatsReader();

    @Test
    void whatIsUnderstoodIsReportedAsItIs() throws Exception {
        FlowEntry entry = read(stats(FROM_PORT_1, OUTPUT), null).orElseThrow();
        assertEquals(FROM_PORT_1, entry.selector());
        assertEquals(5, entry.packets());
    }

    @Test
    void unknownRuleOfNobodyIsKeptFromOnos() throws Exception {
        assertEquals(Optional.empty(), read(stats(FROM_PORT_1, UNKNOWN), null));
    }

    @Test
    void unknownRuleUnderAKnownCookieIsThatRule() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 2);
        FlowEntry entry = read(stats(FROM_PORT_1, UNKNOWN), known).orElseThrow();
        assertTrue(known.exactMatch(entry));
        assertEquals(5, entry.packets());
    }

    @Test
    void maskedBitsDoNotMakeItAnotherRule() throws Exception {
        TrafficSelector superfluousBits = DefaultTrafficSelector.builder().matchEthDstMasked(
                MacAddress.valueOf("02:00:00:00:00:01"), MacAddress.valueOf("ff:ff:ff:00:00:00")).build();
        FlowRule known = rule(superfluousBits, 2);
        FlowEntry entry = read(stats(superfluousBits, OUTPUT), known).orElseThrow();
        assertTrue(known.exactMatch(entry));
    }

    @Test
    void anotherTreatmentIsReportedSoThatOnosCanPutItRight() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 7);
        FlowEntry entry = read(stats(FROM_PORT_1, OUTPUT), known).orElseThrow();
        assertFalse(known.exactMatch(entry));
    }

    @Test
    void aSecondReportTellsTheSameWithItsOwnCounters() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 2);
        FlowEntry first = read(stats(FROM_PORT_1, OUTPUT), known).orElseThrow();
        FlowEntry second = read(stats(FROM_PORT_1, OUTPUT).createBuilder().setPacketCount(U64.of(8)).build(), known).orElseThrow();
        assertTrue(first.exactMatch(second));
        assertEquals(8, second.packets());
    }

    @Test
    void entriesOfAKnownRuleShareItsSelectorAndTreatment() throws Exception {
        FlowRule known = rule(FROM_PORT_1, 2);
        for (int report = 0; report < 2; report++) {
            FlowEntry entry = read(stats(FROM_PORT_1, OUTPUT), known).orElseThrow();
            assertSame(known.selector(), entry.selector());
            assertSame(known.treatment(), entry.treatment());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"treatment", "match", "priority"})
    void whatHasChangedInTheSwitchIsReportedAsItIs(String what) throws Exception {
        FlowRule known = rule(FROM_PORT_1, 2);
        read(stats(FROM_PORT_1, OUTPUT), known);
        TrafficSelector selector = what.equals("match")
                ? DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(3)).build() : FROM_PORT_1;
        OFAction action = what.equals("treatment") ? FACTORY.actions().output(OFPort.of(4), 0) : OUTPUT;
        OFFlowStatsEntry changed = stats(selector, action).createBuilder().setPriority(what.equals("priority") ? 11 : 10).build();
        assertFalse(known.exactMatch(read(changed, known).orElseThrow()));
    }

    @Test
    void aRuleThatOnosHasChangedIsComparedAnew() throws Exception {
        read(stats(FROM_PORT_1, OUTPUT), rule(FROM_PORT_1, 2));
        FlowRule changed = rule(FROM_PORT_1, 7);
        assertFalse(changed.exactMatch(read(stats(FROM_PORT_1, OUTPUT), changed).orElseThrow()));
    }

    private Optional<FlowEntry> read(OFFlowStatsEntry stats, FlowRule known) {
        return reader.read(DEVICE, List.of(stats), known == null ? Map.of() : Map.of(stats.getCookie().getValue(), known))
                .stream().findFirst();
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
