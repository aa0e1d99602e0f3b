// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Option;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.monitoring.NameService;

/** A command that tells of switches and hosts: by their names, or by their identifiers. */
abstract class NetworkCommand extends MptcpCommand {
    @Option(name = "-l", aliases = "--long", description = "Identifiers of switches and hosts in place of their names")
    private boolean isLong = false;

    /** Returns a port as the user wants to read it. */
    final String port(ConnectPoint port) {
        return isLong ? port.toString() : get(NameService.class).of(port);
    }

    /** Returns a host as the user wants to read it. */
    final String host(HostId host) {
        return isLong ? host.toString() : get(NameService.class).stated(host).orElse(host.toString());
    }

    /** Returns a directed link by its two ports. */
    final String link(Link link) {
        return port(link.src()) + " > " + port(link.dst());
    }

    /** Returns the switches of a path in its order; a dash if there are none. */
    final String path(List<DeviceId> devices) {
        return isLong && !devices.isEmpty() ? devices.stream().map(DeviceId::toString).collect(Collectors.joining(" > "))
                : get(NameService.class).path(devices);
    }
}
