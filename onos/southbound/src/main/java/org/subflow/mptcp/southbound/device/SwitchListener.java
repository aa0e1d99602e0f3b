// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import static org.subflow.mptcp.southbound.OpenFlowIds.deviceId;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.onlab.packet.ChassisId;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DefaultDeviceDescription;
import org.onosproject.net.device.DeviceDescription;
import org.onosproject.net.device.DeviceProviderService;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowEventListener;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.onosproject.openflow.controller.OpenFlowSwitchListener;
import org.onosproject.openflow.controller.RoleState;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortStatsReply;
import org.projectfloodlight.openflow.protocol.OFPortStatus;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells ONOS what the controller says about switches. It reports a port that goes down at once, on the thread that read
 * the message: links and paths depend on it.
 */
final class SwitchListener implements OpenFlowSwitchListener, OpenFlowEventListener {

    private static final Logger log = LoggerFactory.getLogger(SwitchListener.class);

    private final OpenFlowController controller;
    private final DeviceProviderService core;
    private final String node;

    /** Held while a device is described again or leaves: one that has left must not be called connected after that. */
    private final Object leaving = new Object();

    /**
     * Makes the listener.
     *
     * @param node the name of this node
     */
    SwitchListener(OpenFlowController controller, DeviceProviderService core, String node) {
        this.controller = controller;
        this.core = core;
        this.node = node;
    }

    @Override
    public void switchAdded(Dpid dpid) {
        OpenFlowSwitch sw = controller.getSwitch(dpid);
        if (sw == null) {
            return;
        }
        DeviceId device = deviceId(dpid);
        // An earlier connection may have left other values, and ONOS keeps annotations that it is not told of.
        core.deviceConnected(device, describe(device, sw, DeviceAnnotations.NONE, Map.of()));
        core.updatePorts(device, PortDescriptions.describe(sw.getPorts()));
    }

    @Override
    public void switchRemoved(Dpid dpid) {
        synchronized (leaving) {
            core.deviceDisconnected(deviceId(dpid));
        }
    }

    /** Tells ONOS of a device once more, with these values of {@link DeviceAnnotations}. */
    void describeAgain(Dpid dpid, Map<String, String> values) {
        synchronized (leaving) {
            OpenFlowSwitch sw = controller.getSwitch(dpid);
            if (sw != null) {
                DeviceId device = deviceId(dpid);
                core.deviceConnected(device, describe(device, sw, node, values));
            }
        }
    }

    @Override
    public void switchChanged(Dpid dpid) {
        OpenFlowSwitch sw = controller.getSwitch(dpid);
        if (sw != null) {
            core.updatePorts(deviceId(dpid), PortDescriptions.describe(sw.getPorts()));
        }
    }

    @Override
    public void portChanged(Dpid dpid, OFPortStatus status) {
        PortDescription port = PortDescriptions.describe(status.getDesc());
        if (status.getReason() == OFPortReason.DELETE) {
            core.deletePort(deviceId(dpid), port);
        } else {
            core.portStatusChanged(deviceId(dpid), port);
        }
    }

    @Override
    public void receivedRoleReply(Dpid dpid, RoleState requested, RoleState response) {
        core.receivedRoleReply(deviceId(dpid), mastershipRole(requested), mastershipRole(response));
    }

    @Override
    public void roleChangedToMaster(Dpid dpid) {
        // Ports may have changed between the handshake and this.
        OpenFlowSwitch sw = controller.getSwitch(dpid);
        if (sw != null) {
            sw.sendMsg(sw.factory().buildPortDescStatsRequest().build());
        }
    }

    @Override
    public void handleMessage(Dpid dpid, OFMessage message) {
        if (message instanceof OFPortStatsReply) {
            pushStatistics(deviceId(dpid), (OFPortStatsReply) message);
        }
    }

    private void pushStatistics(DeviceId device, OFPortStatsReply reply) {
        List<PortStatistics> statistics = reply.getEntries().stream()
                .filter(entry -> entry.getPortNo().getPortNumber() > 0 || entry.getPortNo().equals(OFPort.LOCAL))
                .map(entry -> PortDescriptions.statistics(device, entry))
                .collect(Collectors.toList());
        log.trace("Counters of {} ports of {}", statistics.size(), device);
        core.updatePortStatistics(device, statistics);
    }

    private static DeviceDescription describe(DeviceId device, OpenFlowSwitch sw, String by,
                                              Map<String, String> tcpFlags) {
        DefaultAnnotations.Builder annotations = DefaultAnnotations.builder()
                .set(AnnotationKeys.PROTOCOL, sw.factory().getVersion().toString())
                .set(AnnotationKeys.CHANNEL_ID, sw.channelId())
                .set(AnnotationKeys.MANAGEMENT_ADDRESS, host(sw.channelId()))
                .set(DeviceAnnotations.TCP_FLAGS_NODE, by);
        for (String name : DeviceAnnotations.OF_TCP_FLAGS) {
            annotations.set(name, tcpFlags.getOrDefault(name, DeviceAnnotations.NONE));
        }
        return new DefaultDeviceDescription(device.uri(), sw.deviceType(), sw.manufacturerDescription(),
                sw.hardwareDescription(), sw.softwareDescription(), sw.serialNumber(),
                new ChassisId(sw.getId()), annotations.build());
    }

    /** Returns the address in a channel's name, which is {@code 192.0.2.7:40001} or {@code [2001:db8::7]:40001}. */
    private static String host(String channel) {
        int port = channel.lastIndexOf(':');
        String host = port < 0 ? channel : channel.substring(0, port);
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static MastershipRole mastershipRole(RoleState state) {
        switch (state) {
            case MASTER:
                return MastershipRole.MASTER;
            case EQUAL:
                return MastershipRole.STANDBY;
            default:
                return MastershipRole.NONE;
        }
    }
}
