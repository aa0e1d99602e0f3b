// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;

/**
 * The network with unreserved capacities: each capacity is reduced by other applications' reservations at the link's egress
 * port. At least a hundredth of a capacity always remains, so that reservations do not remove a link. Thread-safe.
 */
public final class UnreservedNetwork implements NetworkView {
    private static final double LEAST_UNRESERVED_PART = 0.01;

    private final NetworkView network;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<ConnectPoint, Double> reservations = ImmutableMap.of();
    private volatile Cached cached;

    private static final class Cached {
        private final NetworkSnapshot whole;
        private final Map<ConnectPoint, Double> reservations;
        private final NetworkSnapshot unreserved;

        private Cached(NetworkSnapshot whole, Map<ConnectPoint, Double> reservations, NetworkSnapshot unreserved) {
            this.whole = whole;
            this.reservations = reservations;
            this.unreserved = unreserved;
        }
    }

    public UnreservedNetwork(NetworkView network) {
        this.network = checkNotNull(network, "network");
    }

    /**
     * Sets other applications' reservations, and notifies listeners if these have changed.
     *
     * @param reserved bit/s by egress port; not null
     */
    public void setReservedByOthers(Map<ConnectPoint, Double> reserved) {
        Map<ConnectPoint, Double> now = ImmutableMap.copyOf(reserved);
        if (!now.equals(reservations)) {
            reservations = now;
            listeners.forEach(Listener::networkChanged);
        }
    }

    /** Returns other applications' reservations on a directed link, bit/s. */
    public double reservedByOthers(Link link) {
        return reservations.getOrDefault(NetworkSnapshot.egressPort(link), 0.0);
    }

    @Override
    public NetworkSnapshot snapshot() {
        NetworkSnapshot whole = network.snapshot();
        Map<ConnectPoint, Double> now = reservations;
        if (now.isEmpty()) {
            return whole;
        }
        Cached known = cached;
        if (known == null || known.whole != whole || known.reservations != now) {
            known = new Cached(whole, now, whole.withCapacities(link -> unreserved(whole.capacity(link),
                    now.getOrDefault(NetworkSnapshot.egressPort(link), 0.0))));
            cached = known;
        }
        return known.unreserved;
    }

    private static double unreserved(double capacity, double reserved) {
        return Math.max(LEAST_UNRESERVED_PART * capacity, capacity - reserved);
    }

    @Override
    public double measured(Link link) {
        return network.measured(link);
    }

    @Override
    public Optional<PortCounter> counter(Link link) {
        return network.counter(link);
    }

    @Override
    public Optional<PortCounter> received(ConnectPoint port) {
        return network.received(port);
    }

    @Override
    public boolean isUp(ConnectPoint port) {
        return network.isUp(port);
    }

    @Override
    public void addListener(Listener listener) {
        listeners.add(listener);
        network.addListener(listener);
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
        network.removeListener(listener);
    }
}
