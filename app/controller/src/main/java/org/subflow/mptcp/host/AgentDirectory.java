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
import java.util.function.Consumer;
import org.onlab.osgi.ServiceNotFoundException;
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
    private final Consumer<Agent> found;
    private volatile boolean isRead;

    /** Makes a directory; {@link #read} must follow. {@code found} gets each host that is stored. */
    AgentDirectory(AgentStore store, Consumer<Agent> found) {
        this.store = checkNotNull(store, "store");
        this.found = checkNotNull(found, "found");
    }

    /** Takes in the hosts that are stored, as soon as ONOS gives them out. */
    void read() {
        store.read(this::take);
    }

    private synchronized void take(Map<IpAddress, AgentRecord> stored) {
        stored.values().forEach(record -> enter(new Agent(record)));
        byHost.values().forEach(found);
        isRead = true;
    }

    /** Returns whether ONOS has given out the hosts that are stored. If it has not, this is not known to be empty. */
    boolean isRead() {
        return isRead;
    }

    /** Throws a {@link ServiceNotFoundException}, which is 503 in REST, if {@link #isRead} is false. */
    void checkRead() {
        if (!isRead) {
            throw new ServiceNotFoundException("ONOS's store has not yet said which hosts are registered for agents; try again");
        }
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

    synchronized Registration register(IpAddress host, Collection<IpAddress> further, boolean renew) {
        checkRead();
        Set<IpAddress> addresses = new LinkedHashSet<>();
        addresses.add(host);
        addresses.addAll(further);
        checkArgument(addresses.size() <= AgentRecord.MOST_ADDRESSES, "a host has at most %s addresses",
                      AgentRecord.MOST_ADDRESSES);
        Agent before = byHost.get(host);
        checkState(before == null || renew, "%s is registered; for a new token, send {\"renew\": true}", host);
        checkState(before != null || byHost.size() < MOST, "%s hosts are registered, and more cannot be", MOST);
        for (IpAddress address : addresses) {
            Agent other = byAddress.get(address);
            checkState(other == null || other == before, "%s is an address of the registered host %s", address,
                       other == null ? "" : other.host());
        }
        String token = AgentToken.generate();
        Agent agent = new Agent(new AgentRecord(AgentToken.hash(token), ImmutableList.copyOf(addresses)));
        stored(() -> store.put(host, agent.record));
        if (before != null) {
            leave(before);
        }
        enter(agent);
        return new Registration(token, agent, before);
    }

    /** Removes a host; returns its agent, null if it was not registered. */
    synchronized Agent remove(IpAddress host) {
        checkRead();
        Agent agent = byHost.get(host);
        if (agent != null) {
            stored(() -> store.remove(host));
            leave(agent);
        }
        return agent;
    }

    private static void stored(Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            throw new ServiceNotFoundException("ONOS's store did not take the change: " + e.getMessage() + "; try again");
        }
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
