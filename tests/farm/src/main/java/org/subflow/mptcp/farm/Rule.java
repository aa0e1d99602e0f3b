// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.List;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteActions;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TransportPort;

/** A flow rule, as a flow-mod has it. Immutable but for when it came. */
final class Rule {
    /** Of a flow-mod of OpenFlow 1.3: where its match begins. */
    private static final int MATCH_AT = 48;
    private static final int MATCH_LENGTH_AT = MATCH_AT + 2;
    private static final int FLAGS_AT = 44;
    private static final int STATS_HEADER = 48;

    /** What decides which rule is replaced: table, priority and match. */
    record Place(int table, int priority, ByteBuffer match) { }

    private final Place place;
    private final long cookie;
    private final int idleSeconds;
    private final int hardSeconds;
    private final int flags;
    /** Match and instructions as they came. */
    private final byte[] body;
    private final OFFlowMod mod;
    private final Tuple tuple;
    private final int inPort;
    private final long ethernetDestination;
    private int out;
    private long newDestination;
    private boolean toController;
    private long sinceNanos;

    /**
     * Makes a rule.
     *
     * @param mod the flow-mod
     * @param raw its bytes
     */
    Rule(OFFlowMod mod, ByteBuf raw, long now) {
        this.mod = mod;
        int length = raw.getUnsignedShort(raw.readerIndex() + MATCH_LENGTH_AT);
        body = new byte[raw.readableBytes() - MATCH_AT];
        raw.getBytes(raw.readerIndex() + MATCH_AT, body);
        flags = raw.getUnsignedShort(raw.readerIndex() + FLAGS_AT);
        place = new Place(mod.getTableId().getValue(), mod.getPriority(), ByteBuffer.wrap(body, 0, (length + 7) / 8 * 8));
        cookie = mod.getCookie().getValue();
        idleSeconds = mod.getIdleTimeout();
        hardSeconds = mod.getHardTimeout();
        sinceNanos = now;
        Match match = mod.getMatch();
        IPv4Address source = match.get(MatchField.IPV4_SRC);
        IPv4Address destination = match.get(MatchField.IPV4_DST);
        TransportPort sourcePort = match.get(MatchField.TCP_SRC);
        TransportPort destinationPort = match.get(MatchField.TCP_DST);
        tuple = source == null || destination == null || sourcePort == null || destinationPort == null ? null
                : new Tuple(source.getInt(), destination.getInt(), sourcePort.getPort(), destinationPort.getPort());
        OFPort port = match.get(MatchField.IN_PORT);
        inPort = port == null ? 0 : port.getPortNumber();
        MacAddress mac = match.get(MatchField.ETH_DST);
        ethernetDestination = mac == null ? 0 : mac.getLong();
        mod.getInstructions().forEach(this::read);
    }

    private void read(OFInstruction instruction) {
        if (instruction instanceof OFInstructionApplyActions apply) {
            readActions(apply.getActions());
        } else if (instruction instanceof OFInstructionWriteActions write) {
            readActions(write.getActions());
        }
    }

    private void readActions(List<OFAction> actions) {
        for (OFAction action : actions) {
            if (action instanceof OFActionOutput output) {
                OFPort port = output.getPort();
                toController |= port.equals(OFPort.CONTROLLER);
                out = port.getPortNumber() > 0 ? port.getPortNumber() : out;
            } else if (action instanceof OFActionSetField set && set.getField().getMatchField() == MatchField.ETH_DST) {
                newDestination = ((MacAddress) set.getField().getValue()).getLong();
            }
        }
    }

    Place place() {
        return place;
    }

    OFFlowMod mod() {
        return mod;
    }

    long cookie() {
        return cookie;
    }

    /** {@return the five-tuple that it matches; null if it matches more than one} */
    Tuple tuple() {
        return tuple;
    }

    /** {@return the port that it matches; 0 for any} */
    int inPort() {
        return inPort;
    }

    /** {@return the MAC address that it matches as destination; 0 for any} */
    long ethernetDestination() {
        return ethernetDestination;
    }

    /** {@return the port that packets are sent to; 0 if none} */
    int out() {
        return out;
    }

    /** {@return the MAC address that it writes as destination; 0 if none} */
    long newDestination() {
        return newDestination;
    }

    boolean isToController() {
        return toController;
    }

    /** {@return whether it matches every packet} */
    boolean matchesAll() {
        return !mod.getMatch().getMatchFields().iterator().hasNext();
    }

    boolean wantsToBeMissed() {
        return (flags & 1) != 0;
    }

    long sinceNanos() {
        return sinceNanos;
    }

    /** Takes the place of a rule: the switch goes on counting. */
    void replace(Rule before) {
        sinceNanos = before.sinceNanos;
    }

    /** {@return the bytes of its entry in a reply to a request for flow statistics} */
    int entryLength() {
        return STATS_HEADER + body.length;
    }

    /** Writes its entry in a reply to a request for flow statistics (section 7.3.5.2 of OpenFlow 1.3.5). */
    void writeEntry(ByteBuffer to, long packets, long bytes, long now) {
        long age = now - sinceNanos;
        to.putShort((short) entryLength()).put((byte) place.table()).put((byte) 0);
        to.putInt((int) (age / 1_000_000_000)).putInt((int) (age % 1_000_000_000));
        to.putShort((short) place.priority()).putShort((short) idleSeconds).putShort((short) hardSeconds).putShort((short) flags);
        to.putInt(0).putLong(cookie).putLong(packets).putLong(bytes).put(body);
    }
}
