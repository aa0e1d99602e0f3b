// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import com.google.common.collect.ForwardingMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.store.AgentStore;
import org.subflow.mptcp.store.ConnectionStore;

/** Hosts' agents with a clock of the test's and a map in place of ONOS's. */
public final class AgentBench implements Decider, AgentSettings {
    public final Map<ImmutableByteSequence, ImmutableByteSequence> stored = new Stored();
    /** Whether ONOS's store answers. */
    public boolean storeAnswers = true;
    /** What is to be done with the store after a while. */
    public final List<Runnable> storeTasks = new ArrayList<>();
    public final Map<ConnectionId, AttainableRate> attainable = new HashMap<>();
    /** The tasks that wait; none if the test has a thread for them. */
    public final ManualLater later;
    private final Later tasks;
    public final HostAgents agents;
    private final ConnectionStore connections;
    private final LongSupplier clockMillis;
    /** How often something was there for the control loop. */
    public int news;
    /** Whether agents shall manage paths. */
    public boolean managesPaths = true;
    /** The time after which the next report is wanted, milliseconds. */
    public long reportMillis = Long.MAX_VALUE;
    /** How often a connection was looked at for an answer. */
    public int asked;

    /** Makes agents for the connections of a store. */
    public AgentBench(ConnectionStore connections, LongSupplier clockMillis) {
        this(connections, clockMillis, new ManualLater(clockMillis));
    }

    /** Does the same with tasks that run by themselves. */
    public AgentBench(ConnectionStore connections, LongSupplier clockMillis, Later tasks) {
        this.connections = connections;
        this.clockMillis = clockMillis;
        this.tasks = tasks;
        this.later = tasks instanceof ManualLater ? (ManualLater) tasks : new ManualLater(clockMillis);
        this.agents = restarted();
    }

    /** Makes agents as a restart of the application does: only what is stored is known. */
    public HostAgents restarted() {
        return new HostAgents(new AgentStore(stored, task -> () -> storeTasks.add(task)), connections, this, this, tuple -> true, tasks, clockMillis);
    }

    /** ONOS's map, which may not answer. */
    private final class Stored extends ForwardingMap<ImmutableByteSequence, ImmutableByteSequence> {
        private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();

        @Override
        protected Map<ImmutableByteSequence, ImmutableByteSequence> delegate() {
            if (!storeAnswers) {
                throw new StorageException.Timeout();
            }
            return map;
        }
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        asked++;
        return attainable.getOrDefault(id, AttainableRate.NONE);
    }

    @Override
    public void reported() {
        news++;
    }

    @Override
    public boolean managesPaths() {
        return managesPaths;
    }

    @Override
    public long reportMillis() {
        return reportMillis;
    }
}
