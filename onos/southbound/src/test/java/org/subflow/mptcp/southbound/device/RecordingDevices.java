// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.device;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.MastershipRole;
import org.onosproject.net.device.DeviceDescription;
import org.onosproject.net.device.DeviceProviderServiceAdapter;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.device.PortStatistics;

/** ONOS's device core as the provider sees it: notes what it is told. */
final class RecordingDevices extends DeviceProviderServiceAdapter {
    /** What was told, one line each. */
    final List<String> told = new ArrayList<>();
    final List<DeviceDescription> descriptions = new ArrayList<>();
    final List<PortStatistics> statistics = new ArrayList<>();

    @Override
    public void deviceConnected(DeviceId device, DeviceDescription description) {
        told.add("connected " + device);
        descriptions.add(description);
    }

    @Override
    public void deviceDisconnected(DeviceId device) {
        told.add("disconnected " + device);
    }

    @Override
    public void updatePorts(DeviceId device, List<PortDescription> ports) {
        told.add("ports " + device + " " + ports.stream().map(RecordingDevices::text).collect(Collectors.toList()));
    }

    @Override
    public void deletePort(DeviceId device, PortDescription port) {
        told.add("port deleted " + device + " " + port.portNumber());
    }

    @Override
    public void portStatusChanged(DeviceId device, PortDescription port) {
        told.add("port " + device + " " + text(port));
    }

    @Override
    public void receivedRoleReply(DeviceId device, MastershipRole requested, MastershipRole response) {
        told.add("role " + device + " " + requested + " " + response);
    }

    @Override
    public void updatePortStatistics(DeviceId device, Collection<PortStatistics> all) {
        told.add("statistics " + device);
        statistics.addAll(all);
    }

    private static String text(PortDescription port) {
        return port.portNumber() + (port.isEnabled() ? " up" : " down");
    }
}
