// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.ResourceAllocation;

/**
 * What ONOS has reserved for the application: whole bit/s by egress port. Not thread-safe.
 *
 * <p>ONOS cannot change the amount of an allocation. So a change releases it and allocates the new amount.
 */
final class Reservation {
    private final PortBandwidth bandwidth;
    private final CheckedPorts ports;
    private final Map<ConnectPoint, Double> amounts = new HashMap<>();

    /** Makes a reservation of nothing. */
    Reservation(PortBandwidth bandwidth, CheckedPorts ports) {
        this.bandwidth = bandwidth;
        this.ports = ports;
    }

    /** Returns a view of what ONOS has, bit/s by egress port, all more than 0. */
    Map<ConnectPoint, Double> amounts() {
        return Collections.unmodifiableMap(amounts);
    }

    /** Gives up what is reserved at some ports, and returns the allocations that have to be released there. */
    List<ResourceAllocation> giveUp(Set<ConnectPoint> lost) {
        Map<ConnectPoint, Double> here = new HashMap<>(amounts);
        here.keySet().retainAll(lost);
        amounts.keySet().removeAll(lost);
        return PortBandwidth.allocations(here);
    }

    /** Gives up what is known. ONOS's allocations here and at the other ports are compared before the next change. */
    void forget(Set<ConnectPoint> others) {
        ports.distrust(Sets.union(amounts.keySet(), others));
        amounts.clear();
    }

    /**
     * Lowers amounts that are more than the requested ones, bit/s. Absent ports are released.
     *
     * @return the ports where ONOS refused the lower amount; empty as a rule
     */
    Set<ConnectPoint> lower(Map<ConnectPoint, Double> requested) {
        ports.clean(requested.keySet());
        Map<ConnectPoint, Double> falls = new HashMap<>();
        amounts.forEach((port, amount) -> {
            double target = Math.floor(requested.getOrDefault(port, 0.0));
            if (target < amount) {
                falls.put(port, target);
            }
        });
        return replace(falls);
    }

    /**
     * Raises amounts that are less than the requested ones, bit/s.
     *
     * @return the ports where ONOS refused that; the old amount stays there if possible
     */
    Set<ConnectPoint> raise(Map<ConnectPoint, Double> requested) {
        ports.clean(requested.keySet());
        Map<ConnectPoint, Double> rises = new HashMap<>();
        requested.forEach((port, amount) -> {
            double target = Math.floor(amount);
            if (target > amounts.getOrDefault(port, 0.0)) {
                rises.put(port, target);
            }
        });
        return replace(rises);
    }

    private Set<ConnectPoint> replace(Map<ConnectPoint, Double> changes) {
        Map<ConnectPoint, Double> old = new LinkedHashMap<>();
        changes.keySet().forEach(port -> {
            Double amount = amounts.remove(port);
            if (amount != null) {
                old.put(port, amount);
            }
        });
        ports.release(PortBandwidth.allocations(old), old.keySet());
        Map<ConnectPoint, Double> requested = new HashMap<>(changes);
        requested.values().removeIf(amount -> amount <= 0);
        if (bandwidth.allocate(requested)) {
            amounts.putAll(requested);
            return ImmutableSet.of();
        }
        return allocateOneByOne(requested, old);
    }

    /** Allocates port by port after a refusal of all together, and restores the old amounts of refused ports. */
    private Set<ConnectPoint> allocateOneByOne(Map<ConnectPoint, Double> requested, Map<ConnectPoint, Double> old) {
        Set<ConnectPoint> refused = new HashSet<>();
        requested.forEach((port, amount) -> {
            if (bandwidth.allocate(ImmutableMap.of(port, amount))) {
                amounts.put(port, amount);
                return;
            }
            refused.add(port);
            Double previous = old.get(port);
            if (previous != null && previous > 0 && bandwidth.allocate(ImmutableMap.of(port, previous))) {
                amounts.put(port, previous);
            }
        });
        return refused;
    }
}
