// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import com.google.common.base.Suppliers;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.onlab.metrics.MetricsService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;

/**
 * Registers the application's metrics with ONOS's own metrics service, as far as there is one: counters as gauges, and how long
 * subflows wait for rules as timers. They go with the application, and with the service.
 */
@Component(immediate = true, service = {})
public final class OnosMetrics {
    /** One look at the counters is enough for all gauges that somebody reads together. */
    private static final long COUNTERS_MILLIS = 500;

    @Reference
    private volatile MptcpService mptcp;
    @Reference
    private volatile RuleTimesService times;

    private MetricsService service;
    private Registration registration;
    private boolean isActive;

    @Activate
    synchronized void activate() {
        isActive = true;
        register();
    }

    @Deactivate
    synchronized void deactivate() {
        isActive = false;
        withdraw();
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    synchronized void bindMetrics(MetricsService metrics) {
        withdraw();
        service = metrics;
        register();
    }

    synchronized void unbindMetrics(MetricsService metrics) {
        if (service == metrics) {
            withdraw();
            service = null;
        }
    }

    private void register() {
        if (!isActive || service == null) {
            return;
        }
        registration = new Registration(service);
        Supplier<Map<String, Long>> counters =
                Suppliers.memoizeWithExpiration(() -> mptcp.counters(), COUNTERS_MILLIS, TimeUnit.MILLISECONDS);
        // Ports that are counted one by one come and go; no other part of ONOS's metrics grows with the network.
        counters.get().keySet().stream().filter(name -> !CounterMetrics.isOfPort(name))
                .forEach(name -> registration.gauge(name, () -> counters.get().getOrDefault(name, 0L)));
        for (Wait wait : Wait.values()) {
            registration.timer(wait);
        }
        times.addListener(registration);
    }

    private void withdraw() {
        if (registration != null) {
            times.removeListener(registration);
            registration.remove();
            registration = null;
        }
    }
}
