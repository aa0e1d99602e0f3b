// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.onosproject.net.resource.DiscreteResourceId;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceConsumer;
import org.onosproject.net.resource.ResourceId;
import org.onosproject.net.resource.ResourceListener;
import org.onosproject.net.resource.ResourceService;

/**
 * ONOS's resource service for a node that has just begun to decide. The first answer after the loss of the storage nodes may be
 * lost, and ONOS waits 15 s for it. For half a minute, questions whose answers are late are given up, with an
 * IllegalStateException; whoever asked asks again. Later ONOS may take its time. Thread-safe.
 */
public final class ResourcesWithDeadline implements ResourceService {
    static final long BEGINNING_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** What a transaction takes on a busy machine, milliseconds; a hundredth of that elsewhere. */
    public static final long MOST_MILLIS = 3000;

    private final ResourceService resources;
    private final LongSupplier nanos;
    private final long begunNanos;
    private final AnswerDeadline deadline;

    /**
     * Makes it; the half minute begins.
     *
     * @param resources ONOS's; not null
     * @param nanos     a monotonic clock, nanoseconds; not null
     * @param millis    after so many milliseconds an answer is late
     */
    public ResourcesWithDeadline(ResourceService resources, LongSupplier nanos, long millis) {
        this.deadline = new AnswerDeadline(millis);
        this.resources = checkNotNull(resources, "resources");
        this.nanos = checkNotNull(nanos, "nanos");
        this.begunNanos = nanos.getAsLong();
    }

    private <T> T ask(Supplier<T> question) {
        return nanos.getAsLong() - begunNanos < BEGINNING_NANOS ? deadline.ask(question) : question.get();
    }

    @Override
    public List<ResourceAllocation> allocate(ResourceConsumer consumer, List<? extends Resource> wanted) {
        return ask(() -> resources.allocate(consumer, wanted));
    }

    @Override
    public boolean release(List<ResourceAllocation> allocations) {
        return ask(() -> resources.release(allocations));
    }

    @Override
    public boolean release(ResourceConsumer consumer) {
        return ask(() -> resources.release(consumer));
    }

    @Override
    public List<ResourceAllocation> getResourceAllocations(ResourceId id) {
        return ask(() -> resources.getResourceAllocations(id));
    }

    @Override
    public <T> Collection<ResourceAllocation> getResourceAllocations(DiscreteResourceId parent, Class<T> kind) {
        return ask(() -> resources.getResourceAllocations(parent, kind));
    }

    @Override
    public Collection<ResourceAllocation> getResourceAllocations(ResourceConsumer consumer) {
        return ask(() -> resources.getResourceAllocations(consumer));
    }

    @Override
    public Set<Resource> getAvailableResources(DiscreteResourceId parent) {
        return ask(() -> resources.getAvailableResources(parent));
    }

    @Override
    public <T> Set<Resource> getAvailableResources(DiscreteResourceId parent, Class<T> kind) {
        return ask(() -> resources.getAvailableResources(parent, kind));
    }

    @Override
    public <T> Set<T> getAvailableResourceValues(DiscreteResourceId parent, Class<T> kind) {
        return ask(() -> resources.getAvailableResourceValues(parent, kind));
    }

    @Override
    public Set<Resource> getRegisteredResources(DiscreteResourceId parent) {
        return ask(() -> resources.getRegisteredResources(parent));
    }

    @Override
    public boolean isAvailable(Resource resource) {
        return ask(() -> resources.isAvailable(resource));
    }

    @Override
    public void addListener(ResourceListener listener) {
        resources.addListener(listener);
    }

    @Override
    public void removeListener(ResourceListener listener) {
        resources.removeListener(listener);
    }
}
