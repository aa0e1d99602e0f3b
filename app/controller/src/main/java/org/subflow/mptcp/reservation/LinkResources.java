// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.util.Bandwidth;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.net.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Finishes what ONOS has left undone: it could not take a lost port out of its resources while bandwidth was reserved
 * there. If such an entry stayed, the port could not come back with another bandwidth. Nor does ONOS enter a port whose switch
 * gets another master just then. Used by the thread that writes reservations only.
 */
public final class LinkResources {
    private static final Logger LOG = LoggerFactory.getLogger(LinkResources.class);

    private final ResourceService resources;
    private final ResourceAdminService admin;
    private final NetworkView network;
    /** What was taken out, parents first, by port. */
    private final Map<ConnectPoint, List<Resource>> taken = new HashMap<>();
    /** The ports of links that were not entered at the last look: ONOS may be about to enter them. */
    private Set<ConnectPoint> missing = Set.of();

    public LinkResources(ResourceService resources, ResourceAdminService admin, NetworkView network) {
        this.resources = checkNotNull(resources, "resources");
        this.admin = checkNotNull(admin, "admin");
        this.network = checkNotNull(network, "network");
    }

    private void takeOut(ConnectPoint port) {
        if (network.isUp(port) || !isEntered(port) || isReserved(port)) {
            return;
        }
        List<Resource> entries = entries(port);
        List<Resource> leavesFirst = new ArrayList<>(entries);
        Collections.reverse(leavesFirst);
        if (admin.unregister(leavesFirst.stream().map(Resource::id).collect(Collectors.toList()))) {
            taken.put(port, entries);
            LOG.debug("Port {} is out of ONOS's resources", port);
        }
    }

    /**
     * Takes those of some ports that are down, and all that belongs to them, out of ONOS's resources, where they still are. Not one
     * that is reserved.
     *
     * @param vacated the ports where our last reservation has been released; not null
     */
    public void takeOut(Set<ConnectPoint> vacated) {
        vacated.forEach(this::takeOut);
    }

    /**
     * Enters ports again that have come back, unless ONOS has done so. It enters a port when it hears of it, which may have been
     * before {@link #takeOut}.
     *
     * @param isAnyRefused whether ONOS has refused bandwidth somewhere: then perhaps because it has never entered a port
     */
    public void look(boolean isAnyRefused) {
        enterBack();
        if (isAnyRefused) {
            enterMissing();
        }
    }

    private void enterBack() {
        for (ConnectPoint port : new ArrayList<>(taken.keySet())) {
            if (network.isUp(port)) {
                List<Resource> entries = taken.remove(port);
                if (!isEntered(port)) {
                    entries.forEach(admin::register);
                }
            }
        }
    }

    /** Enters the ports of links that ONOS has not entered, nor at the last call. */
    private void enterMissing() {
        NetworkSnapshot now = network.snapshot();
        Map<DeviceId, Set<Resource>> entered = new HashMap<>();
        Set<ConnectPoint> notThere = new HashSet<>();
        for (Link link : now.links()) {
            ConnectPoint port = NetworkSnapshot.egressPort(link);
            DeviceId device = port.deviceId();
            Set<Resource> ports = entered.computeIfAbsent(
                    device, id -> resources.getRegisteredResources(Resources.discrete(id).id()));
            if (now.capacity(link) <= 0 || taken.containsKey(port) || ports.contains(entry(port))) {
                continue;
            }
            if (!missing.contains(port)) {
                notThere.add(port);
                continue;
            }
            // The switch first; ONOS refuses that if it is there.
            admin.register(Resources.discrete(device).resource());
            admin.register(entry(port));
            admin.register(Resources.continuous(device, port.port(), Bandwidth.class).resource(now.capacity(link)));
            LOG.info("ONOS had not entered the bandwidth of {} in its resources; now it is", port);
        }
        missing = notThere;
    }

    private boolean isEntered(ConnectPoint port) {
        return resources.getRegisteredResources(Resources.discrete(port.deviceId()).id()).contains(entry(port));
    }

    private boolean isReserved(ConnectPoint port) {
        return !resources.getResourceAllocations(Resources.continuous(port.deviceId(), port.port(), Bandwidth.class).id()).isEmpty();
    }

    private static DiscreteResource entry(ConnectPoint port) {
        return Resources.discrete(port.deviceId(), port.port()).resource();
    }

    /** Returns a port's entry and all below it, parents first. */
    private List<Resource> entries(ConnectPoint port) {
        List<Resource> entries = new ArrayList<>(List.of(entry(port)));
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i) instanceof DiscreteResource) {
                entries.addAll(resources.getRegisteredResources(((DiscreteResource) entries.get(i)).id()));
            }
        }
        return entries;
    }
}
