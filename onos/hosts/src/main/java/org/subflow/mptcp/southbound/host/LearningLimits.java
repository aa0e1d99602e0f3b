// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;

/**
 * Limits to what packets make ONOS believe of hosts. Anybody can forge senders. A flood of them must neither fill the host
 * store nor take another host's addresses.
 */
final class LearningLimits {

    /** Most addresses that a host gets from plain IP packets: a router sends packets from addresses of the whole world. */
    static final int MOST_UNDECLARED_ADDRESSES = 16;

    /** Most hosts that a port gets from ARP and NDP: there may be a switch without OpenFlow behind it. */
    static final int MOST_DECLARED_HOSTS = 256;

    /** Most hosts that a port gets from plain IP packets: after a restart their neighbours still know them. */
    static final int MOST_UNDECLARED_HOSTS = 32;

    private LearningLimits() {
    }

    /** {@return whether a host not known yet is believed at a port that has some already} */
    static boolean mayAppear(Sighting sighting, int hostsAtPort) {
        return hostsAtPort < (sighting.declared() ? MOST_DECLARED_HOSTS : MOST_UNDECLARED_HOSTS);
    }

    /**
     * {@return the addresses of a sighting that are new to its host}
     *
     * @param known   the host's addresses so far
     * @param foreign whether another host has an address; then only a declaration is believed
     */
    static Set<IpAddress> news(Sighting sighting, Set<IpAddress> known, Predicate<IpAddress> foreign) {
        if (!sighting.declared() && known.size() >= MOST_UNDECLARED_ADDRESSES) {
            return Set.of();
        }
        return sighting.addresses().stream()
                .filter(address -> !known.contains(address))
                .filter(address -> sighting.declared() || !foreign.test(address))
                .collect(Collectors.toSet());
    }
}
