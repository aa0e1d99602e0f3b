// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.device.DeviceService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.LinkAttributes;

/**
 * A directed link's capacity, in the order of {@link CapacitySource}: the {@code bandwidthCapacity} that the network
 * configuration gives its source port, the {@code basic.bandwidth} that it gives the link, that port's speed. A stated value
 * counts whatever the port's speed is. Thread-safe.
 */
final class LinkCapacities {
    private static final Logger LOG = LoggerFactory.getLogger(LinkCapacities.class);
    private static final double BPS_PER_MBPS = 1e6;
    private static final LinkAttributes NONE = LinkAttributes.of(0, CapacitySource.UNKNOWN);

    private final NetworkConfigService configuration;
    private final DeviceService devices;

    LinkCapacities(NetworkConfigService configuration, DeviceService devices) {
        this.configuration = checkNotNull(configuration, "configuration");
        this.devices = checkNotNull(devices, "devices");
    }

    /** Returns the capacity with its source; 0 if the configured value is 0 or unusable, or if the port has no known speed. */
    LinkAttributes of(LinkKey link) {
        ConnectPoint port = link.src();
        BandwidthCapacity ofPort = configuration.getConfig(port, BandwidthCapacity.class);
        if (ofPort != null) {
            return usable(configured(port, ofPort), CapacitySource.BANDWIDTH_CAPACITY);
        }
        BasicLinkConfig ofLink = configuration.getConfig(link, BasicLinkConfig.class);
        JsonNode bandwidth = ofLink == null ? null : ofLink.node().get(BasicLinkConfig.BANDWIDTH);
        if (bandwidth != null) {
            return usable(configured(link, bandwidth), CapacitySource.BASIC_BANDWIDTH);
        }
        double speed = speed(port);
        return speed > 0 ? LinkAttributes.of(speed, CapacitySource.PORT_SPEED) : NONE;
    }

    private static LinkAttributes usable(double bps, CapacitySource source) {
        return LinkAttributes.of(bps > 0 && bps < Double.POSITIVE_INFINITY ? bps : 0, source);
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

    private static double configured(LinkKey link, JsonNode mbps) {
        double bps = mbps.isNumber() ? mbps.doubleValue() * BPS_PER_MBPS : Double.NaN;
        if (!(bps >= 0 && bps < Double.POSITIVE_INFINITY)) {
            String key = link.src() + "-" + link.dst();
            LOG.warn("basic.bandwidth of {} is not usable ({}): the link counts as having none. "
                             + "Set links/{}/basic/bandwidth to a number of Mbit/s.", key, mbps, key);
        }
        return bps;
    }

    private double speed(ConnectPoint connectPoint) {
        Port port = devices.getPort(connectPoint);
        return port == null ? 0 : port.portSpeed() * BPS_PER_MBPS;
    }
}
