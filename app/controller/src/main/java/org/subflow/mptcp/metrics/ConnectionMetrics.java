// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.placement.Rates;

/** Numbers and rates of connections and subflows, summed up. */
final class ConnectionMetrics {
    /** Connections below this rate, bit/s, do not count for fairness: they carry control messages or ACKs only. */
    private static final double BUSY = 0.1e6;

    private final Map<ConnectionState, Integer> connections = new EnumMap<>(ConnectionState.class);
    private final Map<SubflowState, Integer> subflows = new EnumMap<>(SubflowState.class);
    private Rates expected = Rates.ZERO;
    private Rates measured = Rates.ZERO;
    private boolean isRead;
    private boolean isUnread;
    private int busy;
    private double sum;
    private double squares;

    ConnectionMetrics(MptcpService mptcp) {
        for (Connection connection : mptcp.connections()) {
            add(connection, mptcp.measurement(connection.id()));
        }
    }

    private void add(Connection connection, Measurement measurement) {
        connections.merge(connection.state(), 1, Integer::sum);
        connection.subflows().forEach(subflow -> subflows.merge(subflow.state(), 1, Integer::sum));
        Rates carried = measurement.rates(connection);
        expected = expected.plus(connection.expected());
        measured = measured.plus(carried);
        isRead |= measurement.read(connection).isPresent();
        isUnread |= measurement.read(connection).isEmpty();
        double rate = carried.larger();
        if (rate > BUSY) {
            busy++;
            sum += rate;
            squares += rate * rate;
        }
    }

    List<MetricSnapshot> snapshots() {
        List<MetricSnapshot> all = new ArrayList<>();
        GaugeSnapshot.Builder byState = gauge("connections", "MPTCP connections that are remembered, by state.");
        for (ConnectionState state : ConnectionState.values()) {
            byState.dataPoint(point(connections.getOrDefault(state, 0), "state", name(state)));
        }
        all.add(byState.build());
        GaugeSnapshot.Builder subflowsByState = gauge("subflows", "Subflows of the connections that are remembered, by state.");
        for (SubflowState state : SubflowState.values()) {
            subflowsByState.dataPoint(point(subflows.getOrDefault(state, 0), "state", name(state)));
        }
        all.add(subflowsByState.build());
        all.add(rates("expected_bytes_per_second", "Expected throughput of all connections together, on the wire.", Optional.of(expected)));
        all.add(rates("measured_bytes_per_second", "Measured rate of all connections together, on the wire. None before a counter gives a rate.",
                      isUnread && !isRead ? Optional.empty() : Optional.of(measured)));
        GaugeSnapshot.Builder fairness = gauge("fairness_ratio",
                "Jain's fairness index of the measured rates of busy connections: 1 if all are equal. None without such connections.");
        if (busy > 0) {
            fairness.dataPoint(point(sum * sum / (busy * squares)));
        }
        all.add(fairness.build());
        return all;
    }

    private static GaugeSnapshot rates(String name, String help, Optional<Rates> rates) {
        GaugeSnapshot.Builder gauge = gauge(name, help);
        rates.ifPresent(known -> gauge.dataPoint(point(known.up() / Byte.SIZE, "direction", "up"))
                .dataPoint(point(known.down() / Byte.SIZE, "direction", "down")));
        return gauge.build();
    }

    static GaugeSnapshot.Builder gauge(String name, String help) {
        return GaugeSnapshot.builder().name(Metrics.PREFIX + name).help(help);
    }

    static GaugeDataPointSnapshot point(double value, String... labels) {
        return GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build();
    }

    private static String name(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
