// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.host.HostService;
import org.onosproject.net.intf.InterfaceService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketService;

/** ONOS's services of the network. */
final class NetworkServices {
    final DeviceService devices;
    final HostService hosts;
    final InterfaceService interfaces;
    final LinkService links;
    final FlowRuleService flowRules;
    final PacketService packets;

    NetworkServices(DeviceService devices, HostService hosts, InterfaceService interfaces, LinkService links,
                    FlowRuleService flowRules, PacketService packets) {
        this.devices = checkNotNull(devices, "devices");
        this.hosts = checkNotNull(hosts, "hosts");
        this.interfaces = checkNotNull(interfaces, "interfaces");
        this.links = checkNotNull(links, "links");
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.packets = checkNotNull(packets, "packets");
    }
}
