// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import static org.subflow.mptcp.southbound.OpenFlowIds.ofPort;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.protocol.oxm.OFOxms;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IPv6FlowLabel;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.VlanPcp;

/** Treatment to OpenFlow 1.3 instructions or actions, the inverse of {@link TreatmentDecoder}. */
public final class TreatmentEncoder {

    /** OFPCML_NO_BUFFER: the whole packet goes to the controller, none of it stays in the switch. */
    private static final int WHOLE_PACKET = 0xffff;

    private final OFFactory factory;

    /** Makes an encoder for the version that a factory writes. */
    public TreatmentEncoder(OFFactory factory) {
        this.factory = factory;
    }

    /**
     * {@return the instructions that stand for a rule's treatment}; none for a treatment that drops
     *
     * @throws UnsupportedRuleException if one of the treatment's instructions has no counterpart
     */
    public List<OFInstruction> encode(TrafficTreatment treatment) throws UnsupportedRuleException {
        List<OFInstruction> instructions = new ArrayList<>();
        if (treatment.metered() != null) {
            instructions.add(factory.instructions().meter(treatment.metered().meterId().id()));
        }
        List<OFAction> immediate = actions(treatment.immediate());
        if (!immediate.isEmpty()) {
            instructions.add(factory.instructions().applyActions(immediate));
        }
        if (treatment.clearedDeferred()) {
            instructions.add(factory.instructions().clearActions());
        }
        List<OFAction> deferred = actions(treatment.deferred());
        if (!deferred.isEmpty()) {
            instructions.add(factory.instructions().writeActions(deferred));
        }
        if (treatment.writeMetadata() != null) {
            instructions.add(factory.instructions().writeMetadata(
                    U64.of(treatment.writeMetadata().metadata()), U64.of(treatment.writeMetadata().metadataMask())));
        }
        if (treatment.tableTransition() != null) {
            instructions.add(factory.instructions().gotoTable(
                    TableNumbers.inSwitch(treatment.tableTransition().tableId())));
        }
        return instructions;
    }

    /**
     * {@return the actions that stand for instructions, in their order}
     *
     * @throws UnsupportedRuleException if one of them is no action of OpenFlow 1.3
     */
    public List<OFAction> actions(List<Instruction> instructions) throws UnsupportedRuleException {
        List<OFAction> actions = new ArrayList<>();
        for (Instruction instruction : instructions) {
            if (instruction.type() != Instruction.Type.NOACTION) {
                actions.add(action(instruction));
            }
        }
        return actions;
    }

    private OFAction action(Instruction instruction) throws UnsupportedRuleException {
        switch (instruction.type()) {
            case OUTPUT:
                return output(((Instructions.OutputInstruction) instruction).port());
            case GROUP:
                return factory.actions().group(
                        OFGroup.of(((Instructions.GroupInstruction) instruction).groupId().id()));
            case QUEUE:
                return factory.actions().setQueue(((Instructions.SetQueueInstruction) instruction).queueId());
            case L2MODIFICATION:
                return linkLayer((L2ModificationInstruction) instruction);
            case L3MODIFICATION:
                return networkLayer((L3ModificationInstruction) instruction);
            case L4MODIFICATION:
                return transportLayer((L4ModificationInstruction) instruction);
            default:
                throw new UnsupportedRuleException("OpenFlow 1.3 has no action for " + instruction);
        }
    }

    private OFAction output(PortNumber port) {
        return factory.actions().buildOutput()
                .setPort(ofPort(port))
                .setMaxLen(port.equals(PortNumber.CONTROLLER) ? WHOLE_PACKET : 0)
                .build();
    }

    private OFAction linkLayer(L2ModificationInstruction instruction) throws UnsupportedRuleException {
        OFActions actions = factory.actions();
        OFOxms fields = factory.oxms();
        switch (instruction.subtype()) {
            case ETH_SRC:
                return set(fields.ethSrc(mac(((L2ModificationInstruction.ModEtherInstruction) instruction).mac())));
            case ETH_DST:
                return set(fields.ethDst(mac(((L2ModificationInstruction.ModEtherInstruction) instruction).mac())));
            case VLAN_ID:
                return set(fields.vlanVid(OFVlanVidMatch.ofVlan(
                        ((L2ModificationInstruction.ModVlanIdInstruction) instruction).vlanId().toShort())));
            case VLAN_PCP:
                return set(fields.vlanPcp(VlanPcp.of(
                        ((L2ModificationInstruction.ModVlanPcpInstruction) instruction).vlanPcp())));
            case VLAN_PUSH:
                return actions.pushVlan(EthType.of(Short.toUnsignedInt(
                        ((L2ModificationInstruction.ModVlanHeaderInstruction) instruction)
                                .ethernetType().toShort())));
            case VLAN_POP:
                return actions.popVlan();
            case TUNNEL_ID:
                return set(fields.tunnelId(
                        U64.of(((L2ModificationInstruction.ModTunnelIdInstruction) instruction).tunnelId())));
            default:
                throw new UnsupportedRuleException("no OpenFlow 1.3 action known here for " + instruction);
        }
    }

