// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.rest.Bounds;
import org.subflow.mptcp.rest.KnownConnections;
import org.subflow.mptcp.topology.Nets;

/** Values and names of metrics. Whether Prometheus understands the text: {@code mininet/tests/test_metrics.py}. */
class MetricsTest {
    private final KnownConnections mptcp = new KnownConnections();
    private final KnownRuleTimes times = new KnownRuleTimes();
    private Optional<NetworkBound> bound = Optional.empty();
    private Optional<ClusterState.Leader> leader = Optional.of(new ClusterState.Leader("n1", 1, true));

    @BeforeEach
    void connection() {
        mptcp.addRunning();
    }

    @Test
    void ratesAreBitsPerSecondInBothDirections() throws IOException {
        assertEquals("1000000.0", value("expected_bytes_per_second{direction=\"up\"}"));
        assertEquals("250000.0", value("expected_bytes_per_second{direction=\"down\"}"));
        assertEquals("500000.0", value("measured_bytes_per_second{direction=\"up\"}"));
        assertEquals("62500.0", value("measured_bytes_per_second{direction=\"down\"}"));
    }

    @Test
    void whatNoCounterHasToldHasNoRate() throws IOException {
        mptcp.forgetMeasurements();
        assertFalse(text(mptcp).contains("onos_mptcp_measured_bytes_per_second{"));
        assertEquals("1000000.0", value("expected_bytes_per_second{direction=\"up\"}"));
        assertTrue(text(new KnownConnections()).contains("onos_mptcp_measured_bytes_per_second{direction=\"up\"} 0.0"), "nothing sends");
    }

    @Test
    void everyStateHasASeriesAlsoWithoutAConnection() throws IOException {
        assertEquals("1.0", value("connections{state=\"active\"}"));
        assertEquals("0.0", value("connections{state=\"pending\"}"));
        assertEquals("1.0", value("subflows{state=\"active\"}"));
        assertEquals("0.0", value("subflows{state=\"blocked\"}"));
    }

    @Test
    void fairnessIsThatOfBusyConnections() throws IOException {
        assertEquals("1.0", value("fairness_ratio"));
        assertFalse(text(new KnownConnections()).contains("onos_mptcp_fairness_ratio "), "no connection, no index");
    }

    @Test
    void theBestRoutingHasItsSamplesOnceItIsKnown() throws IOException {
        assertFalse(text(mptcp).contains("onos_mptcp_best_routing_ratio{"), "nothing has been compared");
        bound = Optional.of(Bounds.of(0));
        assertEquals("0.75", value("best_routing_ratio{share=\"sum\"}").substring(0, 4));
        assertEquals("0.75", value("best_routing_ratio{share=\"smallest\"}").substring(0, 4));
    }

    @Test
    void aLinkHasOneSeriesOfEachKindHoweverOftenOnosKnowsIt() throws IOException {
        mptcp.links().add(new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, 7.5e6, 3e6, 2));
        mptcp.links().add(new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, 7.5e6, 3e6, 2));
        mptcp.links().add(new LinkUsage(Nets.link(2, 5), Nets.capacity(0), 0, 1e6, 0, 0));
        String one = "{destination=\"of:2/1\",destination_name=\"s2/1\",source=\"of:1/2\",source_name=\"s1/2\"}";
        assertEquals("0.75", value("link_utilization_ratio" + one));
        assertEquals("0.4", value("link_reserved_ratio" + one));
        assertEquals("1250000.0", value("link_capacity_bytes_per_second" + one));
        assertFalse(text(mptcp).contains("of:5/"), "without a capacity there is no utilisation");
    }

    @Test
    void aLinkWhoseCounterHasNotBeenReadHasNoUtilisation() throws IOException {
        mptcp.links().add(new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, Double.NaN, 0, 2));
        assertFalse(text(mptcp).contains("onos_mptcp_link_utilization_ratio{"));
        assertTrue(text(mptcp).contains("onos_mptcp_link_reserved_ratio{"));
    }

    @Test
    void eachNodeTellsWhetherItDecidesItself() throws IOException {
        assertEquals("1.0", value("node_decides{node=\"n1\"}"));
        leader = Optional.of(new ClusterState.Leader("n2", 1, true));
        assertEquals("0.0", value("node_decides{node=\"n1\"}"), "it follows");
        leader = Optional.empty();
        assertEquals("0.0", value("node_decides{node=\"n1\"}"), "nobody does");
    }

    @Test
    void countersHaveTheirNamesAndUnits() throws IOException {
        Map.of("established.capable-v1", 3L, "malformed.bad-length", 2L, "spoofed.of:1/3", 4L, "spoofed", 5L,
               "table.tokens", 6L, "control-loop.busy-nanos", 1_500_000_000L, "agents.known", 7L).forEach(mptcp.counters()::put);
        assertEquals("3.0", value("established_capable_v1_total"));
        assertEquals("2.0", value("malformed_total{reason=\"bad-length\"}"));
        assertEquals("4.0", value("spoofed_by_port_total{port=\"of:1/3\"}"));
        assertEquals("5.0", value("spoofed_total"));
        assertEquals("6.0", value("table_entries{table=\"tokens\"}"));
        assertEquals("1.5", value("control_loop_busy_seconds_total"));
        assertEquals("7.0", value("agents_known"));
        assertTrue(text(mptcp).contains("# TYPE onos_mptcp_agents_known gauge"), "it may fall");
    }

    @Test
    void countersWhoseNamesBecomeOneDoNotTakeTheOthersAway() throws IOException {
        mptcp.counters().put("a.b", 1L);
        mptcp.counters().put("a-b", 2L);
        mptcp.counters().put("c", 3L);
        assertEquals("3.0", value("c_total"));
    }

    @Test
    void bucketsOfHistogramsAreCumulative() throws IOException {
        times.with(new DurationHistogram(new double[] {0.1, 1, Double.POSITIVE_INFINITY}, new long[] {1, 2, 3}, 9.5),
                   RuleTimesService.Wait.REROUTE);
        assertEquals("1", value("reroute_seconds_bucket{le=\"0.1\"}"));
        assertEquals("3", value("reroute_seconds_bucket{le=\"1.0\"}"));
        assertEquals("6", value("reroute_seconds_bucket{le=\"+Inf\"}"));
        assertEquals("9.5", value("reroute_seconds_sum"));
        assertEquals("0", value("setup_seconds_count"));
    }

    private String value(String series) throws IOException {
        String begin = "onos_mptcp_" + series + " ";
        List<String> lines = text(mptcp).lines().filter(line -> line.startsWith(begin)).collect(Collectors.toList());
        assertEquals(1, lines.size(), series);
        return lines.get(0).substring(begin.length());
    }

    private String text(KnownConnections known) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Metrics.of(known, times, NameService.UNSTATED, () -> bound,
                   () -> new ClusterState("n1", List.of(), leader, 0, true, List.of())).write(out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
