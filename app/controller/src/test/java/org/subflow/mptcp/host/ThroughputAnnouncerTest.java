// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.lifecycle.HostAgentsScenario;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.segment.option.MpEt;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.ReadMpEt;
import org.subflow.mptcp.wiring.Stage;

/** Which hosts hear of expected throughputs by segments, and what these are like. */
class ThroughputAnnouncerTest extends HostAgentsScenario {
    private static final MacAddress OF_CLIENT = MacAddress.valueOf(1);
    private static final MacAddress OF_SERVER = MacAddress.valueOf(2);

    private final List<OutboundPacket> sent = new ArrayList<>();
    private int everySeconds = 5;
    /** By how much the wall clock differs. */
    private long stepMillis;
    /** What is stored of the numbers that were announced. */
    private long greatest;
    private ThroughputAnnouncer announcer = announcer();

    private ThroughputAnnouncer announcer() {
        return new ThroughputAnnouncer(stage.store, agents, stage.attachments, new PacketServiceAdapter() {
            @Override
            public void emit(OutboundPacket packet) {
                sent.add(packet);
            }
        }, () -> everySeconds, () -> stage.millis + stepMillis, number -> {
            greatest = Math.max(greatest, number);
            return greatest;
        });
    }

    private Connection running() {
        open(Stage.ID.value(), 1);
        stage.installed();
        Connection connection = stage.connection().mapSubflows(subflow -> subflow.withExpected(Rates.of(12e6, 3e6)));
        stage.provisioner.record(connection, ConnectionEvent.Type.SHARES_CHANGED);
        return stage.connection();
    }

    private void open(String name, int port) {
        FiveTuple tuple = stage.attachments.withHosts(Stage.tuple("10.0.0.1", port)).orElseThrow();
        stage.admission.opened(ConnectionId.of(name), Opening.of(tuple, List.of()), 1, Token.of(port), Token.of(port + 1), port);
    }

    /** Ten seconds pass, and it looks at the connections. */
    private List<OutboundPacket> round() {
        stage.millis += 10_000;
        sent.clear();
        announcer.tick();
        return new ArrayList<>(sent);
    }

    private static TCP tcp(OutboundPacket packet) throws DeserializationException {
        byte[] frame = packet.data().array();
        return (TCP) Ethernet.deserializer().deserialize(frame, 0, frame.length).getPayload().getPayload();
    }

    private static ReadMpEt option(OutboundPacket packet) throws DeserializationException {
        return ReadMpEt.of(MptcpOptionParser.parse(tcp(packet).getOptions(), 0).options.get(0)).orElseThrow();
    }

    @Test
    void bothHostsOfASubflowHearWhatTheyMaySendAtTheirOwnPorts() throws DeserializationException {
        Subflow subflow = running().first();
        List<OutboundPacket> packets = round();
        assertEquals(2, packets.size());
        OutboundPacket toClient = packets.get(0);
        byte[] frame = toClient.data().array();
        Ethernet ethernet = Ethernet.deserializer().deserialize(frame, 0, frame.length);
        assertEquals(List.of(OF_CLIENT, OF_SERVER), List.of(ethernet.getDestinationMAC(), ethernet.getSourceMAC()));
        IPv4 packet = (IPv4) ethernet.getPayload();
        assertEquals(CLIENT.getIp4Address().toInt(), packet.getDestinationAddress());
        assertEquals(List.of(subflow.tuple().destinationPort(), subflow.tuple().sourcePort()),
                     List.of(tcp(toClient).getSourcePort(), tcp(toClient).getDestinationPort()));
        assertEquals(0, tcp(toClient).getFlags(), "a host must drop it");
        assertEquals(subflow.ingress().deviceId(), toClient.sendThrough());
        assertEquals(subflow.ingress().port(), ((OutputInstruction) toClient.treatment().allInstructions().get(0)).port());
        assertEquals(List.of(12_000L, 3000L), List.of(option(toClient).kbitsPerSecond(), option(packets.get(1)).kbitsPerSecond()));
        assertEquals(15, option(toClient).seconds());
    }

    @Test
    void anAuthenticatorNeedsTheTokensHash() throws DeserializationException {
        FiveTuple toClient = running().first().tuple().reversed();
        assertEquals(0, option(round().get(0)).authenticator(), "nobody is registered");
        agents.register(CLIENT, List.of(), true);
        ReadMpEt told = option(round().get(0));
        byte[] key = agents.key(CLIENT).orElseThrow();
        assertEquals(ThroughputSegment.authenticator(toClient, told.written(), key), told.authenticator());
        assertNotEquals(ThroughputSegment.authenticator(toClient.reversed(), told.written(), key), told.authenticator());
        assertNotEquals(ThroughputSegment.authenticator(toClient, told.written(), new byte[32]), told.authenticator());
    }

    @Test
    void theAuthenticatorIsThatOfTheDocument() {
        FiveTuple to = FiveTuple.of(IpAddress.valueOf("10.0.0.2"), 5201, CLIENT, 40_000);
        byte[] key = new byte[32];
        key[31] = 1;
        // The agent's test has the same.
        assertEquals("fc97fb1226b08359", Long.toHexString(ThroughputSegment.authenticator(
                to, new MpEt(true, 15, 12_000, -2, 0), key)));
    }

    @Test
    void aNumberIsGreaterThanTheLastOneAlsoIfTheClockGoesBack() throws DeserializationException {
        running();
        int before = option(round().get(0)).sequence();
        stepMillis = -3_600_000;
        int after = option(round().get(0)).sequence();
        assertTrue(after - before > 0, before + " " + after);
        int next = option(round().get(0)).sequence();
        assertTrue(next - after > 0, after + " " + next);
        stepMillis = 0;
        assertTrue(option(round().get(0)).sequence() - next > 0);
    }

    @Test
    void theNextLeaderWhoseClockIsLateGoesOnFromTheLastNumber() throws DeserializationException {
        running();
        int before = option(round().get(0)).sequence();
        announcer = announcer();
        stepMillis = -3_600_000;
        assertEquals(before + 1, option(round().get(0)).sequence());
    }

    @Test
    void whoseAgentReportsHearsNothing() {
        running();
        Agent client = agent(CLIENT);
        stage.millis += 10_000;
        report(client, OptionalLong.empty(), 0);
        announcer.tick();
        assertEquals(1, sent.size(), "the server alone");
        assertEquals(2, round().size(), "the agent has fallen silent");
    }

    @Test
    void nothingIsSentByDefaultAndNothingBetween() {
        running();
        everySeconds = 0;
        assertEquals(List.of(), round());
        everySeconds = 5;
        assertEquals(2, round().size());
        stage.millis += 4000;
        announcer.tick();
        assertEquals(2, sent.size(), "not before five seconds are over");
    }

    @Test
    void thereIsAMostAndTheOthersComeInTheNextSeconds() {
        stage.settings = Settings.DEFAULTS.with(Settings.MANAGE_AFTER_MILLIS, 0);
        int connections = ThroughputAnnouncer.MOST_PACKETS / 2 + 50;
        for (int number = 0; number < connections; number++) {
            open(String.format("%08x", number), 2000 + number);
        }
        stage.installed();
        List<OutboundPacket> first = round();
        assertEquals(ThroughputAnnouncer.MOST_PACKETS, first.size());
        stage.millis += 1000;
        announcer.tick();
        assertEquals(2L * connections, sent.size());
        assertEquals(2L * connections, announcer.counters().get("agents.announced"));
    }
}
