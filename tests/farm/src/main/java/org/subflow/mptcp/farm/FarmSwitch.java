// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.projectfloodlight.openflow.exceptions.OFParseError;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFCapabilities;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFEchoRequest;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModCommand;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFMeterFeaturesStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.types.DatapathId;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFAuxId;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U32;
import org.projectfloodlight.openflow.types.U64;

/** One switch of a farm: what it answers the controller. */
final class FarmSwitch implements Wire.Receiver {
    /** Applications' rules are in this table: before it, the embedded ONOS has one of its own. */
    static final int APPLICATIONS_TABLE = 1;

    private static final OFFactory FACTORY = OFFactories.getFactory(OFVersion.OF_13);
    private static final int TYPE_AT = 1;
    private static final int FLOW_MOD_TYPE = 14;
    private static final int XID_AT = 4;
    private static final long SPEED_KBPS = 10_000_000;
    private static final long NANOS = 1_000_000_000;

    /** What a switch tells of. */
    interface Observer {
        /** A rule came. */
        void added(FarmSwitch sw, Rule rule);

        /** A frame is to go out of a port. */
        void sent(FarmSwitch sw, int port, byte[] frame);

        /** Returns how many bytes a rule has counted. */
        long bytes(FarmSwitch sw, Rule rule);

        /** The controller has closed the connection, or sent what is no message. */
        void lost(FarmSwitch sw, String why);
    }

    private final int number;
    private final int ports;
    private final Loop loop;
    private final Observer observer;
    private final double confirmMillis;
    private final FlowTable table = new FlowTable();
    private final BitSet down = new BitSet();
    private final long begunNanos = System.nanoTime();
    private Wire wire;
    private boolean master;
    private boolean connected;
    private boolean hung;
    private long flowMods;
    private long packets;
    private long droppedPackets;

    /**
     * Makes a switch.
     *
     * @param number        its datapath id
     * @param confirmMillis how long it takes for a barrier
     */
    FarmSwitch(int number, int ports, Loop loop, Observer observer, double confirmMillis) {
        this.number = number;
        this.ports = ports;
        this.loop = loop;
        this.observer = observer;
        this.confirmMillis = confirmMillis;
    }

    /** Begins to connect. */
    void connect(InetSocketAddress controller) throws IOException {
        wire = new Wire(loop, controller, this);
        connected = true;
        wire.send(FACTORY.hello(List.of(FACTORY.buildHelloElemVersionbitmap()
                .setBitmaps(List.of(U32.of(1 << OFVersion.OF_13.getWireVersion()))).build())));
    }

    int number() {
        return number;
    }

    FlowTable table() {
        return table;
    }

    /** {@return whether the controller has made itself its master} */
    boolean isMastered() {
        return connected && master;
    }

    long flowMods() {
        return flowMods;
    }

    long packets() {
        return packets;
    }

    long droppedPackets() {
        return droppedPackets;
    }

    /** Lets it answer nothing any more, while its connection stays. */
    void hang() {
        hung = true;
    }

    /** {@return whether a port is up} */
    boolean isUp(int port) {
        return !down.get(port);
    }

    /** Takes a port down or up, and tells the controller. */
    void setPort(int port, boolean up) {
        down.set(port, !up);
        if (!hung) {
            wire.send(FACTORY.buildPortStatus().setReason(OFPortReason.MODIFY).setDesc(port(port)).build());
        }
    }

    /** Brings a frame to the controller by a rule. */
    void packetIn(int port, int tableId, long cookie, byte[] frame) {
        if (connected && !hung && isUp(port)) {
            if (wire.sendPacket(Frames.packetIn(port, tableId, cookie, frame))) {
                packets++;
            } else {
                droppedPackets++;
            }
        }
    }

    @Override
    public void lost(String why) {
        connected = false;
        observer.lost(this, why);
    }

