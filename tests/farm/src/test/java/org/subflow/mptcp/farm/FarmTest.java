// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFBarrierReply;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFeaturesReply;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsReply;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketIn;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.subflow.mptcp.farm.Connection.Flow;

/** Switches of a farm beside a controller of the test's own. */
@Timeout(20)
class FarmTest {
    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
    private static final int LLDP = 0x88cc;
    private static final int QUIET_MILLIS = 300;

    private final Fabric fabric = new Fabric(20);
    private final Map<Integer, Channel> channels = new HashMap<>();
    private ServerSocket controller;
    private Loop loop;
    private Farm farm;
    private Traffic traffic;
    private Thread thread;

    /** The controller's end of a switch's connection. */
    private static final class Channel {
        private final Socket socket;
        private final DataInputStream in;

        Channel(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
        }

        void send(OFMessage message) throws IOException {
            ByteBuf bytes = Unpooled.buffer();
            message.writeTo(bytes);
            byte[] written = new byte[bytes.readableBytes()];
            bytes.readBytes(written);
            socket.getOutputStream().write(written);
        }

        OFMessage read() throws IOException, OFParseError {
            byte[] header = new byte[8];
            in.readFully(header);
            byte[] all = Arrays.copyOf(header, (header[2] & 0xff) << 8 | header[3] & 0xff);
            in.readFully(all, 8, all.length - 8);
            return FACTORY.getReader().readFrom(Unpooled.wrappedBuffer(all));
        }

        <T extends OFMessage> T read(Class<T> type) throws IOException, OFParseError {
            while (true) {
                OFMessage message = read();
                if (type.isInstance(message)) {
                    return type.cast(message);
                }
            }
        }

        boolean isSilent() throws IOException, OFParseError {
            socket.setSoTimeout(QUIET_MILLIS);
            try {
                read();
                return false;
            } catch (SocketTimeoutException e) {
                return true;
            } finally {
                socket.setSoTimeout(0);
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        controller = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        loop = new Loop();
        farm = new Farm(fabric, loop, 0);
        traffic = new Traffic(farm, loop, 2, 1000, 1);
        farm.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), controller.getLocalPort()));
        thread = new Thread(() -> {
            try {
                loop.run();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        for (int i = 0; i < fabric.switches(); i++) {
            Channel channel = new Channel(controller.accept());
            channel.send(FACTORY.buildFeaturesRequest().build());
            channels.put((int) channel.read(OFFeaturesReply.class).getDatapathId().getLong(), channel);
        }
    }

    @AfterEach
    void end() throws Exception {
        loop.end();
        thread.join();
        for (Channel channel : channels.values()) {
            channel.socket.close();
        }
        controller.close();
    }

    private static OFFlowAdd.Builder rule(int table, int priority, Match match, OFPort out) {
        return FACTORY.buildFlowAdd().setTableId(TableId.of(table)).setPriority(priority).setMatch(match)
                .setCookie(U64.of(0x1000L + priority)).setBufferId(OFBufferId.NO_BUFFER)
                .setFlags(EnumSet.of(OFFlowModFlags.SEND_FLOW_REM)).setInstructions(List.of(FACTORY.instructions().applyActions(
                        List.of(FACTORY.actions().output(out, 0xffff)))));
    }

    private static Match exact(Tuple tuple) {
        return FACTORY.buildMatch().setExact(MatchField.ETH_TYPE, EthType.IPv4).setExact(MatchField.IP_PROTO, IpProtocol.TCP)
                .setExact(MatchField.IPV4_SRC, IPv4Address.of(tuple.source()))
                .setExact(MatchField.IPV4_DST, IPv4Address.of(tuple.destination()))
                .setExact(MatchField.TCP_SRC, TransportPort.of(tuple.sourcePort()))
                .setExact(MatchField.TCP_DST, TransportPort.of(tuple.destinationPort())).build();
    }

    private static OFFlowStatsRequest statistics() {
        return FACTORY.buildFlowStatsRequest().setTableId(TableId.ALL).setOutPort(OFPort.ANY).setOutGroup(OFGroup.ANY)
                .setMatch(FACTORY.matchWildcardAll()).build();
    }

    @Test
    void aSwitchDescribesItsPorts() throws Exception {
        Channel channel = channels.get(7);
        channel.send(FACTORY.buildPortDescStatsRequest().build());
        assertEquals(fabric.ports(7), channel.read(OFPortDescStatsReply.class).getEntries().size());
        channel.send(FACTORY.buildEchoRequest().setData(new byte[] {1, 2}).build());
        assertEquals(2, channel.read(OFEchoReply.class).getData().length);
        channel.send(FACTORY.buildQueueGetConfigRequest().setPort(OFPort.of(1)).build());
        assertNotNull(channel.read(OFErrorMsg.class));
    }

    @Test
    void aProbeComesInAtTheOtherEnd() throws Exception {
        byte[] probe = new byte[60];
        probe[12] = (byte) (LLDP >> 8);
        probe[13] = (byte) LLDP;
        channels.get(5).send(FACTORY.buildPacketOut().setBufferId(OFBufferId.NO_BUFFER).setInPort(OFPort.CONTROLLER)
                .setActions(List.of(FACTORY.actions().output(OFPort.of(1), 0))).setData(probe).build());
        Fabric.End there = fabric.across(5, 1);
        OFPacketIn in = channels.get(there.node()).read(OFPacketIn.class);
        assertEquals(there.port(), in.getMatch().get(MatchField.IN_PORT).getPortNumber());
    }

    @Test
    void rulesAreKeptCountedAndRemoved() throws Exception {
        Fabric.Host host = fabric.hosts().get(0);
        Channel channel = channels.get(host.at().node());
        channel.send(rule(0, 10, FACTORY.matchWildcardAll(), OFPort.CONTROLLER).build());
        for (int number = 0; number < 1000; number++) {
            channel.send(rule(1, 110, exact(new Tuple(1, 2, 3, 1 + number)), OFPort.of(1)).build());
        }
        channel.send(statistics());
        int entries = 0;
        OFFlowStatsReply reply;
        do {
            reply = channel.read(OFFlowStatsReply.class);
            entries += reply.getEntries().size();
        } while (reply.getFlags().contains(OFStatsReplyFlags.REPLY_MORE));
        assertEquals(1001, entries);
        assertEquals(exact(new Tuple(1, 2, 3, 1000)), reply.getEntries().get(reply.getEntries().size() - 1).getMatch());
        channel.send(FACTORY.buildFlowDelete().setTableId(TableId.of(1)).setMatch(FACTORY.matchWildcardAll())
                .setBufferId(OFBufferId.NO_BUFFER).setOutPort(OFPort.ANY).setOutGroup(OFGroup.ANY).build());
        for (int number = 0; number < 1000; number++) {
            assertEquals(110, channel.read(OFFlowRemoved.class).getPriority());
        }
        channel.send(statistics().createBuilder().setXid(5).build());
        assertEquals(1, channel.read(OFFlowStatsReply.class).getEntries().size());
    }

    @Test
    void handshakesAreCopiedWhereARuleSaysSo() throws Exception {
        copyEverywhere();
        Connection connection = open();
        Channel client = channels.get(connection.client.at().node());
        Channel server = channels.get(connection.server.at().node());
        assertEquals(U64.of(0x1000L + 10), client.read(OFPacketIn.class).getCookie());
        client.read(OFPacketIn.class);
        server.read(OFPacketIn.class);
        server.read(OFPacketIn.class);
        assertEquals(0, ask(traffic::unseen));
        assertEquals(2, ask(connection.subflows::size));
        loop.execute(() -> traffic.closeAll(1000, () -> { }));
        client.read(OFPacketIn.class);
        server.read(OFPacketIn.class);
    }

    private void copyEverywhere() throws Exception {
        for (Channel channel : channels.values()) {
            channel.send(rule(0, 10, FACTORY.matchWildcardAll(), OFPort.CONTROLLER).build());
            channel.send(FACTORY.buildBarrierRequest().build());
            channel.read(OFBarrierReply.class);
        }
    }

    /** Asks on the loop's thread, which owns everything. */
    private <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> answer.complete(question.get()));
        return answer.join();
    }

