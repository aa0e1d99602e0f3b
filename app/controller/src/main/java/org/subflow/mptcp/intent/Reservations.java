// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceConsumerId;
import org.onosproject.net.resource.ResourceService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionId;

/**
 * The reservations of connections in ONOS's {@link ResourceService}, on the egress port of each directed link.
 *
 * <p>Each connection has one reservation per port: the sum over its subflows that leave by the port. Its consumer is a {@link
 * ReservationHolder}. Amounts are rounded down to whole bit/s, so that sums of doubles are exact and never exceed a capacity.
 * A change lowers amounts before it raises others. ONOS's intents for flow rules reserve nothing themselves.
 *
 * <p>ONOS keeps reservations over a restart, also those of connections that were never stored. So the ports that this object
 * has not checked are cleaned before the first reservation there: what is ours and not known here goes. The same follows
 * whenever ONOS's answer is not the expected one, or none came in time. Then nobody knows what ONOS has.
 *
 * <p>Not thread-safe: only the thread that writes reservations uses it.
 */
public final class Reservations {
    private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);
    /** After so many errors of ONOS's store in one change, the rest waits for the next: each may last as long as a time-out. */
    private static final int MOST_ERRORS = 3;

    private final PortBandwidth bandwidth;
    private final Function<ConnectionId, Key> keys;
    private final Map<ConnectionId, Map<ConnectPoint, Double>> held = new HashMap<>();
    /** The ports on which ONOS has of ours what is in {@link #held}. */
    private final Set<ConnectPoint> checked = new HashSet<>();

    /**
     * Makes an empty set of reservations.
     *
     * @param resources ONOS's resource service; not null
     * @param keys      gives the key of each connection's intent; not null
     */
    public Reservations(ResourceService resources, Function<ConnectionId, Key> keys) {
        this.bandwidth = new PortBandwidth(resources);
        this.keys = checkNotNull(keys, "keys");
    }

    /** What became of a change. Immutable. */
    public static final class Outcome {
        private final Set<ConnectPoint> refused;
        private final Set<ConnectionId> interrupted;
        private final Set<ConnectionId> postponed;

        private Outcome(Set<ConnectPoint> refused, Set<ConnectionId> interrupted, Set<ConnectionId> postponed) {
            this.refused = ImmutableSet.copyOf(refused);
            this.interrupted = ImmutableSet.copyOf(interrupted);
            this.postponed = ImmutableSet.copyOf(postponed);
        }

        /** Returns the ports on which ONOS refused an increase; the old amount stays there if possible. */
        public Set<ConnectPoint> refused() {
            return refused;
        }

        /** Returns the connections whose change an error of ONOS's store interrupted; they have to be requested again. */
        public Set<ConnectionId> interrupted() {
            return interrupted;
        }

        /** Returns the connections whose change has to be requested again because the caller wanted to stop. */
        public Set<ConnectionId> postponed() {
            return postponed;
        }
    }

    /**
     * Changes reservations to the requested amounts: first all decreases, then all increases. Postpones the rest once the caller
     * wants to stop.
     *
     * @param requested bit/s by connection and egress port; absent connections keep their reservations, and absent ports of a
     *               connection are released
     * @param isToStop  asked before each connection; not null
     * @return what became of it
     */
    public Outcome apply(Map<ConnectionId, Map<ConnectPoint, Double>> requested, BooleanSupplier isToStop) {
        Set<ConnectPoint> refused = new HashSet<>();
        Set<ConnectionId> interrupted = new HashSet<>();
        Set<ConnectionId> postponed = new HashSet<>();
        for (boolean raise : new boolean[] {false, true}) {
            requested.forEach((id, ports) -> {
                if (isToStop.getAsBoolean()) {
                    postponed.add(id);
                } else if (!interrupted.contains(id)) {
                    change(id, ports, raise, refused, interrupted);
                }
            });
        }
        return new Outcome(refused, interrupted, postponed);
    }

    private void change(ConnectionId id, Map<ConnectPoint, Double> ports, boolean raise, Set<ConnectPoint> refused,
                        Set<ConnectionId> interrupted) {
        if (interrupted.size() >= MOST_ERRORS) {
            interrupted.add(id);
            return;
        }
        Map<ConnectPoint, Double> before = held(id);
        try {
            clean(ports.keySet());
            refused.addAll(change(id, ports, raise));
        } catch (RuntimeException e) {
            LOG.warn("ONOS did not change a reservation: {}; it is tried again", e.toString());
            interrupted.add(id);
            held.remove(id);
            checked.removeAll(before.keySet());
            checked.removeAll(ports.keySet());
        }
    }

    /**
     * Releases the reservations of connections, all together.
     *
     * @param ids the connections; unknown ones have no effect
     */
    public void release(Collection<ConnectionId> ids) {
        List<ResourceAllocation> allocations = new ArrayList<>();
        Set<ConnectPoint> ports = new HashSet<>();
        for (ConnectionId id : ids) {
            Map<ConnectPoint, Double> amounts = held.remove(id);
            if (amounts != null) {
                ports.addAll(amounts.keySet());
                allocations.addAll(PortBandwidth.allocations(holder(id), amounts));
            }
        }
        release(allocations, ports);
    }

    /** Releases allocations that are no longer held; if ONOS has something else on their ports, all of ours there. */
    private void release(List<ResourceAllocation> allocations, Set<ConnectPoint> ports) {
        // Until ONOS has answered nobody knows: a port that has gone releases with it, and a time-out may have released.
        boolean known = checked.containsAll(ports);
        checked.removeAll(ports);
        if (bandwidth.release(allocations) && known) {
            checked.addAll(ports);
        } else {
            clean(ports);
        }
    }

    /**
     * Releases on some ports what an earlier run of the application has reserved. Nothing happens on ports that are checked.
     *
     * @param ports the egress ports
     */
    public void clean(Collection<ConnectPoint> ports) {
        for (ConnectPoint port : ports) {
            if (!checked.contains(port)) {
                check(port, consumers());
            }
        }
    }

    /** Releases what is ours on a port and not held; returns the bandwidth of others, bit/s. */
    private double check(ConnectPoint port, Map<ResourceConsumerId, ConnectionId> ids) {
        double others = 0;
        List<ResourceAllocation> leftovers = new ArrayList<>();
        for (ResourceAllocation allocation : bandwidth.on(port)) {
            if (!ReservationHolder.isOurs(allocation.consumerId())) {
                others += PortBandwidth.value(allocation);
            } else if (!isHeld(ids.get(allocation.consumerId()), port, PortBandwidth.value(allocation))) {
                leftovers.add(allocation);
            }
        }
        if (!leftovers.isEmpty()) {
            LOG.info("Releasing {} reservations of connections that are gone, at {}", leftovers.size(), port);
            checked.remove(port);
            if (!bandwidth.release(leftovers)) {
                leftovers.forEach(leftover -> bandwidth.release(List.of(leftover)));
            }
        }
        checked.add(port);
        return others;
    }

    private boolean isHeld(ConnectionId id, ConnectPoint port, double amount) {
        return id != null && held.get(id).getOrDefault(port, 0.0) == amount;
    }

    private Map<ResourceConsumerId, ConnectionId> consumers() {
        Map<ResourceConsumerId, ConnectionId> ids = new HashMap<>();
        held.keySet().forEach(id -> ids.put(holder(id).consumerId(), id));
        return ids;
    }

    /** Returns the reservations of a connection, bit/s by egress port. */
    public Map<ConnectPoint, Double> held(ConnectionId id) {
        return ImmutableMap.copyOf(held.getOrDefault(id, ImmutableMap.of()));
    }

    /** Returns the reservations of all connections together, bit/s by egress port. */
    public Map<ConnectPoint, Double> total() {
        Map<ConnectPoint, Double> total = new HashMap<>();
        held.values().forEach(ports -> ports.forEach((port, amount) -> total.merge(port, amount, Double::sum)));
        return ImmutableMap.copyOf(total);
    }

    /** Returns the connections with reservations. */
    public Collection<ConnectionId> holders() {
        return ImmutableSet.copyOf(held.keySet());
    }

    /**
     * Returns the reservations of other applications' intents, and releases ours that belong to no connection.
     *
     * @param ports the egress ports to check
     * @return bit/s by port; only ports with more than 0
     */
    public Map<ConnectPoint, Double> others(Iterable<ConnectPoint> ports) {
        Map<ResourceConsumerId, ConnectionId> ids = consumers();
        Map<ConnectPoint, Double> others = new HashMap<>();
        for (ConnectPoint port : ports) {
            double amount = check(port, ids);
            if (amount > 0) {
                others.put(port, amount);
            }
        }
        return others;
    }

    private Set<ConnectPoint> change(ConnectionId id, Map<ConnectPoint, Double> requested, boolean raise) {
        Map<ConnectPoint, Double> now = held.computeIfAbsent(id, unused -> new HashMap<>());
        Map<ConnectPoint, Double> changes = raise ? rises(now, requested) : falls(now, requested);
        Set<ConnectPoint> refused = changes.isEmpty() ? ImmutableSet.of() : replace(id, now, changes);
        if (now.isEmpty()) {
            held.remove(id);
        }
        return refused;
    }

    private static Map<ConnectPoint, Double> falls(Map<ConnectPoint, Double> now, Map<ConnectPoint, Double> requested) {
        Map<ConnectPoint, Double> falls = new HashMap<>();
        now.forEach((port, amount) -> {
            double target = Math.floor(requested.getOrDefault(port, 0.0));
            if (target < amount) {
                falls.put(port, target);
            }
        });
        return falls;
    }

    private static Map<ConnectPoint, Double> rises(Map<ConnectPoint, Double> now, Map<ConnectPoint, Double> requested) {
        Map<ConnectPoint, Double> rises = new HashMap<>();
        requested.forEach((port, amount) -> {
            double target = Math.floor(amount);
            if (target > now.getOrDefault(port, 0.0)) {
                rises.put(port, target);
            }
        });
        return rises;
    }

    private Set<ConnectPoint> replace(ConnectionId id, Map<ConnectPoint, Double> now,
                                      Map<ConnectPoint, Double> changes) {
        Map<ConnectPoint, Double> old = new LinkedHashMap<>();
        changes.keySet().forEach(port -> {
            Double amount = now.remove(port);
            if (amount != null) {
                old.put(port, amount);
            }
        });
        if (!old.isEmpty()) {
            release(PortBandwidth.allocations(holder(id), old), old.keySet());
        }
        Map<ConnectPoint, Double> requested = new HashMap<>(changes);
        requested.values().removeIf(amount -> amount <= 0);
        if (bandwidth.allocate(holder(id), requested)) {
            now.putAll(requested);
            return ImmutableSet.of();
        }
        return allocateOneByOne(holder(id), now, requested, old);
    }

    /** Allocates port by port after a refusal of all together, and restores the old amounts of refused ports. */
    private Set<ConnectPoint> allocateOneByOne(ResourceConsumer holder, Map<ConnectPoint, Double> now,
                                               Map<ConnectPoint, Double> requested, Map<ConnectPoint, Double> old) {
        Set<ConnectPoint> refused = new HashSet<>();
        requested.forEach((port, amount) -> {
            if (bandwidth.allocate(holder, ImmutableMap.of(port, amount))) {
                now.put(port, amount);
                return;
            }
            refused.add(port);
            Double previous = old.get(port);
            if (previous != null && previous > 0 && bandwidth.allocate(holder, ImmutableMap.of(port, previous))) {
                now.put(port, previous);
            }
        });
        return refused;
    }

    private ReservationHolder holder(ConnectionId id) {
        return new ReservationHolder(keys.apply(id));
    }
}
