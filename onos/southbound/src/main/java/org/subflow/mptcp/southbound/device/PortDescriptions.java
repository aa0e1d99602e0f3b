// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.subflow.mptcp.southbound.OpenFlowIds.portNumber;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.SparseAnnotations;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.DefaultPortStatistics;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.device.PortStatistics;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;

/** OpenFlow's ports and port counters in ONOS's terms. */
final class PortDescriptions {

    private static final long KBIT_PER_MBIT = 1_000;
    private static final long BIT_PER_MBIT = 1_000_000;

    private PortDescriptions() {
    }

    /** {@return what ONOS is told of these ports} */
    static List<PortDescription> describe(Collection<OFPortDesc> ports) {
        return ports.stream().map(PortDescriptions::describe).collect(Collectors.toList());
    }

    /** {@return what ONOS is told of a port; it is enabled if neither the operator nor the link has it down} */
    static PortDescription describe(OFPortDesc port) {
        SparseAnnotations annotations = DefaultAnnotations.builder()
                .set(AnnotationKeys.PORT_NAME, port.getName())
                .set(AnnotationKeys.PORT_MAC, port.getHwAddr().toString())
                .build();
        return DefaultPortDescription.builder()
                .withPortNumber(portNumber(port.getPortNo()))
                .isEnabled(isUp(port))
                .type(Port.Type.COPPER)
                .portSpeed(speed(port))
                .annotations(annotations)
                .build();
    }

    /** {@return ONOS's counters of a port} */
    static PortStatistics statistics(DeviceId deviceId, OFPortStatsEntry entry) {
        return DefaultPortStatistics.builder()
                .setDeviceId(deviceId)
                .setPort(portNumber(entry.getPortNo()))
                .setPacketsReceived(entry.getRxPackets().getValue())
                .setPacketsSent(entry.getTxPackets().getValue())
                .setBytesReceived(entry.getRxBytes().getValue())
                .setBytesSent(entry.getTxBytes().getValue())
                .setPacketsRxDropped(entry.getRxDropped().getValue())
                .setPacketsTxDropped(entry.getTxDropped().getValue())
                .setPacketsRxErrors(entry.getRxErrors().getValue())
                .setPacketsTxErrors(entry.getTxErrors().getValue())
                .setDurationSec(entry.getDurationSec())
                .setDurationNano(entry.getDurationNsec())
                .build();
    }

    private static boolean isUp(OFPortDesc port) {
        return !port.getState().contains(OFPortState.LINK_DOWN) && !port.getConfig().contains(OFPortConfig.PORT_DOWN);
    }

    /** Returns the speed in Mbit/s: as measured by the switch, else the fastest that the port's features name. */
    private static long speed(OFPortDesc port) {
        if (port.getCurrSpeed() > 0) {
            return port.getCurrSpeed() / KBIT_PER_MBIT;
        }
        return port.getCurr().stream()
                .map(OFPortFeatures::getPortSpeed)
                .mapToLong(speed -> speed.getSpeedBps() / BIT_PER_MBIT)
                .max()
                .orElse(0);
    }
}
