// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.subflow.mptcp.wire.AgentForm;
import org.subflow.mptcp.wire.AgentRecord;

/**
 * The hosts with agents, by the address by which they are registered. Tokens are not in it, only their hashes. Reads and
 * writes happen in memory, and ONOS's map follows later. Thread-safe.
 */
public final class AgentStore {
    private static final String MAP_NAME = "onos-mptcp-agents";

    private final WriteBehind<IpAddress, AgentRecord> records;

    /**
     * Makes a store with the content of a map.
     *
     * @param kept keeps the records; not null
     * @param soon makes a trigger of the task that writes to the map
     */
    public AgentStore(Map<ImmutableByteSequence, ImmutableByteSequence> kept, UnaryOperator<Runnable> soon) {
        this.records = new WriteBehind<>(new StoredMap<>(kept, new AgentForm()), soon);
    }

    /**
     * Opens the store in ONOS, with the hosts that an earlier run of the application stored.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of the task that writes. If it fires several times while the task waits, the task runs
     *                once, always on the same thread
     * @param mayWrite called before each write; throws an exception if this node may not write; not null
     * @return the store
     */
    public static AgentStore open(StorageService storage, UnaryOperator<Runnable> soon, Runnable mayWrite) {
        return new AgentStore(StoredMap.open(storage, MAP_NAME, mayWrite), soon);
    }

    public void put(IpAddress host, AgentRecord record) {
        records.put(host, record);
    }

    public void remove(IpAddress host) {
        records.remove(host);
    }

    /** Returns a copy of all records by host. */
    public Map<IpAddress, AgentRecord> all() {
        return Map.copyOf(records.entries());
    }

    /** Returns how many stored entries of an earlier run could not be read, and were dropped. */
    public int dropped() {
        return records.dropped();
    }

    /** Removes everything from ONOS's map, for good. The task that writes must have ended; the store in memory stays. */
    public void clear() {
        records.clear();
    }
}
