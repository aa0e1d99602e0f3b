// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFlowAdd;
import org.projectfloodlight.openflow.protocol.OFFlowDelete;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.OFPort;
import org.subflow.mptcp.southbound.RecordingSwitch;
import org.subflow.mptcp.southbound.device.DeviceAnnotations;
import org.subflow.mptcp.southbound.fixtures.Links;

/** What surrounds first tables in tests: what stands in a switch's, links, and what ONOS is told. */
final class Tables {
    static final FirstTableRules RULES = new FirstTableRules(RecordingSwitch.FACTORY);
    private static final OFFlowAdd STRANGER = RecordingSwitch.FACTORY.buildFlowAdd().setXid(0).setPriority(40000)
            .setMatch(RecordingSwitch.FACTORY.matchWildcardAll()).build();
    static final Set<Delivery> NOTHING = EnumSet.noneOf(Delivery.class);
    static final Set<Delivery> COPIES = EnumSet.of(Delivery.COPIES);
    static final Set<Delivery> BOTH = EnumSet.allOf(Delivery.class);

    private Tables() {
    }

    /** Returns the rules that a switch has after what it was sent; it had some that nobody here knows. */
    static Set<OFFlowAdd> in(RecordingSwitch sw) {
        return in(sw, Long.MAX_VALUE);
    }

    /** Returns the rules that a switch has after all up to a transaction. */
    static Set<OFFlowAdd> in(RecordingSwitch sw, long lastXid) {
        Set<OFFlowAdd> table = new HashSet<>(Set.of(STRANGER));
        for (OFMessage message : sw.sent) {
            if (message.getXid() > lastXid) {
                continue;
            }
            if (message instanceof OFFlowAdd) {
                table.removeIf(rule -> isSame(rule, (OFFlowMod) message));
                table.add(((OFFlowAdd) message).createBuilder().setXid(0).build());
            } else if (message instanceof OFFlowDeleteStrict) {
                table.removeIf(rule -> isSame(rule, (OFFlowMod) message));
            } else if (message instanceof OFFlowDelete) {
                table.clear();
            }
        }
        return table;
    }

    private static boolean isSame(OFFlowMod one, OFFlowMod other) {
        return one.getPriority() == other.getPriority() && one.getMatch().equals(other.getMatch());
    }

    static Set<OFPort> ports(int... numbers) {
        return java.util.Arrays.stream(numbers).mapToObj(OFPort::of).collect(Collectors.toSet());
    }

    /** Returns the transaction ids of the barriers that a switch was sent, in order. */
    static List<Long> barriers(RecordingSwitch sw) {
        return sw.sent.stream().filter(OFBarrierRequest.class::isInstance).map(OFMessage::getXid)
                .collect(Collectors.toList());
    }

    static OFMessage answer(long xid) {
        return RecordingSwitch.FACTORY.buildBarrierReply().setXid(xid).build();
    }

    static OFErrorMsg refusal(long xid) {
        return RecordingSwitch.FACTORY.errorMsgs().buildFlowModFailedErrorMsg().setXid(xid)
                .setCode(OFFlowModFailedCode.UNKNOWN).setData(OFErrorCauseData.of(new byte[0], OFVersion.OF_13)).build();
    }

    /** Returns a link between two switches in one direction. */
    static Link link(int from, int fromPort, int to, int toPort, Link.State state) {
        return Links.link(point(from, fromPort), point(to, toPort), state);
    }

    private static ConnectPoint point(int device, int port) {
        return new ConnectPoint(DeviceId.deviceId(Dpid.uri(device)), PortNumber.portNumber(port));
    }

    /** Notes what ONOS is told of devices. */
    static final class Told implements DeviceAnnotations {
        final Map<Dpid, List<String>> values = new LinkedHashMap<>();

        @Override
        public void tcpFlags(Dpid dpid, Map<String, String> now) {
            String paused = now.get(PAUSED_PORTS).equals(NONE) ? "" : ", paused " + now.get(PAUSED_PORTS);
            values.computeIfAbsent(dpid, d -> new ArrayList<>()).add(now.get(TCP_FLAGS) + paused);
        }

        List<String> of(Dpid dpid) {
            return values.getOrDefault(dpid, List.of());
        }
    }
}
