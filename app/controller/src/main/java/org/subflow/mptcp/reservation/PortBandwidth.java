// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.onlab.util.Bandwidth;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.ContinuousResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAllocation;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.net.resource.Resources;

/** The bandwidth of egress ports in ONOS's {@link ResourceService}. */
final class PortBandwidth {
    private final ResourceService resources;
    private final Runnable mayWrite;

    /** Makes it; {@code mayWrite} is called before each change, and throws an exception if this node may not make it. */
    PortBandwidth(ResourceService resources, Runnable mayWrite) {
        this.resources = checkNotNull(resources, "resources");
        this.mayWrite = checkNotNull(mayWrite, "mayWrite");
    }

    /** Allocates bandwidth, bit/s by port, all or nothing; returns whether ONOS gave it. */
    boolean allocate(Map<ConnectPoint, Double> amounts) {
        if (amounts.isEmpty()) {
            return true;
        }
        mayWrite.run();
        List<Resource> request = new ArrayList<>();
        amounts.forEach((port, amount) -> request.add(of(port, amount)));
        return !resources.allocate(ReservationHolder.ONE, request).isEmpty();
    }

    /** Returns amounts, bit/s by port, as ONOS's allocations. */
    static List<ResourceAllocation> allocations(Map<ConnectPoint, Double> amounts) {
        List<ResourceAllocation> allocations = new ArrayList<>();
        amounts.forEach((port, amount) -> allocations.add(new ResourceAllocation(of(port, amount), ReservationHolder.ONE)));
        return allocations;
    }

    /** Returns all allocations on a port. */
    Collection<ResourceAllocation> on(ConnectPoint port) {
        return resources.getResourceAllocations(of(port, 1).id());
    }

    /** Releases allocations, all or nothing; returns false if ONOS has one of them not or differently. */
    boolean release(List<ResourceAllocation> allocations) {
        if (allocations.isEmpty()) {
            return true;
        }
        mayWrite.run();
        return resources.release(allocations);
    }

    /** Returns the bandwidth of an allocation, bit/s. */
    static double value(ResourceAllocation allocation) {
        return ((ContinuousResource) allocation.resource()).value();
    }

    private static Resource of(ConnectPoint port, double bps) {
        return Resources.continuous(port.deviceId(), port.port(), Bandwidth.class).resource(bps);
    }
}