    private Connection open() {
        return ask(() -> {
            traffic.open(1, 1000, 0, () -> { });
            return traffic.alive().iterator().next();
        });
    }

    @Test
    void aRuleThatAsksForTheNextPacketGetsIt() throws Exception {
        copyEverywhere();
        Connection connection = open();
        Channel client = channels.get(connection.client.at().node());
        client.read(OFPacketIn.class);
        client.read(OFPacketIn.class);
        client.send(rule(1, 105, exact(ask(() -> connection.subflows.get(0).tuple)), OFPort.CONTROLLER).build());
        OFPacketIn next = client.read(OFPacketIn.class);
        assertEquals(1, next.getTableId().getValue());
        assertEquals(U64.of(0x1000L + 105), next.getCookie());
    }

    @Test
    void aWayEndsAtAPortThatIsDown() throws Exception {
        copyEverywhere();
        Connection connection = open();
        Channel edge = channels.get(connection.client.at().node());
        edge.read(OFPacketIn.class);
        Flow flow = ask(() -> new Flow(connection.subflows.get(0), true));
        assertEquals(Farm.Outcome.NO_RULE, ask(() -> farm.way(flow).outcome()));
        edge.send(rule(1, 110, exact(flow.tuple()), OFPort.of(1)).build());
        edge.send(FACTORY.buildBarrierRequest().build());
        edge.read(OFBarrierReply.class);
        assertEquals(1, ask(() -> farm.way(flow).out().size()));
        loop.execute(() -> farm.setLink(new Fabric.End(connection.client.at().node(), 1), false));
        assertFalse(edge.read(OFPortStatus.class).getDesc().isEnabled());
        assertEquals(Farm.Outcome.DEAD, ask(() -> farm.way(flow).outcome()));
    }

    @Test
    void aHungSwitchAnswersNothingAndTheOthersGoOn() throws Exception {
        loop.execute(() -> farm.node(6).hang());
        Channel other = channels.get(7);
        other.send(FACTORY.buildBarrierRequest().setXid(9).build());
        assertEquals(9, other.read(OFBarrierReply.class).getXid());
        channels.get(6).send(FACTORY.buildBarrierRequest().build());
        assertTrue(channels.get(6).isSilent());
        other.send(FACTORY.buildBarrierRequest().setXid(10).build());
        assertInstanceOf(OFBarrierReply.class, other.read());
    }
}
