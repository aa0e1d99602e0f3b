// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Timer;
import com.google.common.base.CaseFormat;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onlab.metrics.MetricsComponent;
import org.onlab.metrics.MetricsFeature;
import org.onlab.metrics.MetricsService;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;

/** What the application has registered with one metrics service of ONOS. ONOS calls a metric {@code Component.Feature.Name}. */
final class Registration implements RuleTimesService.Listener {
    private static final String COMPONENT = "Mptcp";
    private static final String COUNTERS = "Counters";
    private static final String WAITS = "RuleWaits";

    private final MetricsService service;
    private final MetricsComponent component;
    private final MetricsFeature counters;
    private final MetricsFeature waits;
    private final List<Runnable> removals = new ArrayList<>();
    private final Map<Wait, Timer> timers = new EnumMap<>(Wait.class);

    Registration(MetricsService service) {
        this.service = service;
        component = service.registerComponent(COMPONENT);
        counters = component.registerFeature(COUNTERS);
        waits = component.registerFeature(WAITS);
    }

    /** Registers a counter under its own name. */
    void gauge(String name, Supplier<Long> value) {
        Gauge<Long> gauge = value::get;
        free(counters, name);
        service.registerMetric(component, counters, name, gauge);
    }

    /** Registers a timer, {@code setup} or {@code reroute}. */
    void timer(Wait wait) {
        String name = CaseFormat.UPPER_UNDERSCORE.to(CaseFormat.LOWER_CAMEL, wait.name());
        free(waits, name);
        timers.put(wait, service.createTimer(component, waits, name));
    }

    /** Removes what an application that was killed may have left under a name: ONOS registers no name twice. */
    private void free(MetricsFeature feature, String name) {
        service.removeMetric(component, feature, name);
        removals.add(() -> service.removeMetric(component, feature, name));
    }

    @Override
    public void ended(Wait wait, long nanos) {
        timers.get(wait).update(nanos, TimeUnit.NANOSECONDS);
    }

    /** Removes everything. */
    void remove() {
        removals.forEach(Runnable::run);
        removals.clear();
    }
}
