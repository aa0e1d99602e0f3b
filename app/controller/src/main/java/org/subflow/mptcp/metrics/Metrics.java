// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import static com.google.common.base.Preconditions.checkNotNull;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.ClusterStateService;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;

/** All metrics at one moment. */
public final class Metrics {
    /** The media type of what {@link #write} writes. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    static final String PREFIX = "onos_mptcp_";

    private final MetricSnapshots snapshots;

    private Metrics(MetricSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    /**
     * Reads the services.
     *
     * @param mptcp connections, links and counters; not null
     * @param times how long subflows wait for rules; not null
     * @param names how switches are called; not null
     * @param bound how close the connections come to the best of any routing; not null
     * @param cluster which ONOS node decides; not null
     * @return the metrics of now
     */
    public static Metrics of(MptcpService mptcp, RuleTimesService times, NameService names, NetworkBoundService bound,
                             ClusterStateService cluster) {
        checkNotNull(times, "times");
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        new ConnectionMetrics(mptcp).snapshots().forEach(all::metricSnapshot);
        all.metricSnapshot(bound(bound.bound()));
        all.metricSnapshot(decides(cluster.clusterState()));
        LinkMetrics.of(mptcp.links(), names).forEach(all::metricSnapshot);
        CounterMetrics.of(mptcp.counters()).forEach(all::metricSnapshot);
        all.metricSnapshot(histogram("setup_seconds", "Time from the moment at which a subflow has earned rules to the rules.",
                                     times.histogram(Wait.SETUP)));
        all.metricSnapshot(histogram("reroute_seconds", "Time from a change in the network to a subflow's rules on another path.",
                                     times.histogram(Wait.REROUTE)));
        return new Metrics(all.build());
    }

    /** Whether this node decides: all else that a follower tells is what the node that decides has told it. */
    private static GaugeSnapshot decides(ClusterState state) {
        boolean isLeader = state.leader().filter(state.node()::equals).isPresent();
        return ConnectionMetrics.gauge("node_decides", "1 if the ONOS node that answers decides about connections, else 0.")
                .dataPoint(ConnectionMetrics.point(isLeader ? 1 : 0, "node", state.node())).build();
    }

    private static GaugeSnapshot bound(Optional<NetworkBound> bound) {
        GaugeSnapshot.Builder gauge = ConnectionMetrics.gauge("best_routing_ratio",
                "Expected throughputs divided by those of the best of any routing: their sum and the smallest share. "
                        + "None if unknown.");
        bound.map(NetworkBound::quality).ifPresent(quality -> gauge
                .dataPoint(ConnectionMetrics.point(quality.sumFraction(), "share", "sum"))
                .dataPoint(ConnectionMetrics.point(quality.smallestFraction(), "share", "smallest")));
        return gauge.build();
    }

    private static HistogramSnapshot histogram(String name, String help, DurationHistogram durations) {
        return HistogramSnapshot.builder().name(PREFIX + name).help(help)
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(durations.bounds(), durations.counts()))
                        .sum(durations.sum())
                        .build())
                .build();
    }

    /**
     * Writes the metrics in Prometheus' text format, UTF-8.
     *
     * @param out where to; not null, stays open
     * @throws IOException if that fails
     */
    public void write(OutputStream out) throws IOException {
        PrometheusTextFormatWriter.create().write(out, snapshots);
    }
}
