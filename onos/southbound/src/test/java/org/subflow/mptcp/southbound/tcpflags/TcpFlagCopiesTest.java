// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.subflow.mptcp.southbound.tcpflags.Tables.BOTH;
import static org.subflow.mptcp.southbound.tcpflags.Tables.COPIES;
import static org.subflow.mptcp.southbound.tcpflags.Tables.RULES;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.openflow.controller.DefaultOpenFlowPacketContext;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.SwitchesController;
import org.subflow.mptcp.southbound.fixtures.Configured;
import org.subflow.mptcp.southbound.fixtures.Links;

/** The component with a worker of its own: processors come and go, and so do the rules. */
class TcpFlagCopiesTest {
    private static final PacketProcessor PROCESSOR = context -> { };
    private static final Set<OFFlowAdd> NO_COPIES = Set.of(RULES.always());

    private final SwitchesController controller = new SwitchesController();
    private final RecordingSwitch s1 = controller.connect(1);
    private final Links links = new Links();
    private final TcpFlagCopies component = new TcpFlagCopies();

    @BeforeEach
    void prepare() {
        component.controller = controller;
        component.linkService = links;
        component.annotations = new Tables.Told();
        component.cfgService = new ComponentConfigAdapter();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (!links.listeners.isEmpty()) {
            component.deactivate();
        }
    }

    @Test
    void processorsThatWereThereBeforeAreServed() throws InterruptedException {
        component.bindCopies(PROCESSOR);
        component.activate(copyTcpFlags("true"));
        assertTable(RULES.rules(COPIES, Set.of()));
    }

    @Test
    void rulesComeWithTheFirstProcessorAndGoWithTheLast() throws InterruptedException {
        component.activate(copyTcpFlags(""));
        assertTable(NO_COPIES);
        component.bindCopies(PROCESSOR);
        assertTable(RULES.rules(COPIES, Set.of()));
        component.bindDivertedSyns(PROCESSOR);
        assertTable(RULES.rules(BOTH, Set.of()));
        component.unbindDivertedSyns(PROCESSOR);
        assertTable(RULES.rules(COPIES, Set.of()));
        component.unbindCopies(PROCESSOR);
        assertTable(NO_COPIES);
    }

    @Test
    void theyAreSwitchedOffAndOn() throws InterruptedException {
        component.activate(copyTcpFlags("false"));
        assertTable(NO_COPIES);
        component.bindCopies(PROCESSOR);
        component.modified(copyTcpFlags("true"));
        assertTable(RULES.rules(COPIES, Set.of()));
        component.modified(copyTcpFlags("false"));
        assertTable(NO_COPIES);
    }

    @Test
    void onceStoppedItLeavesOnlyTheWayToOnosTables() throws InterruptedException {
        component.activate(copyTcpFlags("true"));
        component.bindCopies(PROCESSOR);
        component.deactivate();
        assertEquals(NO_COPIES, Tables.in(s1));
        assertEquals(Set.of(), controller.switchListeners);
        assertEquals(Set.of(), controller.eventListeners);
        assertEquals(Map.of(), controller.packetListeners);
        assertEquals(Set.of(), links.listeners);
        component.unbindCopies(PROCESSOR);
    }

    @Test
    void aPortThatFloodsIsPausedForASecond() throws InterruptedException {
        component.bindCopies(PROCESSOR);
        component.activate(configured("true", "5"));
        assertTable(RULES.rules(COPIES, Set.of()));
        flood();
        assertTable(RULES.rules(COPIES, Tables.ports(3)));
        assertTable(RULES.rules(COPIES, Set.of()));
        flood();
        assertTable(RULES.rules(COPIES, Tables.ports(3)));
        component.modified(configured("true", "0"));
        assertTable(RULES.rules(COPIES, Set.of()));
    }

    @Test
    void theEndDoesNotWaitForAPause() throws InterruptedException {
        component.bindCopies(PROCESSOR);
        component.activate(configured("true", "5"));
        flood();
        component.deactivate();
        assertEquals(NO_COPIES, Tables.in(s1));
    }

    private void receive(int port, byte[] frame) {
        OFPacketIn message = RecordingSwitch.FACTORY.buildPacketIn().setReason(OFPacketInReason.ACTION)
                .setTableId(FirstTable.ID).setCookie(U64.of(Delivery.COPIES.cookie())).setData(frame)
                .setMatch(RecordingSwitch.FACTORY.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build()).build();
        controller.receive(DefaultOpenFlowPacketContext.packetContextFromPacketIn(s1, message));
    }

    /** Waits for the next barrier, and looks at the table that the switch has then. */
    private void assertTable(Set<OFFlowAdd> expected) throws InterruptedException {
        OFMessage last = s1.next();
        while (!(last instanceof OFBarrierRequest)) {
            last = s1.next();
        }
        assertEquals(expected, Tables.in(s1, last.getXid()));
    }

    /** Lets port 3 bring more than it may. */
    private void flood() {
        for (int i = 0; i < 10; i++) {
            receive(3, new byte[60]);
        }
    }

    @Test
    void onosReadsAllSettingsWithTheirDefaults() throws IOException {
        Map<String, String> told = new HashMap<>();
        try (InputStream definitions = TcpFlagCopies.class.getResourceAsStream("TcpFlagCopies.cfgdef")) {
            new String(definitions.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\\|")).forEach(fields -> told.put(fields[0], fields[2]));
        }
        assertEquals(Map.of(
                TcpFlagCopies.COPY_TCP_FLAGS, "true",
                TcpFlagCopies.MOST_COPIES, String.valueOf(TcpFlagCopies.MOST_COPIES_DEFAULT),
                TcpFlagCopies.MOST_UNANSWERED, String.valueOf(TcpFlagCopies.MOST_UNANSWERED_DEFAULT),
                TcpFlagCopies.MOST_SYNS, String.valueOf(TcpFlagCopies.MOST_SYNS_DEFAULT)), told);
    }

    private static Configured copyTcpFlags(String value) {
        return configured(value, "");
    }

    private static Configured configured(String copyTcpFlags, String mostCopiesPerSecond) {
        return new Configured(Map.of(TcpFlagCopies.COPY_TCP_FLAGS, copyTcpFlags, TcpFlagCopies.MOST_COPIES, mostCopiesPerSecond,
                TcpFlagCopies.MOST_UNANSWERED, "0", TcpFlagCopies.MOST_SYNS, "0"));
    }
}
