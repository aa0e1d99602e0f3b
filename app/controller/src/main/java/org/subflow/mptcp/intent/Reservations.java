// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.onlab.util.Bandwidth;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.ContinuousResource;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceConsumerId;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.ConnectionId;

/**
 * The reservations of connections in ONOS's {@link ResourceService}, on the egress port of each directed link.
 *
 * <p>Each connection has one reservation per port: the sum over its subflows that leave by the port. Its consumer is the
 * key of the connection's intent. Amounts are rounded down to whole bit/s, so that sums of doubles are exact and never
 * exceed a capacity. A change lowers amounts before it raises others. ONOS's {@code PathIntent}s reserve nothing
 * themselves.
 *
 * <p>Not thread-safe: only the thread that writes reservations uses it.
 */
public final class Reservations {
    private final ResourceService resources;
    private final Function<ConnectionId, Key> keys;
    private final Map<ConnectionId, Map<ConnectPoint, Double>> held = new HashMap<>();

    /**
     * Makes an empty set of reservations.
     *
     * @param resources ONOS's resource service; not null
     * @param keys      gives the consumer of each connection; not null
     */
    public Reservations(ResourceService resources, Function<ConnectionId, Key> keys) {
        this.resources = checkNotNull(resources, "resources");
        this.keys = checkNotNull(keys, "keys");
    }

    /**
     * Changes reservations to the requested amounts: first all decreases, then all increases.
     *
     * @param requested bit/s by connection and egress port; absent connections keep their reservations, and absent ports of a
     *               connection are released
     * @return the ports on which ONOS refused an increase; the old amount stays there if possible
     */
    public Set<ConnectPoint> apply(Map<ConnectionId, Map<ConnectPoint, Double>> requested) {
        requested.forEach((id, ports) -> change(id, ports, false));
        Set<ConnectPoint> refused = new HashSet<>();
        requested.forEach((id, ports) -> refused.addAll(change(id, ports, true)));
        return ImmutableSet.copyOf(refused);
    }

    /** Releases the reservations of a connection. */
    public void release(ConnectionId id) {
        held.remove(id);
        resources.release(keys.apply(id));
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
     * Returns the reservations of other applications' intents.
     *
     * @param ports the egress ports to check
     * @return bit/s by port; only ports with more than 0
     */
    public Map<ConnectPoint, Double> others(Iterable<ConnectPoint> ports) {
        Set<ResourceConsumerId> ours = new HashSet<>();
        held.keySet().forEach(id -> ours.add(keys.apply(id).consumerId()));
        Map<ConnectPoint, Double> others = new HashMap<>();
        for (ConnectPoint port : ports) {
            double amount = 0;
            for (ResourceAllocation allocation : resources.getResourceAllocations(bandwidth(port, 1).id())) {
                if (!ours.contains(allocation.consumerId())) {
                    amount += ((ContinuousResource) allocation.resource()).value();
                }
            }
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
        Key key = keys.apply(id);
        List<ResourceAllocation> old = new ArrayList<>();
        changes.keySet().forEach(port -> {
            Double amount = now.remove(port);
            if (amount != null) {
                old.add(new ResourceAllocation(bandwidth(port, amount), key));
            }
        });
        if (!old.isEmpty()) {
            resources.release(old);
        }
        Map<ConnectPoint, Double> requested = new HashMap<>(changes);
        requested.values().removeIf(amount -> amount <= 0);
        if (allocate(key, requested)) {
            now.putAll(requested);
            return ImmutableSet.of();
        }
        return allocateOneByOne(key, now, requested, old);
    }

    /** Allocates port by port after a refusal of all together, and restores the old amounts of refused ports. */
    private Set<ConnectPoint> allocateOneByOne(Key key, Map<ConnectPoint, Double> now,
                                               Map<ConnectPoint, Double> requested, List<ResourceAllocation> old) {
        Map<ConnectPoint, Double> before = new HashMap<>();
        old.forEach(allocation -> before.put(port(allocation), ((ContinuousResource) allocation.resource()).value()));
        Set<ConnectPoint> refused = new HashSet<>();
        requested.forEach((port, amount) -> {
            if (allocate(key, ImmutableMap.of(port, amount))) {
                now.put(port, amount);
                return;
            }
            refused.add(port);
            Double previous = before.get(port);
            if (previous != null && previous > 0 && allocate(key, ImmutableMap.of(port, previous))) {
                now.put(port, previous);
            }
        });
        return refused;
    }

    private boolean allocate(Key key, Map<ConnectPoint, Double> amounts) {
        if (amounts.isEmpty()) {
            return true;
        }
        List<Resource> request = new ArrayList<>();
        amounts.forEach((port, amount) -> request.add(bandwidth(port, amount)));
        return !resources.allocate(key, request).isEmpty();
    }

    private static Resource bandwidth(ConnectPoint port, double bps) {
        return Resources.continuous(port.deviceId(), port.port(), Bandwidth.class).resource(bps);
    }

    private static ConnectPoint port(ResourceAllocation allocation) {
        Resource resource = allocation.resource();
        DiscreteResource parent = resource.parent().get();
        return new ConnectPoint(parent.parent().get().valueAs(DeviceId.class).get(),
                                parent.valueAs(PortNumber.class).get());
    }
}
