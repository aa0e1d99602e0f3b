// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.agent;

import java.util.Collection;
import java.util.List;
import org.onlab.packet.IpAddress;

/**
 * The hosts whose agents may report to the controller. An agent limits the rate of each subflow that its host sends to the
 * subflow's expected throughput. Thread-safe.
 */
public interface AgentService {
    /**
     * Returns the registered hosts, in the order of their addresses.
     *
     * @throws org.onlab.osgi.ServiceNotFoundException if ONOS's store has not yet said which these are
     */
    List<AgentStatus> agents();

    /**
     * Registers a host, or gives a registered one a new token and other addresses. It returns when ONOS has stored that.
     *
     * @param host    the address by which the host is known; not null
     * @param further its other addresses; not null
     * @param renew   whether a host that is registered gets a new token; the old one then holds no more
     * @return the token by which its agent logs in. Only its hash is kept, so nobody can ask for it again
     * @throws IllegalArgumentException if there are too many addresses
     * @throws IllegalStateException    if the host is registered and not to be renewed, if another registered host has one of the
     *                                  addresses, or if too many are registered
     * @throws org.onlab.osgi.ServiceNotFoundException if ONOS's store does not answer; nothing has changed for agents then
     */
    String register(IpAddress host, Collection<IpAddress> further, boolean renew);

    /**
     * Removes a host: its token is not valid any more. It returns when ONOS has stored that.
     *
     * @param host the address by which it was registered; not null
     * @return whether it was registered
     * @throws org.onlab.osgi.ServiceNotFoundException if ONOS's store does not answer; nothing has changed for agents then
     */
    boolean remove(IpAddress host);
}
