// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.ElementId;

/** How switches, their ports and hosts are called wherever people read of them. */
public interface NameService {
    /** Names without ONOS's word: those of datapaths. */
    NameService UNSTATED = element -> Optional.empty();

    /** A datapath number that Mininet may have given. */
    Pattern DATAPATH = Pattern.compile("of:0*([0-9a-f]{1,5})");

    /**
     * Returns the name that ONOS knows of a switch or a host, from its network configuration or from the device itself.
     *
     * @param element its identifier; not null
     * @return the name; empty if there is none
     */
    Optional<String> stated(ElementId element);

    /** Returns the name of a switch: what ONOS knows, else {@code s5} for datapath 5, as in Mininet, else its identifier. */
    default String of(DeviceId device) {
        return stated(device).orElseGet(() -> {
            Matcher datapath = DATAPATH.matcher(device.toString());
            return datapath.matches() ? "s" + Integer.parseInt(datapath.group(1), 16) : device.toString();
        });
    }

    /** Returns the name of a switch's port: {@code Chicago/3}. */
    default String of(ConnectPoint port) {
        return of(port.deviceId()) + "/" + port.port().toLong();
    }

    /** Returns the switches of a path, in its order: {@code Chicago > Denver}; a dash if there are none. */
    default String path(List<DeviceId> devices) {
        return devices.isEmpty() ? "-" : devices.stream().map(this::of).collect(Collectors.joining(" > "));
    }
}
