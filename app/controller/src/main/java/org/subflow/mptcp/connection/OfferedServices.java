// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.NetworkBoundService;
import org.subflow.mptcp.api.RuleTimesService;
import org.subflow.mptcp.loop.ControlLoop;

/** Offers those parts that are services of their own, for as long as the application runs. */
final class OfferedServices {
    private final List<ServiceRegistration<?>> offered;

    /**
     * Registers the services with OSGi.
     *
     * @param loop the control loop, which decides of awaited connections
     */
    OfferedServices(BundleContext bundle, Wiring parts, ControlLoop loop) {
        offered = List.of(bundle.registerService(RuleTimesService.class, parts.ruleTimes, null),
                          bundle.registerService(NetworkBoundService.class, parts.bound, null),
                          bundle.registerService(AwaitedService.class, new AwaitedDesk(loop, parts.awaited), null));
    }

    /** Withdraws them. */
    void withdraw() {
        offered.forEach(ServiceRegistration::unregister);
    }
}
