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
 * The network as other applications' reservations leave it: capacities are lower by what these have reserved at the
 * links' egress ports. A hundredth of a link's capacity is always left, so that reservations do not take a link away.
 * Thread-safe.
 */
public final class UnreservedNetwork implements NetworkView {
    private static final double ALWAYS_LEFT = 0.01;

    private final NetworkView network;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<ConnectPoint, Double> claims = ImmutableMap.of();
    private volatile Cached cached;

    private static final class Cached {
        private final NetworkSnapshot whole;
        private final Map<ConnectPoint, Double> claims;
        private final NetworkSnapshot left;

        private Cached(NetworkSnapshot whole, Map<ConnectPoint, Double> claims, NetworkSnapshot left) {
            this.whole = whole;
            this.claims = claims;
            this.left = left;
        }
    }

    /**
     * Makes a view without claims.
     *
     * @param network the whole network; not null
     */
    public UnreservedNetwork(NetworkView network) {
        this.network = checkNotNull(network, "network");
    }

    /**
     * Takes what others have reserved; if that is not what it was, listeners are told.
     *
     * @param reserved bit/s by egress port; not null
     */
    public void reservedByOthers(Map<ConnectPoint, Double> reserved) {
        Map<ConnectPoint, Double> now = ImmutableMap.copyOf(reserved);
        if (!now.equals(claims)) {
            claims = now;
            listeners.forEach(Listener::networkChanged);
        }
    }

    /** Returns what others have reserved on a directed link, bit/s. */
    public double reservedByOthers(Link link) {
        return claims.getOrDefault(NetworkSnapshot.egressPort(link), 0.0);
    }

    @Override
    public NetworkSnapshot snapshot() {
        NetworkSnapshot whole = network.snapshot();
        Map<ConnectPoint, Double> now = claims;
        if (now.isEmpty()) {
            return whole;
        }
        Cached known = cached;
        if (known == null || known.whole != whole || known.claims != now) {
            known = new Cached(whole, now, whole.withCapacities(link -> left(whole.capacity(link),
                    now.getOrDefault(NetworkSnapshot.egressPort(link), 0.0))));
            cached = known;
        }
        return known.left;
    }

    private static double left(double capacity, double claimed) {
        return Math.max(ALWAYS_LEFT * capacity, capacity - claimed);
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
