// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.device.DeviceService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directed link's capacity: the {@code bandwidthCapacity} that the network configuration gives its source port, else
 * that port's speed. Thread-safe.
 */
final class LinkCapacities {
    private static final Logger LOG = LoggerFactory.getLogger(LinkCapacities.class);
    private static final double BPS_PER_MBPS = 1e6;

    private final NetworkConfigService configuration;
    private final DeviceService devices;

    LinkCapacities(NetworkConfigService configuration, DeviceService devices) {
        this.configuration = checkNotNull(configuration, "configuration");
        this.devices = checkNotNull(devices, "devices");
    }

    /** Returns the capacity in bit/s; 0 if the configured value is 0 or unusable, or if the port has no known speed. */
    double of(Link link) {
        ConnectPoint port = link.src();
        BandwidthCapacity configured = configuration.getConfig(port, BandwidthCapacity.class);
        double bps = configured != null ? configured(port, configured) : speed(port);
        return bps > 0 && bps < Double.POSITIVE_INFINITY ? bps : 0;
    }

    private double configured(ConnectPoint port, BandwidthCapacity configured) {
        try {
            return configured.capacity().bps();
        } catch (RuntimeException e) {
            LOG.warn("bandwidthCapacity of {} is not usable ({}): its links count as having none. "
                             + "Set ports/{}/bandwidthCapacity/capacityMbps to a number of Mbit/s.",
                     port, e.getMessage(), port);
            return 0;
        }
    }

    private double speed(ConnectPoint connectPoint) {
        Port port = devices.getPort(connectPoint);
        return port == null ? 0 : port.portSpeed() * BPS_PER_MBPS;
    }
}
