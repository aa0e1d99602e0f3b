// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directed link's capacity: the {@code bandwidthCapacity} that the network configuration gives its source port, else
 * that port's speed. While the storage nodes of a cluster do not give the configuration out, it is what it was. Thread-safe.
 */
final class LinkCapacities {
    private static final Logger LOG = LoggerFactory.getLogger(LinkCapacities.class);
    private static final double BPS_PER_MBPS = 1e6;
    /** Each question that the storage nodes do not answer may take ONOS 15 s. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkConfigService configuration;
    private final DeviceService devices;
    private final Map<ConnectPoint, Double> last = new ConcurrentHashMap<>();
    /** When the storage nodes did not answer last, by the monotonic clock; empty if they have always answered. */
    private volatile OptionalLong failedNanos = OptionalLong.empty();

    LinkCapacities(NetworkConfigService configuration, DeviceService devices) {
        this.configuration = checkNotNull(configuration, "configuration");
        this.devices = checkNotNull(devices, "devices");
    }

    /**
     * Returns the capacity in bit/s; 0 if the configured value is 0 or unusable, or if the port has no known speed.
     *
     * @throws StorageException if ONOS does not give the configuration out, and never has for this port
     */
    double of(Link link) {
        ConnectPoint port = link.src();
        Double known = last.get(port);
        if (known != null && failedNanos.isPresent() && System.nanoTime() - failedNanos.getAsLong() < PAUSE_NANOS) {
            return known;
        }
        try {
            BandwidthCapacity configured = configuration.getConfig(port, BandwidthCapacity.class);
            double bps = configured != null ? configured(port, configured) : speed(port);
            double usable = bps > 0 && bps < Double.POSITIVE_INFINITY ? bps : 0;
            last.put(port, usable);
            return usable;
        } catch (StorageException e) {
            failedNanos = OptionalLong.of(System.nanoTime());
            if (known == null) {
                throw e;
            }
            LOG.debug("The capacity of {} stays as it was", port, e);
            return known;
        }
    }

    /** Notes that the configuration has changed: the storage nodes are there. */
    void changed() {
        failedNanos = OptionalLong.empty();
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
