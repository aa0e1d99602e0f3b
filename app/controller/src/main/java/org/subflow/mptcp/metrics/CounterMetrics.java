// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/**
 * The counters of {@code GET counters} under Prometheus' names: dots and hyphens become underscores, and what only grows ends
 * in {@code _total}. Counters that differ only in a part of their name become one family with a label.
 */
final class CounterMetrics {
    /** Prefix of such counters, to the family's name and its label. */
    private static final Map<String, String[]> LABELLED = ImmutableMap.of(
            "limit.joins.", new String[] {"limit_joins_by_port", "port"},
            "malformed.", new String[] {"malformed", "reason"},
            "spoofed.", new String[] {"spoofed_by_port", "port"},
            "table.", new String[] {"table_entries", "table"});
    /** What may fall, too. */
    private static final Set<String> GAUGES = ImmutableSet.of(
            "table_entries", "flow_tables_full", "switches_copying", "agents_known", "agents_reporting", "relay_held");
    /** What the histogram of set-up times says better. */
    private static final Set<String> IN_HISTOGRAM = ImmutableSet.of(
            "rules.subflows", "rules.median-micros", "rules.p95-micros");
    /** What each counter counts, and each prefix. */
    private static final Properties MEANINGS = meanings();
    private static final String NANOS = "-nanos";
    private static final double NANOS_PER_SECOND = 1e9;

    private CounterMetrics() {
    }

    /** Whether a counter is that of one port. */
    static boolean isOfPort(String name) {
        return name.startsWith("spoofed.") || name.startsWith("limit.joins.");
    }

    static List<MetricSnapshot> of(Map<String, Long> counters) {
        Map<String, Map<Labels, Double>> families = new TreeMap<>();
        Map<String, String> helps = new TreeMap<>();
        counters.forEach((name, value) -> {
            if (!IN_HISTOGRAM.contains(name)) {
                String prefix = LABELLED.keySet().stream().filter(name::startsWith).findFirst().orElse("");
                String family = prefix.isEmpty() ? family(name) : LABELLED.get(prefix)[0];
                Labels labels = prefix.isEmpty() ? Labels.EMPTY
                        : Labels.of(LABELLED.get(prefix)[1], name.substring(prefix.length()));
                families.computeIfAbsent(family, unused -> new TreeMap<>())
                        .put(labels, name.endsWith(NANOS) ? value / NANOS_PER_SECOND : value);
                String known = prefix.isEmpty() ? name : prefix;
                helps.put(family, MEANINGS.getProperty(known, "The counter " + known));
            }
        });
        List<MetricSnapshot> all = new ArrayList<>();
        families.forEach((family, points) -> all.add(GAUGES.contains(family)
                ? gauge(family, helps.get(family), points) : counter(family, helps.get(family), points)));
        return all;
    }

    private static Properties meanings() {
        Properties read = new Properties();
        try (InputStream from = CounterMetrics.class.getResourceAsStream("counters.properties")) {
            read.load(from);
        } catch (IOException e) {
            throw new UncheckedIOException("counters.properties of the bundle cannot be read", e);
        }
        return read;
    }

    private static String family(String counter) {
        String inSeconds = counter.endsWith(NANOS)
                ? counter.substring(0, counter.length() - NANOS.length()) + "-seconds" : counter;
        return inSeconds.replace('.', '_').replace('-', '_');
    }

    private static MetricSnapshot gauge(String family, String help, Map<Labels, Double> points) {
        GaugeSnapshot.Builder gauge = ConnectionMetrics.gauge(family, help);
        points.forEach((labels, value) -> gauge.dataPoint(
                GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
        return gauge.build();
    }

    private static MetricSnapshot counter(String family, String help, Map<Labels, Double> points) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(Metrics.PREFIX + family).help(help);
        points.forEach((labels, value) -> counter.dataPoint(
                CounterDataPointSnapshot.builder().labels(labels).value(value).build()));
        return counter.build();
    }
}
