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
    /** Returns the registered hosts, in the order of their addresses. */
    List<AgentStatus> agents();

    /**
     * Registers a host, or gives a registered one a new token and other addresses.
     *
     * @param host    the address by which the host is known; not null
     * @param further its other addresses; not null
     * @return the token by which its agent logs in. Only its hash is kept, so nobody can ask for it again
     * @throws IllegalArgumentException if there are too many addresses
     * @throws IllegalStateException    if another registered host has one of the addresses, or too many are registered
     */
    String register(IpAddress host, Collection<IpAddress> further);

    /**
     * Removes a host: its token is not valid any more.
     *
     * @param host the address by which it was registered; not null
     * @return whether it was registered
     */
    boolean remove(IpAddress host);
}
