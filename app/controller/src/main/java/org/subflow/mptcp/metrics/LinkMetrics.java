// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.NameService;

/** Utilisation of links: a series for each directed link of the network. */
final class LinkMetrics {
    private LinkMetrics() {
    }

    static List<MetricSnapshot> of(Collection<LinkUsage> usages, NameService names) {
        // ONOS may know several links between the same two ports; they have one port counter.
        Map<Labels, LinkUsage> links = new LinkedHashMap<>();
        for (LinkUsage usage : usages) {
            if (usage.capacity() > 0) {
                ConnectPoint source = usage.link().src();
                ConnectPoint destination = usage.link().dst();
                links.putIfAbsent(Labels.of("source", source.toString(), "source_name", names.of(source),
                                            "destination", destination.toString(), "destination_name", names.of(destination)),
                                  usage);
            }
        }
        return List.of(
                gauge("link_capacity_bytes_per_second", "Capacity of a directed link between switches.", links,
                      usage -> usage.capacity() / Byte.SIZE),
                gauge("link_utilization_ratio", "All traffic on a directed link, divided by its capacity.", links,
                      usage -> usage.measured() / usage.capacity()),
                gauge("link_reserved_ratio", "What MPTCP subflows have reserved on a directed link, divided by its capacity.",
                      links, usage -> usage.reserved() / usage.capacity()));
    }

    private static GaugeSnapshot gauge(String name, String help, Map<Labels, LinkUsage> links,
                                       ToDoubleFunction<LinkUsage> value) {
        GaugeSnapshot.Builder gauge = ConnectionMetrics.gauge(name, help);
        links.forEach((labels, usage) -> {
            double told = value.applyAsDouble(usage);
            // A counter that has not been read tells nothing.
            if (!Double.isNaN(told)) {
                gauge.dataPoint(GaugeDataPointSnapshot.builder().labels(labels).value(told).build());
            }
        });
        return gauge.build();
    }
}
