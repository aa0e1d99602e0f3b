// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/** The capacity, reservations, traffic and users of every directed link. Any thread may ask. */
public final class LinkUsages {
    private final ConnectionStore store;
    private final NetworkView network;
    private final Supplier<Map<ConnectPoint, Double>> reserved;
    private final OtherTraffic others;

    /**
     * Makes the usages.
     *
     * @param reserved bandwidth that ONOS has reserved for all connections together, bit/s by egress port; not null
     */
    public LinkUsages(ConnectionStore store, NetworkView network, Supplier<Map<ConnectPoint, Double>> reserved,
                      OtherTraffic others) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.reserved = checkNotNull(reserved, "reserved");
        this.others = checkNotNull(others, "others");
    }

    /** Returns the usage of each directed link of the network. */
    public List<LinkUsage> now() {
        Map<Link, Integer> users = users();
        Map<ConnectPoint, Double> booked = reserved.get();
        NetworkSnapshot now = network.snapshot();
        List<LinkUsage> usages = new ArrayList<>();
        for (Link link : now.links()) {
            usages.add(new LinkUsage(link, now.attributes(link),
                                     booked.getOrDefault(NetworkSnapshot.egressPort(link), 0.0),
                                     network.measured(link), others.on(link), users.getOrDefault(link, 0)));
        }
        return usages;
    }

    /** Returns how many subflows have rules on each link. */
    private Map<Link, Integer> users() {
        Map<Link, Integer> users = new HashMap<>();
        store.live().stream()
                .flatMap(connection -> connection.subflows().stream())
                .forEach(subflow -> LinkLoad.forEachLink(subflow, (link, rate) -> users.merge(link, 1, Integer::sum)));
        return users;
    }
}