    private OFAction networkLayer(L3ModificationInstruction instruction) throws UnsupportedRuleException {
        OFActions actions = factory.actions();
        OFOxms fields = factory.oxms();
        switch (instruction.subtype()) {
            case IPV4_SRC:
                return set(fields.ipv4Src(ipv4(((L3ModificationInstruction.ModIPInstruction) instruction).ip())));
            case IPV4_DST:
                return set(fields.ipv4Dst(ipv4(((L3ModificationInstruction.ModIPInstruction) instruction).ip())));
            case IPV6_SRC:
                return set(fields.ipv6Src(ipv6(((L3ModificationInstruction.ModIPInstruction) instruction).ip())));
            case IPV6_DST:
                return set(fields.ipv6Dst(ipv6(((L3ModificationInstruction.ModIPInstruction) instruction).ip())));
            case IPV6_FLABEL:
                return set(fields.ipv6Flabel(IPv6FlowLabel.of(
                        ((L3ModificationInstruction.ModIPv6FlowLabelInstruction) instruction).flowLabel())));
            case IP_DSCP:
                return set(fields.ipDscp(
                        IpDscp.of(((L3ModificationInstruction.ModDscpInstruction) instruction).dscp())));
            case ARP_SPA:
                return set(fields.arpSpa(ipv4(((L3ModificationInstruction.ModArpIPInstruction) instruction).ip())));
            case ARP_TPA:
                return set(fields.arpTpa(ipv4(((L3ModificationInstruction.ModArpIPInstruction) instruction).ip())));
            case ARP_SHA:
                return set(fields.arpSha(mac(((L3ModificationInstruction.ModArpEthInstruction) instruction).mac())));
            case ARP_THA:
                return set(fields.arpTha(mac(((L3ModificationInstruction.ModArpEthInstruction) instruction).mac())));
            case ARP_OP:
                return set(fields.arpOp(
                        ArpOpcode.of((int) ((L3ModificationInstruction.ModArpOpInstruction) instruction).op())));
            case DEC_TTL:
                return actions.decNwTtl();
            case TTL_IN:
                return actions.copyTtlIn();
            case TTL_OUT:
                return actions.copyTtlOut();
            default:
                throw new UnsupportedRuleException("no OpenFlow 1.3 action known here for " + instruction);
        }
    }

    private OFAction transportLayer(L4ModificationInstruction instruction) throws UnsupportedRuleException {
        OFOxms fields = factory.oxms();
        TransportPort port = TransportPort.of(((ModTransportPortInstruction) instruction).port().toInt());
        switch (instruction.subtype()) {
            case TCP_SRC:
                return set(fields.tcpSrc(port));
            case TCP_DST:
                return set(fields.tcpDst(port));
            case UDP_SRC:
                return set(fields.udpSrc(port));
            case UDP_DST:
                return set(fields.udpDst(port));
            default:
                throw new UnsupportedRuleException("no OpenFlow 1.3 action known here for " + instruction);
        }
    }

    private OFAction set(OFOxm<?> field) {
        return factory.actions().setField(field);
    }

    private static MacAddress mac(org.onlab.packet.MacAddress mac) {
        return MacAddress.of(mac.toBytes());
    }

    private static IPv4Address ipv4(org.onlab.packet.IpAddress address) throws UnsupportedRuleException {
        if (!address.isIp4()) {
            throw new UnsupportedRuleException("an IPv4 field cannot be set to " + address);
        }
        return IPv4Address.of(address.toOctets());
    }

    private static IPv6Address ipv6(org.onlab.packet.IpAddress address) throws UnsupportedRuleException {
        if (!address.isIp6()) {
            throw new UnsupportedRuleException("an IPv6 field cannot be set to " + address);
        }
        return IPv6Address.of(address.toOctets());
    }
}
