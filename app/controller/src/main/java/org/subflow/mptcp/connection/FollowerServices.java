// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.NetworkBoundService;

/**
 * The services of {@link OfferedServices} at a node where another one decides, as far as answers about connections need them.
 * Such a node awaits no connection and compares with no bound.
 */
final class FollowerServices {
    private final List<ServiceRegistration<?>> offered;

    /**
     * Offers the services.
     *
     * @param bundle   where they are offered; not null
     * @param refusal  makes what is thrown where only the deciding node can act; not null
     */
    FollowerServices(BundleContext bundle, Supplier<RuntimeException> refusal) {
        NetworkBoundService bound = Optional::empty;
        offered = List.of(bundle.registerService(NetworkBoundService.class, bound, null),
                          bundle.registerService(AwaitedService.class, new NothingAwaited(refusal), null));
    }

    /** Withdraws them. */
    void withdraw() {
        offered.forEach(ServiceRegistration::unregister);
    }

    private static final class NothingAwaited implements AwaitedService {
        private final Supplier<RuntimeException> refusal;

        private NothingAwaited(Supplier<RuntimeException> refusal) {
            this.refusal = refusal;
        }

        @Override
        public Connection add(List<FiveTuple> subflows, int seconds) {
            throw refusal.get();
        }

        @Override
        public boolean remove(ConnectionId id) {
            throw refusal.get();
        }

        @Override
        public OptionalLong awaitedUntil(ConnectionId id) {
            return OptionalLong.empty();
        }
    }
}