    @Override
    public void received(ByteBuf message) throws OFParseError {
        if (hung) {
            return;
        }
        if (message.getByte(message.readerIndex() + TYPE_AT) == FLOW_MOD_TYPE) {
            ByteBuf raw = message.slice();
            flowMod((OFFlowMod) FACTORY.getReader().readFrom(message), raw);
            return;
        }
        long xid = message.getUnsignedInt(message.readerIndex() + XID_AT);
        OFMessage read;
        try {
            read = FACTORY.getReader().readFrom(message);
        } catch (OFParseError e) {
            refuse(xid);
            return;
        }
        answer(read);
    }

    private void answer(OFMessage message) {
        switch (message.getType()) {
            case FEATURES_REQUEST ->
                wire.send(FACTORY.buildFeaturesReply().setXid(message.getXid()).setDatapathId(DatapathId.of(number)).setNBuffers(0)
                        .setNTables((short) 254).setAuxiliaryId(OFAuxId.MAIN).setReserved(0)
                        .setCapabilities(EnumSet.of(OFCapabilities.FLOW_STATS, OFCapabilities.PORT_STATS)).build());
            case ECHO_REQUEST ->
                wire.send(FACTORY.buildEchoReply().setXid(message.getXid()).setData(((OFEchoRequest) message).getData()).build());
            case GET_CONFIG_REQUEST ->
                wire.send(FACTORY.buildGetConfigReply().setXid(message.getXid()).setMissSendLen(0xffff).build());
            case ROLE_REQUEST -> {
                OFRoleRequest role = (OFRoleRequest) message;
                master = role.getRole() == OFControllerRole.ROLE_MASTER;
                wire.send(FACTORY.buildRoleReply().setXid(message.getXid()).setRole(role.getRole())
                        .setGenerationId(role.getGenerationId()).build());
            }
            case BARRIER_REQUEST -> confirm(message.getXid());
            case PACKET_OUT -> send((OFPacketOut) message);
            case STATS_REQUEST -> statistics(message);
            case HELLO, SET_CONFIG, ECHO_REPLY, METER_MOD, GROUP_MOD, PORT_MOD, TABLE_MOD, SET_ASYNC, ERROR -> { }
            default -> refuse(message.getXid());
        }
    }

    private void confirm(long xid) {
        OFMessage reply = FACTORY.buildBarrierReply().setXid(xid).build();
        if (confirmMillis <= 0) {
            wire.send(reply);
        } else {
            loop.after(confirmMillis, () -> wire.send(reply));
        }
    }

    private void statistics(OFMessage request) {
        long xid = request.getXid();
        if (request instanceof OFFlowStatsRequest asked) {
            table.statistics(xid, asked.getTableId().getValue() & 0xff, asked.getCookie().getValue(),
                             asked.getCookieMask().getValue(), rule -> observer.bytes(this, rule), System.nanoTime())
                    .forEach(wire::sendReply);
        } else if (request instanceof OFPortDescStatsRequest) {
            List<OFPortDesc> described = new ArrayList<>();
            for (int port = 1; port <= ports; port++) {
                described.add(port(port));
            }
            wire.send(FACTORY.buildPortDescStatsReply().setXid(xid).setEntries(described).build());
        } else if (request instanceof OFPortStatsRequest) {
            wire.send(FACTORY.buildPortStatsReply().setXid(xid).setEntries(portStatistics()).build());
        } else if (request instanceof OFDescStatsRequest) {
            wire.send(FACTORY.buildDescStatsReply().setXid(xid).setMfrDesc("onos-mptcp").setHwDesc("farm").setSwDesc("farm")
                    .setSerialNum(String.valueOf(number)).setDpDesc("s" + number).build());
        } else if (request instanceof OFMeterFeaturesStatsRequest) {
            wire.send(FACTORY.buildMeterFeaturesStatsReply().setXid(xid).setFeatures(FACTORY.buildMeterFeatures().setMaxMeter(0)
                    .setBandTypes(0).setCapabilities(0).setMaxBands((short) 0).setMaxColor((short) 0).build()).build());
        } else {
            refuse(xid);
        }
    }

