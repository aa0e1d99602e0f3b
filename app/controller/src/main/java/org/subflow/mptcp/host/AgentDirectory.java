// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;
import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.store.AgentStore;
import org.subflow.mptcp.wire.AgentRecord;

/** The registered hosts, by each of their addresses. Thread-safe. */
final class AgentDirectory {
    /** Most registered hosts. */
    static final int MOST = 10_000;

    /** Compared with the token of a host that is not registered, so that this takes as long as for others. */
    private static final byte[] NOBODYS_HASH = new byte[AgentRecord.HASH_LENGTH];

    private final AgentStore store;
    private final Map<IpAddress, Agent> byHost = new ConcurrentHashMap<>();
    private final Map<IpAddress, Agent> byAddress = new ConcurrentHashMap<>();

    AgentDirectory(AgentStore store) {
        this.store = checkNotNull(store, "store");
        store.all().forEach((host, record) -> enter(new Agent(record)));
    }

    /** A host that has just been registered. */
    static final class Registration {
        final String token;
        final Agent agent;
        /** The agent that had the host before; null if there was none. */
        final Agent before;

        private Registration(String token, Agent agent, Agent before) {
            this.token = token;
            this.agent = agent;
            this.before = before;
        }
    }

    synchronized Registration register(IpAddress host, Collection<IpAddress> further) {
        Set<IpAddress> addresses = new LinkedHashSet<>();
        addresses.add(host);
        addresses.addAll(further);
        checkArgument(addresses.size() <= AgentRecord.MOST_ADDRESSES, "a host has at most %s addresses",
                      AgentRecord.MOST_ADDRESSES);
        Agent before = byHost.get(host);
        checkState(before != null || byHost.size() < MOST, "%s hosts are registered, and more cannot be", MOST);
        for (IpAddress address : addresses) {
            Agent other = byAddress.get(address);
            checkState(other == null || other == before, "%s is an address of the registered host %s", address,
                       other == null ? "" : other.host());
        }
        String token = AgentToken.generate();
        Agent agent = new Agent(new AgentRecord(AgentToken.hash(token), ImmutableList.copyOf(addresses)));
        if (before != null) {
            leave(before);
        }
        enter(agent);
        store.put(host, agent.record);
        return new Registration(token, agent, before);
    }

    /** Removes a host; returns its agent, null if it was not registered. */
    synchronized Agent remove(IpAddress host) {
        Agent agent = byHost.get(host);
        if (agent != null) {
            leave(agent);
            store.remove(host);
        }
        return agent;
    }

    private void enter(Agent agent) {
        byHost.put(agent.host(), agent);
        agent.record.addresses().forEach(address -> byAddress.put(address, agent));
    }

    private void leave(Agent agent) {
        byHost.remove(agent.host(), agent);
        agent.record.addresses().forEach(address -> byAddress.remove(address, agent));
    }

    /** Returns the agent of the host that is registered by this address if the token is its; empty otherwise. */
    Optional<Agent> withToken(IpAddress host, String token) {
        Agent agent = byHost.get(host);
        boolean isRight = AgentToken.matches(token, agent == null ? NOBODYS_HASH : agent.record.hash());
        return isRight && agent != null ? Optional.of(agent) : Optional.empty();
    }

    /** Returns the agent of the host that has this address; null if it is not registered. */
    Agent having(IpAddress address) {
        return byAddress.get(address);
    }

    Collection<Agent> all() {
        return byHost.values();
    }

    int size() {
        return byHost.size();
    }
}
