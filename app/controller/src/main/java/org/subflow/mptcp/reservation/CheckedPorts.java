// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.ResourceAllocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports where ONOS has of ours exactly what our books say.
 *
 * <p>ONOS keeps reservations over a restart, also those of connections that were never stored. So ports that have not been
 * checked are cleaned before the first reservation there: what is ours and not in our books goes. The same follows whenever
 * ONOS's answer is not the expected one, or none came in time. Then nobody knows what ONOS has.
 *
 * <p>Not thread-safe.
 */
final class CheckedPorts {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedPorts.class);

    private final PortBandwidth bandwidth;
    private final Supplier<Map<ConnectPoint, Double>> books;
    private final Set<ConnectPoint> checked = new HashSet<>();

    /**
     * Makes a set without checked ports.
     *
     * @param bandwidth reservations in ONOS; not null
     * @param books     gives what we have reserved: bit/s by egress port; not null
     */
    CheckedPorts(PortBandwidth bandwidth, Supplier<Map<ConnectPoint, Double>> books) {
        this.bandwidth = bandwidth;
        this.books = books;
    }

    /** Notes that nobody knows what ONOS has on these ports. */
    void distrust(Set<ConnectPoint> ports) {
        checked.removeAll(ports);
    }

    /** Releases allocations that are in the books no more; if ONOS has something else on their ports, all of ours there. */
    void release(List<ResourceAllocation> allocations, Set<ConnectPoint> ports) {
        // Until ONOS has answered nobody knows: a port that has gone releases with it, and a time-out may have released.
        boolean isKnown = checked.containsAll(ports);
        checked.removeAll(ports);
        if (bandwidth.release(allocations) && isKnown) {
            checked.addAll(ports);
        } else {
            clean(ports);
        }
    }

    /** Releases what is ours and not in the books, on those of the ports that are not checked. */
    void clean(Collection<ConnectPoint> ports) {
        for (ConnectPoint port : ports) {
            if (!checked.contains(port)) {
                check(port, books.get());
            }
        }
    }

    /** Releases what is ours and not in the books on all the ports; returns the bandwidth of others, bit/s, where it is not 0. */
    Map<ConnectPoint, Double> others(Iterable<ConnectPoint> ports) {
        Map<ConnectPoint, Double> known = books.get();
        Map<ConnectPoint, Double> others = new HashMap<>();
        for (ConnectPoint port : ports) {
            double amount = check(port, known);
            if (amount > 0) {
                others.put(port, amount);
            }
        }
        return others;
    }

    /** Releases what is ours on a port and not in the books; returns the bandwidth of others, bit/s. */
    private double check(ConnectPoint port, Map<ConnectPoint, Double> known) {
        double others = 0;
        List<ResourceAllocation> leftovers = new ArrayList<>();
        for (ResourceAllocation allocation : bandwidth.on(port)) {
            double amount = PortBandwidth.value(allocation);
            if (!ReservationHolder.isOurs(allocation.consumerId())) {
                others += amount;
            } else if (!allocation.consumerId().equals(ReservationHolder.ONE.consumerId())
                    || known.getOrDefault(port, 0.0) != amount) {
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
}
