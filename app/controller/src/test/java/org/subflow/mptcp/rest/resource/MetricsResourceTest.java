// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.core.MediaType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.ClusterStateService;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.metrics.KnownRuleTimes;
import org.subflow.mptcp.metrics.Metrics;
import org.subflow.mptcp.rest.Bounds;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.topology.Nets;

/**
 * Metrics over HTTP. The text is a golden file, which the tests of documents and dashboard read;
 * {@code -Dmptcp.golden=write} writes it anew.
 */
class MetricsResourceTest extends RestScenario {
    private static final Path FILE = Path.of("src/test/resources/metrics.txt");

    @BeforeEach
    void network() {
        mptcp.addRunning();
        mptcp.links.add(new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, 7.5e6, 3e6, 2));
        new DetectCounters().snapshot().forEach(mptcp.counters::put);
        // Those of the other packages that documents and dashboard name.
        for (String name : new String[] {
            "agents.announced", "agents.known", "agents.reporting", "agents.reports", "agents.refused", "agents.foreign", "agents.subflows",
            "agents.subflows.lost", "candidates.demoted", "candidates.evicted", "candidates.probes", "control-loop.busy-nanos",
            "control-loop.failed", "control-loop.refused", "flow-tables.full", "limit.connections", "limit.flow-tables", "policy.over-cap",
            "policy.refused", "policy.unmanaged", "rules.median-micros", "rules.p95-micros", "rules.subflows",
            "limit.joins.of:0000000000000001/3", "spoofed.of:0000000000000001/3", "store.dropped", "switches.copying", "table.candidates",
            "table.tokens"}) {
            mptcp.counters.put(name, 2L);
        }
        bound = Optional.of(Bounds.of(0));
        offer(ClusterStateService.class, () -> new ClusterState(
                "10.0.0.1", List.of(), Optional.of(new ClusterState.Leader("10.0.0.1", 1, true)), 0, true, List.of()));
        offer(RuleTimesService.class, new KnownRuleTimes().with(new DurationHistogram(
                new double[] {0.01, 0.1, Double.POSITIVE_INFINITY}, new long[] {1, 1, 0}, 0.06), RuleTimesService.Wait.values()));
    }

    @Test
    void thereIsOneTextOfAllMetrics() throws Exception {
        HttpResponse<String> answer = send(VIEWER, "GET", "metrics", "");
        assertEquals(200, answer.statusCode(), answer.body());
        assertEquals(MediaType.valueOf(Metrics.CONTENT_TYPE),
                     MediaType.valueOf(answer.headers().firstValue("Content-Type").orElse("")));
        if ("write".equals(System.getProperty("mptcp.golden"))) {
            Files.writeString(FILE, answer.body());
        } else if (!Files.readString(FILE).equals(answer.body())) {
            fail(FILE + " differs. If the change is meant: mvn test -pl app/core,app/controller -Dtest=MetricsResourceTest"
                         + " -Dsurefire.failIfNoSpecifiedTests=false -Dmptcp.golden=write; this is the text now:\n" + answer.body());
        }
    }

    @Test
    void theyAreReadOnly() throws Exception {
        assertEquals(405, send(ADMIN, "POST", "metrics", "{}").statusCode());
    }
}
