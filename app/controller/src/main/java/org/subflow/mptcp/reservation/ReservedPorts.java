// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onlab.util.Bandwidth;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.ContinuousResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.net.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ONOS's {@link ResourceService} has reserved for the application: whole bit/s by egress port.
 *
 * <p>ONOS cannot change the amount of an allocation. So a change releases it and allocates the new amount, at all ports together.
 *
 * <p>ONOS keeps reservations over a restart, also those of connections that were never stored. So ports of which nothing is known are
 * cleaned before the first reservation there: what is ours goes. The same follows whenever ONOS's answer is not the expected one, or
 * none came in time. Then nobody knows what ONOS has.
 *
 * <p>Not thread-safe.
 */
final class ReservedPorts {
    private static final Logger LOG = LoggerFactory.getLogger(ReservedPorts.class);

    private final ResourceService resources;
    private final Runnable mayWrite;
    /** What ONOS has of ours, where that is known. */
    private final Map<ConnectPoint, Double> known = new HashMap<>();

    /** Makes it without a known port; {@code mayWrite} is called before each change, and throws if this node may not make it. */
    ReservedPorts(ResourceService resources, Runnable mayWrite) {
        this.resources = checkNotNull(resources, "resources");
        this.mayWrite = checkNotNull(mayWrite, "mayWrite");
    }

    /** Returns a view of what is reserved, as far as is known, bit/s by egress port, all more than 0. */
    Map<ConnectPoint, Double> amounts() {
        return Maps.filterValues(known, amount -> amount > 0);
    }

    /** Lowers what is more than these amounts, whole bit/s. Absent ports are released. */
    void lower(Map<ConnectPoint, Double> wanted) {
        clean(wanted.keySet());
        Map<ConnectPoint, Double> falls = new HashMap<>();
        amounts().forEach((port, amount) -> {
            double target = wanted.getOrDefault(port, 0.0);
            if (target < amount) {
                falls.put(port, target);
            }
        });
        replace(falls);
    }

    /**
     * Raises what is less than these amounts, whole bit/s.
     *
     * @return the ports where ONOS refused that; the old amount stays there if possible
     */
    Set<ConnectPoint> raise(Map<ConnectPoint, Double> wanted) {
        clean(wanted.keySet());
        return replace(new HashMap<>(Maps.filterEntries(wanted, entry -> entry.getValue() > known.get(entry.getKey()))));
    }

    private Set<ConnectPoint> replace(Map<ConnectPoint, Double> changes) {
        // Until ONOS has answered nobody knows: a time-out may have made the change.
        Map<ConnectPoint, Double> old = new HashMap<>(Maps.filterKeys(amounts(), changes::containsKey));
        known.keySet().removeAll(changes.keySet());
        if (!release(allocations(old))) {
            // ONOS has one of them not, or differently: a port that goes releases with it.
            old.keySet().forEach(this::check);
        }
        if (allocate(changes)) {
            known.putAll(changes);
            return Set.of();
        }
        return replaceOneByOne(changes, old);
    }

    /** Allocates port by port after a refusal of all together, and restores the old amounts of refused ports. */
    private Set<ConnectPoint> replaceOneByOne(Map<ConnectPoint, Double> changes, Map<ConnectPoint, Double> old) {
        Set<ConnectPoint> refused = new HashSet<>();
        changes.forEach((port, amount) -> {
            boolean isGiven = allocate(Map.of(port, amount));
            double before = old.getOrDefault(port, 0.0);
            if (!isGiven) {
                refused.add(port);
            }
            known.put(port, isGiven ? amount : allocate(Map.of(port, before)) ? before : 0);
        });
        return refused;
    }

    /** Releases what is ours on those of the ports of which nothing is known. */
    void clean(Collection<ConnectPoint> ports) {
        for (ConnectPoint port : ports) {
            if (!known.containsKey(port)) {
                check(port);
            }
        }
    }

    /** Releases what is ours and not known on all the ports; returns the bandwidth of others, bit/s, where it is not 0. */
    Map<ConnectPoint, Double> others(Iterable<ConnectPoint> ports) {
        Map<ConnectPoint, Double> others = new HashMap<>();
        for (ConnectPoint port : ports) {
            double amount = check(port);
            if (amount > 0) {
                others.put(port, amount);
            }
        }
        return others;
    }

    /** Releases what is ours on a port and not known; returns the bandwidth of others, bit/s. */
    private double check(ConnectPoint port) {
        double others = 0;
        double ours = 0;
        List<ResourceAllocation> leftovers = new ArrayList<>();
        for (ResourceAllocation allocation : resources.getResourceAllocations(of(port, 1).id())) {
            double amount = ((ContinuousResource) allocation.resource()).value();
            if (!ReservationHolder.isOurs(allocation.consumerId())) {
                others += amount;
            } else if (amount == known.getOrDefault(port, 0.0)) {
                ours = amount;
            } else {
                leftovers.add(allocation);
            }
        }
        known.remove(port);
        if (!leftovers.isEmpty()) {
            LOG.info("Releasing {} reservations of connections that are gone, at {}", leftovers.size(), port);
            if (!release(leftovers)) {
                leftovers.forEach(leftover -> release(List.of(leftover)));
            }
        }
        known.put(port, ours);
        return others;
    }

    /** Allocates bandwidth, bit/s by port, all or nothing; returns whether ONOS gave it. */
    private boolean allocate(Map<ConnectPoint, Double> amounts) {
        List<Resource> request = new ArrayList<>();
        Maps.filterValues(amounts, amount -> amount > 0).forEach((port, amount) -> request.add(of(port, amount)));
        if (request.isEmpty()) {
            return true;
        }
        mayWrite.run();
        return !resources.allocate(ReservationHolder.ONE, request).isEmpty();
    }

    /** Releases allocations, all or nothing; returns false if ONOS has one of them not or differently. */
    private boolean release(List<ResourceAllocation> allocations) {
        if (allocations.isEmpty()) {
            return true;
        }
        mayWrite.run();
        return resources.release(allocations);
    }

    private static List<ResourceAllocation> allocations(Map<ConnectPoint, Double> amounts) {
        List<ResourceAllocation> allocations = new ArrayList<>();
        amounts.forEach((port, amount) -> allocations.add(new ResourceAllocation(of(port, amount), ReservationHolder.ONE)));
        return allocations;
    }

    private static Resource of(ConnectPoint port, double bps) {
        return Resources.continuous(port.deviceId(), port.port(), Bandwidth.class).resource(bps);
    }
}
