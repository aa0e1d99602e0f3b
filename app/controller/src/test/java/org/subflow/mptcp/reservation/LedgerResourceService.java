// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.resource.ContinuousResource;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.DiscreteResourceId;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceId;
import org.onosproject.net.resource.ResourceListener;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.store.service.StorageException;

/** A resource service in which every port has one capacity: all or nothing, exact entries, as ONOS's own behaves. */
public final class LedgerResourceService implements ResourceService, ResourceAdminService {
    private final double capacity;
    private final List<ResourceAllocation> allocations = new ArrayList<>();
    private double peak;
    private boolean registered = true;
    private int refusals;
    private int callsUntilTimeout = Integer.MAX_VALUE;
    private int timeouts;
    private boolean isDoneInTime;
    private boolean isSilent;
    private Runnable allocated = () -> { };
    /** What is entered one by one; only {@link #getRegisteredResources} tells of it. */
    private final Set<Resource> entered = new LinkedHashSet<>();

    public LedgerResourceService(double capacity) {
        this.capacity = capacity;
    }

    /** Whether the ports' bandwidth is in ONOS's resources; nothing is given away while it is not. */
    public void register(boolean now) {
        registered = now;
    }

    /**
     * Lets changes end with a time-out.
     *
     * @param calls    how many go well before
     * @param count    how many do not
     * @param isInTime whether they are done all the same
     */
    public void timeOut(int calls, int count, boolean isInTime) {
        callsUntilTimeout = calls;
        timeouts = count;
        isDoneInTime = isInTime;
    }

    /** Whether reading ends with a time-out from now on. */
    public void fallSilent(boolean now) {
        isSilent = now;
    }

    /** How many changes are still to end with a time-out. */
    public int timeouts() {
        return timeouts;
    }

    /** Lets something happen after each allocation. */
    public void whenAllocated(Runnable what) {
        allocated = what;
    }

    /** Drops what is allocated at a port, as ONOS does with a port that goes. */
    public void drop(ConnectPoint port) {
        allocations.removeIf(allocation -> port(allocation.resource()).equals(port));
    }

    private <T> T changed(Supplier<T> change) {
        boolean isInTime = callsUntilTimeout-- > 0 || timeouts-- <= 0;
        T answer = isInTime || isDoneInTime ? change.get() : null;
        if (isInTime) {
            return answer;
        }
        throw new StorageException.Timeout();
    }

    public double allocated(ConnectPoint port) {
        return allocations.stream().filter(allocation -> port(allocation.resource()).equals(port))
                .mapToDouble(allocation -> value(allocation.resource())).sum();
    }

    public int entries() {
        return allocations.size();
    }

    public int refusals() {
        return refusals;
    }

    public double peak() {
        return peak;
    }

    private static double value(Resource resource) {
        return ((ContinuousResource) resource).value();
    }

    private static ConnectPoint port(Resource resource) {
        DiscreteResource port = resource.parent().get();
        return new ConnectPoint(port.parent().get().valueAs(DeviceId.class).get(),
                                port.valueAs(PortNumber.class).get());
    }

    @Override
    public List<ResourceAllocation> allocate(ResourceConsumer consumer, List<? extends Resource> resources) {
        List<ResourceAllocation> allocations = changed(() -> allocateNow(consumer, resources));
        allocated.run();
        return allocations;
    }

    private List<ResourceAllocation> allocateNow(ResourceConsumer consumer, List<? extends Resource> resources) {
        for (Resource resource : resources) {
            if (!registered || allocated(port(resource)) + value(resource) > capacity) {
                refusals++;
                return List.of();
            }
        }
        List<ResourceAllocation> made = resources.stream()
                .map(resource -> new ResourceAllocation(resource, consumer)).collect(Collectors.toList());
        allocations.addAll(made);
        resources.forEach(resource -> peak = Math.max(peak, allocated(port(resource))));
        return made;
    }

    @Override
    public boolean release(List<ResourceAllocation> released) {
        return changed(() -> {
            boolean known = allocations.containsAll(released);
            if (known) {
                released.forEach(allocations::remove);
            }
            return known;
        });
    }

    @Override
    public boolean release(ResourceConsumer consumer) {
        allocations.removeIf(allocation -> allocation.consumerId().equals(consumer.consumerId()));
        return true;
    }

    @Override
    public void addListener(ResourceListener listener) {
        // Nothing happens by itself here.
    }

    @Override
    public void removeListener(ResourceListener listener) {
        // Nothing happens by itself here.
    }

    @Override
    public List<ResourceAllocation> getResourceAllocations(ResourceId id) {
        if (isSilent) {
            throw new StorageException.Timeout();
        }
        return allocations.stream().filter(allocation -> allocation.resource().id().equals(id))
                .collect(Collectors.toList());
    }

    @Override
    public <T> Collection<ResourceAllocation> getResourceAllocations(DiscreteResourceId parent, Class<T> cls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Collection<ResourceAllocation> getResourceAllocations(ResourceConsumer consumer) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Resource> getAvailableResources(DiscreteResourceId parent) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> Set<Resource> getAvailableResources(DiscreteResourceId parent, Class<T> cls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> Set<T> getAvailableResourceValues(DiscreteResourceId parent, Class<T> cls) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Resource> getRegisteredResources(DiscreteResourceId parent) {
        return entered.stream().filter(resource -> resource.parent().get().id().equals(parent)).collect(Collectors.toSet());
    }

    @Override
    public boolean register(List<? extends Resource> resources) {
        return entered.addAll(resources);
    }

    @Override
    public boolean unregister(List<? extends ResourceId> ids) {
        return ids.stream().allMatch(id -> getResourceAllocations(id).isEmpty())
                && entered.removeIf(resource -> ids.contains(resource.id()));
    }

    @Override
    public boolean isAvailable(Resource resource) {
        throw new UnsupportedOperationException();
    }
}
