// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.onlab.util.Bandwidth;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.ResourceAdminService;
import org.onosproject.net.resource.ResourceService;
import org.onosproject.net.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Finishes what ONOS has left undone: it could not take a lost port out of its books of resources while bandwidth was reserved
 * there. If such an entry stayed, the port could not come back with another bandwidth. Used by the thread that writes
 * reservations only.
 */
public final class ResourceBooks {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceBooks.class);

    private final ResourceService resources;
    private final ResourceAdminService admin;
    private final NetworkView network;
    /** What was taken out, parents first, by port. */
    private final Map<ConnectPoint, List<Resource>> taken = new HashMap<>();

    /**
     * Makes it.
     *
     * @param resources what is entered in ONOS's books; not null
     * @param admin     changes that; not null
     * @param network   says which ports are up; not null
     */
    public ResourceBooks(ResourceService resources, ResourceAdminService admin, NetworkView network) {
        this.resources = checkNotNull(resources, "resources");
        this.admin = checkNotNull(admin, "admin");
        this.network = checkNotNull(network, "network");
    }

    /** Takes a port and all that belongs to it out of the books, if it is still there. Not one that is up or reserved. */
    void takeOut(ConnectPoint port) {
        if (network.isUp(port) || !isEntered(port) || isReserved(port)) {
            return;
        }
        List<Resource> entries = entries(port);
        List<Resource> leavesFirst = new ArrayList<>(entries);
        Collections.reverse(leavesFirst);
        if (admin.unregister(leavesFirst.stream().map(Resource::id).collect(Collectors.toList()))) {
            taken.put(port, entries);
            LOG.debug("Port {} is out of ONOS's books", port);
        }
    }

    /**
     * Enters ports again that have come back, unless ONOS has done so. It enters a port when it hears of it, which may have been
     * before {@link #takeOut}.
     */
    public void look() {
        for (ConnectPoint port : new ArrayList<>(taken.keySet())) {
            if (network.isUp(port)) {
                List<Resource> entries = taken.remove(port);
                if (!isEntered(port)) {
                    entries.forEach(admin::register);
                }
            }
        }
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
