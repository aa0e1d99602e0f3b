// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import static org.subflow.mptcp.southbound.OpenFlowIds.portNumber;

import java.util.List;
import org.onlab.packet.EthType;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.core.GroupId;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.meter.MeterId;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionPushVlan;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.action.OFActionSetQueue;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionGotoTable;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionMeter;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteMetadata;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IPv6FlowLabel;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.VlanPcp;

/** OpenFlow 1.3 instructions to treatment, the inverse of {@link TreatmentEncoder}. */
public final class TreatmentDecoder {

    private TreatmentDecoder() {
    }

    /**
     * {@return the treatment that stands for a rule's instructions}; none of them means drop
     *
     * @throws UnsupportedRuleException if an instruction or action has no counterpart in ONOS
     */
    public static TrafficTreatment decode(List<OFInstruction> instructions) throws UnsupportedRuleException {
        TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
        for (OFInstruction instruction : instructions) {
            switch (instruction.getType()) {
                case METER:
                    treatment.meter(MeterId.meterId(((OFInstructionMeter) instruction).getMeterId()));
                    break;
                case APPLY_ACTIONS:
                    treatment.immediate();
                    addAll(treatment, ((OFInstructionApplyActions) instruction).getActions());
                    break;
                case CLEAR_ACTIONS:
                    treatment.wipeDeferred();
                    break;
                case WRITE_ACTIONS:
                    treatment.deferred();
                    addAll(treatment, ((OFInstructionWriteActions) instruction).getActions());
                    break;
                case WRITE_METADATA:
                    OFInstructionWriteMetadata metadata = (OFInstructionWriteMetadata) instruction;
                    treatment.writeMetadata(metadata.getMetadata().getValue(), metadata.getMetadataMask().getValue());
                    break;
                case GOTO_TABLE:
                    treatment.transition(TableNumbers.inOnos(((OFInstructionGotoTable) instruction).getTableId()));
                    break;
                default:
                    throw new UnsupportedRuleException("no counterpart of the instruction " + instruction.getType());
            }
        }
        return treatment.build();
    }

    private static void addAll(TrafficTreatment.Builder treatment, List<OFAction> actions)
            throws UnsupportedRuleException {
        for (OFAction action : actions) {
            add(treatment, action);
        }
    }

    private static void add(TrafficTreatment.Builder treatment, OFAction action) throws UnsupportedRuleException {
        switch (action.getType()) {
            case OUTPUT:
                treatment.setOutput(portNumber(((OFActionOutput) action).getPort()));
                break;
            case GROUP:
                treatment.group(GroupId.valueOf(((OFActionGroup) action).getGroup().getGroupNumber()));
                break;
            case SET_QUEUE:
                treatment.setQueue(((OFActionSetQueue) action).getQueueId());
                break;
            case PUSH_VLAN:
                treatment.pushVlan(new EthType(((OFActionPushVlan) action).getEthertype().getValue()));
                break;
            case POP_VLAN:
                treatment.popVlan();
                break;
            case DEC_NW_TTL:
                treatment.decNwTtl();
                break;
            case COPY_TTL_IN:
                treatment.copyTtlIn();
                break;
            case COPY_TTL_OUT:
                treatment.copyTtlOut();
                break;
            case SET_FIELD:
                setField(treatment, ((OFActionSetField) action).getField());
                break;
            default:
                throw new UnsupportedRuleException("no counterpart of the action " + action.getType());
        }
    }

    private static void setField(TrafficTreatment.Builder treatment, OFOxm<?> field) throws UnsupportedRuleException {
        Object value = field.getValue();
        switch (field.getMatchField().id) {
            case ETH_SRC:
                treatment.setEthSrc(mac(value));
                break;
            case ETH_DST:
                treatment.setEthDst(mac(value));
                break;
            case VLAN_VID:
                treatment.setVlanId(VlanId.vlanId(((OFVlanVidMatch) value).getVlan()));
                break;
            case VLAN_PCP:
                treatment.setVlanPcp(((VlanPcp) value).getValue());
                break;
            case TUNNEL_ID:
                treatment.setTunnelId(((U64) value).getValue());
                break;
            case IPV4_SRC:
                treatment.setIpSrc(ipv4(value));
                break;
            case IPV4_DST:
                treatment.setIpDst(ipv4(value));
                break;
            case IPV6_SRC:
                treatment.add(Instructions.modL3IPv6Src(ipv6(value)));
                break;
            case IPV6_DST:
                treatment.add(Instructions.modL3IPv6Dst(ipv6(value)));
                break;
            case IPV6_FLABEL:
                treatment.add(Instructions.modL3IPv6FlowLabel(((IPv6FlowLabel) value).getIPv6FlowLabelValue()));
                break;
            case IP_DSCP:
                treatment.setIpDscp(((IpDscp) value).getDscpValue());
                break;
            case ARP_SPA:
                treatment.setArpSpa(ipv4(value));
                break;
            case ARP_TPA:
                treatment.setArpTpa(ipv4(value));
                break;
            case ARP_SHA:
                treatment.setArpSha(mac(value));
                break;
            case ARP_THA:
                treatment.setArpTha(mac(value));
                break;
            case ARP_OP:
                treatment.setArpOp((short) ((ArpOpcode) value).getOpcode());
                break;
            case TCP_SRC:
                treatment.setTcpSrc(port(value));
                break;
            case TCP_DST:
                treatment.setTcpDst(port(value));
                break;
            case UDP_SRC:
                treatment.setUdpSrc(port(value));
                break;
            case UDP_DST:
                treatment.setUdpDst(port(value));
                break;
            default:
                throw new UnsupportedRuleException("no instruction sets the field " + field.getMatchField().getName());
        }
    }

    private static MacAddress mac(Object value) {
        return MacAddress.valueOf(((org.projectfloodlight.openflow.types.MacAddress) value).getBytes());
    }

    private static Ip4Address ipv4(Object value) {
        return Ip4Address.valueOf(((IPv4Address) value).getInt());
    }

    private static Ip6Address ipv6(Object value) {
        return Ip6Address.valueOf(((IPv6Address) value).getBytes());
    }

    private static TpPort port(Object value) {
        return TpPort.tpPort(((TransportPort) value).getPort());
    }
}
