// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.wire.KeysForm;

/**
 * The hosts' keys by connection. They let the application attribute and check MP_JOINs also after a restart. Keys are
 * secrets of the hosts: no command and no REST call shows them.
 *
 * <p>Reads and writes happen in memory. ONOS's map follows later, because a write can take as long as its time-out, 15 s. Only
 * the control loop writes; any thread reads.
 */
public final class KeyStore {
    private static final String MAP_NAME = "onos-mptcp-keys";

    private final WriteBehind<ConnectionId, ConnectionKeys> keys;
    private final LoopGuard guard;

    /**
     * Makes a store with the content of a map.
     *
     * @param kept  keeps the keys; not null
     * @param soon  makes a trigger of the task that writes to the map
     * @param guard lets only the thread through that may change keys; not null
     */
    public KeyStore(Map<ImmutableByteSequence, ImmutableByteSequence> kept, UnaryOperator<Runnable> soon, LoopGuard guard) {
        this.keys = new WriteBehind<>(new StoredMap<>(kept, new KeysForm()), soon);
        this.guard = checkNotNull(guard, "guard");
    }

    /**
     * Opens the store in ONOS, with the keys that an earlier run of the application stored.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of the task that writes. If it fires several times while the task waits, the task runs
     *                once, always on the same thread
     * @param guard   lets only the thread through that may change keys; not null
     * @param mayWrite gives the term in which this node writes, 0 on a single node; throws an exception if it may not; not null
     * @return the store
     */
    public static KeyStore open(StorageService storage, UnaryOperator<Runnable> soon, LoopGuard guard, LongSupplier mayWrite) {
        return new KeyStore(StoredMap.open(storage, MAP_NAME, mayWrite), soon, guard);
    }

    public void put(ConnectionId id, ConnectionKeys known) {
        guard.check();
        keys.put(id, known);
    }

    public void remove(ConnectionId id) {
        guard.check();
        keys.remove(id);
    }

    /**
     * Forgets the keys of all other connections. Such keys remain if ONOS crashes after it writes them and before it writes
     * their connection.
     */
    public void retain(Set<ConnectionId> connections) {
        for (ConnectionId id : List.copyOf(keys.entries().keySet())) {
            if (!connections.contains(id)) {
                keys.remove(id);
            }
        }
    }

    public Optional<ConnectionKeys> get(ConnectionId id) {
        return Optional.ofNullable(keys.get(id));
    }

    /** Returns how many stored entries of an earlier run could not be read, and were dropped. */
    public int dropped() {
        return keys.dropped();
    }

    /** Returns whether ONOS gave out what was stored; if not, this began with nothing. */
    public boolean isRead() {
        return keys.isRead();
    }

    /** Removes everything from ONOS's map, for good. The task that writes must have ended; the store in memory stays. */
    public void clear() {
        keys.clear();
    }
}
