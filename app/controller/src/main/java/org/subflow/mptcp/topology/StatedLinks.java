// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicLinkConfig;
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

    private final NetworkConfigService configuration;
    private final LinkCapacities capacities;
    private final Map<LinkKey, LinkAttributes> last = new ConcurrentHashMap<>();

    StatedLinks(NetworkConfigService configuration, LinkCapacities capacities) {
        this.configuration = checkNotNull(configuration, "configuration");
        this.capacities = checkNotNull(capacities, "capacities");
    }

    /**
     * Returns what is known of a link. While the storage nodes of a cluster do not give the configuration out, it is what it was.
     *
     * @throws StorageException if ONOS does not give the configuration out, and never has for this link
     */
    LinkAttributes of(Link link) {
        LinkAttributes capacity = capacities.of(link);
        LinkKey key = LinkKey.linkKey(link);
        LinkAttributes known = last.get(key);
        if (known != null && capacities.isWaiting()) {
            return known;
        }
        try {
            LinkAttributes now = capacity.with(delay(link, key), groups(link, key));
            last.put(key, now);
            return now;
        } catch (StorageException e) {
            LOG.debug("Delay and groups of {} stay as they were", key, e);
            return known == null ? capacity : known;
        }
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