    /** Ports have received what the rules at them have counted. With the rules that goes, as the counters of a port that begins anew. */
    private List<OFPortStatsEntry> portStatistics() {
        long age = System.nanoTime() - begunNanos;
        long[] received = new long[ports + 1];
        table.rules().stream().filter(rule -> rule.inPort() > 0 && rule.inPort() <= ports)
                .forEach(rule -> received[rule.inPort()] += observer.bytes(this, rule));
        List<OFPortStatsEntry> entries = new ArrayList<>();
        for (int port = 1; port <= ports; port++) {
            entries.add(FACTORY.buildPortStatsEntry().setPortNo(OFPort.of(port)).setRxPackets(U64.ZERO).setTxPackets(U64.ZERO)
                    .setRxBytes(U64.of(received[port])).setTxBytes(U64.ZERO).setRxDropped(U64.ZERO).setTxDropped(U64.ZERO).setRxErrors(U64.ZERO)
                    .setTxErrors(U64.ZERO).setRxFrameErr(U64.ZERO).setRxOverErr(U64.ZERO).setRxCrcErr(U64.ZERO)
                    .setCollisions(U64.ZERO).setDurationSec(age / NANOS).setDurationNsec(age % NANOS).build());
        }
        return entries;
    }

    private void refuse(long xid) {
        wire.send(FACTORY.errorMsgs().buildBadRequestErrorMsg().setXid(xid).setCode(OFBadRequestCode.BAD_TYPE).build());
    }

    private OFPortDesc port(int port) {
        Set<OFPortState> state = isUp(port) ? EnumSet.of(OFPortState.LIVE) : EnumSet.of(OFPortState.LINK_DOWN);
        return FACTORY.buildPortDesc().setPortNo(OFPort.of(port)).setHwAddr(MacAddress.of(0x060000000000L + number * 1000L + port))
                .setName("s" + number + "-eth" + port).setConfig(EnumSet.noneOf(OFPortConfig.class)).setState(state)
                .setCurr(EnumSet.of(OFPortFeatures.PF_10GB_FD)).setAdvertised(EnumSet.noneOf(OFPortFeatures.class))
                .setSupported(EnumSet.noneOf(OFPortFeatures.class)).setPeer(EnumSet.noneOf(OFPortFeatures.class))
                .setCurrSpeed(SPEED_KBPS).setMaxSpeed(SPEED_KBPS).build();
    }

    private void send(OFPacketOut message) {
        byte[] frame = message.getData();
        message.getActions().stream().filter(OFActionOutput.class::isInstance)
                .mapToInt(action -> ((OFActionOutput) action).getPort().getPortNumber()).filter(port -> port > 0 && port <= ports)
                .forEach(port -> observer.sent(this, port, frame));
    }

    private void flowMod(OFFlowMod mod, ByteBuf raw) {
        flowMods++;
        Rule rule = new Rule(mod, raw, System.nanoTime());
        OFFlowModCommand command = mod.getCommand();
        if (command == OFFlowModCommand.ADD) {
            table.add(rule);
            observer.added(this, rule);
        } else if (command == OFFlowModCommand.MODIFY || command == OFFlowModCommand.MODIFY_STRICT) {
            if (table.remove(rule.place()) != null) {
                table.add(rule);
                observer.added(this, rule);
            }
        } else if (command == OFFlowModCommand.DELETE && rule.matchesAll()) {
            table.clear(rule.place().table()).forEach(this::removed);
        } else {
            // A deletion with a match is meant for one rule: ONOS makes no others.
            Rule gone = table.remove(rule.place());
            if (gone != null) {
                removed(gone);
            }
        }
    }

    private void removed(Rule rule) {
        if (rule.wantsToBeMissed()) {
            long age = System.nanoTime() - rule.sinceNanos();
            OFFlowMod mod = rule.mod();
            wire.send(FACTORY.buildFlowRemoved().setCookie(mod.getCookie()).setPriority(mod.getPriority())
                    .setReason(OFFlowRemovedReason.DELETE).setTableId(mod.getTableId()).setMatch(mod.getMatch())
                    .setDurationSec(age / NANOS).setDurationNsec(age % NANOS).setIdleTimeout(mod.getIdleTimeout())
                    .setHardTimeout(mod.getHardTimeout()).setPacketCount(U64.ZERO).setByteCount(U64.of(observer.bytes(this, rule)))
                    .build());
        }
    }
}
