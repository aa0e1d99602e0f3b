// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.device.DeviceService;
import org.onosproject.store.service.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.LinkAttributes;
import org.subflow.mptcp.path.Graph;

/**
 * What ONOS knows of a directed link besides its ends: its capacity ({@link LinkCapacities}), its delay and its shared-risk
 * link groups.
 *
 * <p>The delay is {@code basic.latency} of the network configuration, else the annotation {@code latency} of the link. Both are
 * nanoseconds, or a duration such as {@code PT0.005S}, as ONOS itself writes and reads them. The groups are those of
 * {@link RiskGroupsConfig} and of the annotation {@code srlg}, with commas between them. Thread-safe.
 */
final class StatedLinks {
    private static final Logger LOG = LoggerFactory.getLogger(StatedLinks.class);
    private static final double NANOS_PER_MILLI = 1e6;
    /** Each question that the storage nodes do not answer may take ONOS 15 s. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NetworkConfigService configuration;
    private final LinkCapacities capacities;
    private final LongSupplier nanos;
    private final Map<LinkKey, LinkAttributes> last = new ConcurrentHashMap<>();
    /** When the storage nodes did not answer last, by the monotonic clock; empty if they have always answered. */
    private volatile OptionalLong failedNanos = OptionalLong.empty();

    StatedLinks(NetworkConfigService configuration, DeviceService devices, LongSupplier nanos) {
        this.configuration = checkNotNull(configuration, "configuration");
        this.capacities = new LinkCapacities(configuration, devices);
        this.nanos = checkNotNull(nanos, "nanos");
    }

    /**
     * Returns what is known of a link. While the storage nodes of a cluster do not give the configuration out, it is what it was.
     *
     * @throws StorageException if ONOS does not give the configuration out, and never has for this link
     */
    LinkAttributes of(Link link) {
        LinkKey key = LinkKey.linkKey(link);
        LinkAttributes known = last.get(key);
        if (known != null && isWaiting()) {
            return known;
        }
        try {
            LinkAttributes now = capacities.of(key).with(delay(link, key), groups(link, key));
            last.put(key, now);
            return now;
        } catch (StorageException e) {
            failedNanos = OptionalLong.of(nanos.getAsLong());
            if (known == null) {
                throw e;
            }
            LOG.debug("What is stated of {} stays as it was", key, e);
            return known;
        }
    }

    /** Returns whether the storage nodes have not answered a moment ago, so that nothing is asked. */
    private boolean isWaiting() {
        return failedNanos.isPresent() && nanos.getAsLong() - failedNanos.getAsLong() < PAUSE_NANOS;
    }

    /** Notes that the configuration has changed: the storage nodes are there. */
    void changed() {
        failedNanos = OptionalLong.empty();
    }

    private double delay(Link link, LinkKey key) {
        BasicLinkConfig config = configuration.getConfig(key, BasicLinkConfig.class);
        JsonNode latency = config == null ? null : config.node().get(BasicLinkConfig.LATENCY);
        String text = latency != null ? latency.asText() : link.annotations().value(AnnotationKeys.LATENCY);
        double millis = text == null ? Double.NaN : millis(text);
        if (text != null && !(millis >= 0 && millis <= Graph.MOST_DELAY)) {
            LOG.warn("The latency of {} is not usable ({}): its delay counts as unknown. It takes nanoseconds from 0 to a day, "
                             + "or a duration such as PT0.005S.", key.src() + "-" + key.dst(), text);
            return Double.NaN;
        }
        return millis;
    }

    /** Reads nanoseconds or a duration; not a number if it is neither. */
    private static double millis(String text) {
        try {
            return text.startsWith("P") ? Duration.parse(text).toNanos() / NANOS_PER_MILLI
                    : Double.parseDouble(text) / NANOS_PER_MILLI;
        } catch (NumberFormatException | DateTimeParseException | ArithmeticException e) {
            return Double.NaN;
        }
    }

    private Set<String> groups(Link link, LinkKey key) {
        Set<String> groups = new HashSet<>();
        RiskGroupsConfig config = configuration.getConfig(key, RiskGroupsConfig.class);
        if (config != null) {
            groups.addAll(config.groups());
        }
        String annotation = link.annotations().value(RiskGroupsConfig.KEY);
        if (annotation != null) {
            for (String name : annotation.split(",")) {
                if (!name.isBlank()) {
                    groups.add(name.trim());
                }
            }
        }
        return groups;
    }
}
