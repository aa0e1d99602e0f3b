// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Timer;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.metrics.MetricsManager;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.rest.KnownConnections;

/** What ONOS's metrics service has of ours, and when. */
class OnosMetricsTest {
    private final KnownConnections mptcp = new KnownConnections();
    private final KnownRuleTimes times = new KnownRuleTimes();
    private final MetricsManager onos = new MetricsManager();
    private final OnosMetrics metrics = new OnosMetrics();

    @BeforeEach
    void services() throws ReflectiveOperationException {
        mptcp.counters().put("established.join", 4L);
        mptcp.counters().put("spoofed.of:0000000000000001/3", 1L);
        inject("mptcp", mptcp);
        inject("times", times);
    }

    @Test
    void countersAreGaugesAndWaitsAreTimers() {
        metrics.bindMetrics(onos);
        metrics.activate();
        assertEquals(Set.of("Mptcp.Counters.established.join", "Mptcp.RuleWaits.setup", "Mptcp.RuleWaits.reroute"), names());
        assertEquals(4L, ((Gauge<?>) onos.getMetrics().get("Mptcp.Counters.established.join")).getValue());
        times.listeners.forEach(listener -> listener.ended(Wait.REROUTE, TimeUnit.MILLISECONDS.toNanos(20)));
        Timer reroute = onos.getTimers((name, metric) -> true).get("Mptcp.RuleWaits.reroute");
        assertEquals(1, reroute.getCount());
        assertEquals(20e6, reroute.getSnapshot().getMean(), 1e3);
        assertEquals(0, onos.getTimers((name, metric) -> true).get("Mptcp.RuleWaits.setup").getCount());
    }

    @Test
    void theyGoWithTheApplicationAndComeBackWithIt() {
        metrics.bindMetrics(onos);
        metrics.activate();
        metrics.deactivate();
        assertTrue(onos.getMetrics().isEmpty(), () -> onos.getMetrics().keySet().toString());
        assertTrue(times.listeners.isEmpty());
        metrics.activate();
        assertEquals(3, onos.getMetrics().size());
    }

    @Test
    void withoutTheServiceNothingIsMissed() {
        metrics.activate();
        assertTrue(times.listeners.isEmpty());
        metrics.deactivate();
    }

    @Test
    void theServiceMayComeAndGo() {
        metrics.activate();
        metrics.bindMetrics(onos);
        MetricsManager other = new MetricsManager();
        metrics.bindMetrics(other);
        assertTrue(onos.getMetrics().isEmpty(), "one service at a time");
        metrics.unbindMetrics(onos);
        assertEquals(3, other.getMetrics().size(), "another one has gone");
        metrics.unbindMetrics(other);
        assertTrue(other.getMetrics().isEmpty());
        assertTrue(times.listeners.isEmpty());
    }

    @Test
    void aNameThatIsLeftFromBeforeIsTakenOver() {
        new Registration(onos).gauge("established.join", () -> 9L);
        metrics.bindMetrics(onos);
        metrics.activate();
        assertEquals(4L, ((Gauge<?>) onos.getMetrics().get("Mptcp.Counters.established.join")).getValue());
        assertFalse(names().contains("Mptcp.Counters.spoofed.of:0000000000000001/3"));
    }

    private Set<String> names() {
        return Set.copyOf(onos.getMetrics().keySet());
    }

    private void inject(String name, Object service) throws ReflectiveOperationException {
        Field field = OnosMetrics.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(metrics, service);
    }
}
