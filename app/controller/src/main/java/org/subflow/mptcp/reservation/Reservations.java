// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ResourceAllocation;
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
 * <p>ONOS writes the list of all reservations of a port anew at each change. So only the first 64 connections have reservations
 * of their own. Those that come while there are so many share one reservation per port, with their sum.
 *
 * <p>ONOS keeps reservations over a restart, also those of connections that were never stored: see {@link CheckedPorts}.
 *
 * <p>Not thread-safe: only the thread that writes reservations uses it.
 */
public final class Reservations {
    private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);
    /** After so many errors of ONOS's store in one change, the rest waits for the next: each may last as long as a time-out. */
    private static final int MOST_ERRORS = 3;

    /** So many connections have reservations of their own: as many as an operator may read. */
    private static final int MOST_OWN = 64;

    private final PortBandwidth bandwidth;
    private final Function<ConnectionId, Key> keys;
    private final int mostOwn;
    private final CheckedPorts ports;
    private final Map<ConnectionId, Reservation> own = new HashMap<>();
    private final Reservation common;
    /** What the connections without reservations of their own are to have. */
    private final Map<ConnectionId, Map<ConnectPoint, Double>> members = new HashMap<>();

    /**
     * Makes an empty set of reservations.
     *
     * @param resources ONOS's resource service; not null
     * @param keys      gives the key of each connection's intent; not null
     * @param mayWrite  called before each change; throws an exception if this node may not make it; not null
     */
    public Reservations(ResourceService resources, Function<ConnectionId, Key> keys, Runnable mayWrite) {
        this(resources, keys, mayWrite, MOST_OWN);
    }

    /** Makes an empty set in which so many connections may have reservations of their own. */
    Reservations(ResourceService resources, Function<ConnectionId, Key> keys, Runnable mayWrite, int mostOwn) {
        this.mostOwn = mostOwn;
        this.bandwidth = new PortBandwidth(resources, mayWrite);
        this.keys = checkNotNull(keys, "keys");
        this.ports = new CheckedPorts(bandwidth, this::byConsumer);
        this.common = new Reservation(ReservationHolder.COMMON, bandwidth, ports);
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
        Map<ConnectionId, Map<ConnectPoint, Double>> alone = new HashMap<>();
        Set<ConnectionId> together = new HashSet<>();
        requested.forEach((id, amounts) -> {
            if (hasOwn(id)) {
                alone.put(id, amounts);
                own.computeIfAbsent(id, unused -> new Reservation(new ReservationHolder(keys.apply(id)), bandwidth, ports));
            } else {
                together.add(id);
                want(id, amounts);
            }
        });
        Change change = new Change(isToStop);
        for (boolean isRaise : new boolean[] {false, true}) {
            alone.forEach((id, amounts) -> change.make(own.get(id), Set.of(id), amounts, isRaise));
            change.make(common, together, totalOfMembers(), isRaise);
        }
        own.values().removeIf(Reservation::isEmpty);
        return new Outcome(change.refused, change.interrupted, change.postponed);
    }

    private boolean hasOwn(ConnectionId id) {
        return own.containsKey(id) || !members.containsKey(id) && own.size() < mostOwn;
    }

    private void want(ConnectionId id, Map<ConnectPoint, Double> amounts) {
        Map<ConnectPoint, Double> wanted = new HashMap<>();
        amounts.forEach((port, amount) -> {
            if (amount >= 1) {
                wanted.put(port, Math.floor(amount));
            }
        });
        if (wanted.isEmpty()) {
            members.remove(id);
        } else {
            members.put(id, wanted);
        }
    }

    /** One change of many reservations, and what has become of it so far. */
    private static final class Change {
        private final BooleanSupplier isToStop;
        private final Set<ConnectPoint> refused = new HashSet<>();
        private final Set<ConnectionId> interrupted = new HashSet<>();
        private final Set<ConnectionId> postponed = new HashSet<>();
        private int errors;

        Change(BooleanSupplier isToStop) {
            this.isToStop = isToStop;
        }

        /** Lowers or raises a reservation of some connections. */
        void make(Reservation reservation, Set<ConnectionId> ids, Map<ConnectPoint, Double> amounts, boolean isRaise) {
            if (isToStop.getAsBoolean()) {
                postponed.addAll(ids);
            } else if (errors >= MOST_ERRORS) {
                interrupted.addAll(ids);
            } else if (ids.isEmpty() || !interrupted.containsAll(ids)) {
                try {
                    refused.addAll(isRaise ? reservation.raise(amounts) : reservation.lower(amounts));
                } catch (RuntimeException e) {
                    LOG.warn("ONOS did not change a reservation: {}; it is tried again", e.toString());
                    errors++;
                    interrupted.addAll(ids);
                    reservation.forget(amounts.keySet());
                }
            }
        }
    }

    /**
     * Releases the reservations of connections, all together.
     *
     * @param ids the connections; unknown ones have no effect
     */
    public void release(Collection<ConnectionId> ids) {
        List<ResourceAllocation> allocations = new ArrayList<>();
        Set<ConnectPoint> released = new HashSet<>();
        for (ConnectionId id : ids) {
            Reservation reservation = own.remove(id);
            if (reservation != null) {
                released.addAll(reservation.amounts().keySet());
                allocations.addAll(reservation.allocations());
            }
        }
        boolean isAnyMember = members.keySet().removeAll(Set.copyOf(ids));
        ports.release(allocations, released);
        if (isAnyMember) {
            lowerCommon();
        }
    }

    /**
     * Releases all reservations at some ports, together.
     *
     * @param lost says which; not null
     * @return what connections were to have, bit/s by egress port, where they had something there; also at other ports
     */
    public Map<ConnectionId, Map<ConnectPoint, Double>> releaseAt(Predicate<ConnectPoint> lost) {
        Map<ConnectionId, Map<ConnectPoint, Double>> before = new HashMap<>();
        for (ConnectionId id : holders()) {
            Map<ConnectPoint, Double> amounts = held(id);
            if (amounts.keySet().stream().anyMatch(lost)) {
                before.put(id, amounts);
            }
        }
        Set<ConnectPoint> released = Set.copyOf(Sets.filter(total().keySet(), lost::test));
        List<ResourceAllocation> allocations = new ArrayList<>(common.giveUp(released));
        own.values().forEach(reservation -> allocations.addAll(reservation.giveUp(released)));
        own.values().removeIf(Reservation::isEmpty);
        members.values().forEach(amounts -> amounts.keySet().removeIf(lost));
        members.values().removeIf(Map::isEmpty);
        ports.release(allocations, released);
        return before;
    }

    private void lowerCommon() {
        Map<ConnectPoint, Double> total = totalOfMembers();
        try {
            common.lower(total);
        } catch (RuntimeException e) {
            common.forget(total.keySet());
            throw e;
        }
    }

    private Map<ConnectPoint, Double> totalOfMembers() {
        return sum(members.values());
    }

    private static Map<ConnectPoint, Double> sum(Iterable<Map<ConnectPoint, Double>> reservations) {
        Map<ConnectPoint, Double> total = new HashMap<>();
        reservations.forEach(amounts -> amounts.forEach((port, amount) -> total.merge(port, amount, Double::sum)));
        return total;
    }

    /**
     * Releases on some ports what an earlier run of the application has reserved. Nothing happens on ports that are checked.
     *
     * @param egress the egress ports
     */
    public void clean(Collection<ConnectPoint> egress) {
        ports.clean(egress);
    }

    private Map<ResourceConsumerId, Map<ConnectPoint, Double>> byConsumer() {
        Map<ResourceConsumerId, Map<ConnectPoint, Double>> amounts = new HashMap<>();
        own.values().forEach(reservation -> amounts.put(reservation.consumer(), reservation.amounts()));
        amounts.put(common.consumer(), common.amounts());
        return amounts;
    }

    /** Returns the reservations of a connection, bit/s by egress port. */
    public Map<ConnectPoint, Double> held(ConnectionId id) {
        Reservation reservation = own.get(id);
        if (reservation != null) {
            return ImmutableMap.copyOf(reservation.amounts());
        }
        Map<ConnectPoint, Double> wanted = members.getOrDefault(id, ImmutableMap.of());
        return ImmutableMap.copyOf(Maps.filterKeys(wanted, common.amounts()::containsKey));
    }

    /** Returns the reservations of all connections together, bit/s by egress port. */
    public Map<ConnectPoint, Double> total() {
        return ImmutableMap.copyOf(sum(byConsumer().values()));
    }

    /** Returns the connections with reservations. */
    public Collection<ConnectionId> holders() {
        return ImmutableSet.copyOf(Sets.union(own.keySet(), members.keySet()));
    }

    /**
     * Returns the reservations of other applications' intents, and releases ours that belong to no connection.
     *
     * @param egress the egress ports to check
     * @return bit/s by port; only ports with more than 0
     */
    public Map<ConnectPoint, Double> others(Iterable<ConnectPoint> egress) {
        return ports.others(egress);
    }
}
