// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.ResourceService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionId;

/**
 * The reservations of connections in ONOS's {@link ResourceService}, on the egress port of each directed link.
 *
 * <p>A port has one reservation: the sum over all subflows that leave by it. ONOS writes the list of all reservations of a port anew
 * at each change, so one for each connection would take longer the more there are. Amounts are rounded down to whole bit/s, so that
 * sums of doubles are exact and never exceed a capacity. A change lowers amounts before it raises others. ONOS's intents for flow
 * rules reserve nothing themselves.
 *
 * <p>ONOS keeps reservations over a restart, also those of connections that were never stored: see {@link ReservedPorts}.
 *
 * <p>Not thread-safe: only the thread that writes reservations uses it.
 */
public final class Reservations {
    private static final Logger LOG = LoggerFactory.getLogger(Reservations.class);

    private final ReservedPorts reserved;
    /** What connections are to have, whole bit/s by egress port, all more than 0. */
    private final Map<ConnectionId, Map<ConnectPoint, Double>> wanted = new HashMap<>();
    /** Where ONOS refused the last increase. It is asked again when a request is for one of these ports. */
    private final Set<ConnectPoint> refusing = new HashSet<>();

    /**
     * Makes an empty set of reservations.
     *
     * @param mayWrite  called before each change; throws an exception if this node may not make it; not null
     */
    public Reservations(ResourceService resources, Runnable mayWrite) {
        this.reserved = new ReservedPorts(resources, mayWrite);
    }

    /** What became of a change. */
    public enum Outcome {
        /** ONOS has all that it could give. */
        DONE,
        /** An error of ONOS's store interrupted it; it has to be requested again. */
        INTERRUPTED,
        /** The caller wanted to stop; it has to be requested again. */
        POSTPONED
    }

    /**
     * Changes reservations to the requested amounts: first all decreases, then all increases.
     *
     * @param requested bit/s by connection and egress port; absent connections keep their reservations, and absent ports of a
     *                  connection are released
     * @param isToStop  asked before decreases and before increases; not null
     * @param refused   gets the ports on which ONOS refused an increase; the old amount stays there if possible; not null
     * @return what became of it
     */
    public Outcome apply(Map<ConnectionId, Map<ConnectPoint, Double>> requested, BooleanSupplier isToStop,
                         Set<ConnectPoint> refused) {
        if (isToStop.getAsBoolean()) {
            return Outcome.POSTPONED;
        }
        requested.forEach((id, amounts) -> {
            refusing.removeAll(wanted.getOrDefault(id, Map.of()).keySet());
            refusing.removeAll(amounts.keySet());
            want(id, amounts);
        });
        Map<ConnectPoint, Double> sums = sums();
        try {
            reserved.lower(sums);
            if (isToStop.getAsBoolean()) {
                return Outcome.POSTPONED;
            }
            Set<ConnectPoint> now = reserved.raise(Maps.filterKeys(sums, port -> !refusing.contains(port)));
            refusing.addAll(now);
            refused.addAll(now);
            return Outcome.DONE;
        } catch (RuntimeException e) {
            LOG.warn("ONOS did not change a reservation: {}; it is tried again", e.toString());
            return Outcome.INTERRUPTED;
        }
    }

    private void want(ConnectionId id, Map<ConnectPoint, Double> amounts) {
        Map<ConnectPoint, Double> whole = new HashMap<>();
        amounts.forEach((port, amount) -> {
            if (amount >= 1) {
                whole.put(port, Math.floor(amount));
            }
        });
        if (whole.isEmpty()) {
            wanted.remove(id);
        } else {
            wanted.put(id, whole);
        }
    }

    /**
     * Releases the reservations of connections, all together.
     *
     * @param ids the connections; unknown ones have no effect
     */
    public void release(Collection<ConnectionId> ids) {
        if (wanted.keySet().removeAll(Set.copyOf(ids))) {
            reserved.lower(sums());
        }
    }

    private Map<ConnectPoint, Double> sums() {
        Map<ConnectPoint, Double> sums = new HashMap<>();
        wanted.values().forEach(amounts -> amounts.forEach((port, amount) -> sums.merge(port, amount, Double::sum)));
        return sums;
    }

    /**
     * Releases on some ports what an earlier run of the application has reserved. Nothing happens on ports that are checked.
     *
     * @param egress the egress ports
     */
    public void clean(Collection<ConnectPoint> egress) {
        reserved.clean(egress);
    }

    /** Returns what is reserved for a connection, bit/s by egress port. */
    public Map<ConnectPoint, Double> held(ConnectionId id) {
        return ImmutableMap.copyOf(Maps.filterKeys(wanted.getOrDefault(id, ImmutableMap.of()), reserved.amounts()::containsKey));
    }

    /** Returns the reservations of all connections together, bit/s by egress port. */
    public Map<ConnectPoint, Double> total() {
        return ImmutableMap.copyOf(reserved.amounts());
    }

    /** Returns the connections with reservations. */
    public Collection<ConnectionId> holders() {
        return ImmutableSet.copyOf(wanted.keySet());
    }

    /**
     * Returns the reservations of other applications' intents, and releases ours that belong to no connection.
     *
     * @param egress the egress ports to check
     * @return bit/s by port; only ports with more than 0
     */
    public Map<ConnectPoint, Double> others(Iterable<ConnectPoint> egress) {
        return reserved.others(egress);
    }
}
