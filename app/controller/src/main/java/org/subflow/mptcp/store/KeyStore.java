// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.detect.ConnectionKeys;
import org.subflow.mptcp.detect.option.MptcpVersion;
import org.subflow.mptcp.loop.LoopGuard;

/**
 * The hosts' keys by connection. They let the application attribute and check MP_JOINs also after a restart. Keys are
 * secrets of the hosts: no command and no REST call shows them.
 *
 * <p>Reads and writes happen in memory. ONOS's map follows later, because a write can take as long as its time-out, 15 s. Only
 * the control loop writes; any thread reads.
 */
public final class KeyStore {
    private static final String MAP_NAME = "onos-mptcp-keys";
    private static final int INITIATOR = 1;
    private static final int LISTENER = 2;

    // Each value has the version, flags of the known keys, the initiator's key and the listener's key. ONOS's own
    // serializer handles these types.
    private final WriteBehind<String, long[]> keys;
    private final LoopGuard guard;

    /**
     * Makes a store with the content of a map.
     *
     * @param kept  keeps the keys; not null
     * @param soon  makes a trigger of the task that writes to the map
     * @param guard lets only the thread through that may change keys; not null
     */
    public KeyStore(Map<String, long[]> kept, UnaryOperator<Runnable> soon, LoopGuard guard) {
        this.keys = new WriteBehind<>(kept, soon);
        this.guard = checkNotNull(guard, "guard");
    }

    /**
     * Opens the store in ONOS, with the keys that an earlier run of the application stored.
     *
     * @param storage ONOS's storage service; not null
     * @param soon    makes a trigger of the task that writes. If it fires several times while the task waits, the task runs
     *                once, always on the same thread
     * @param guard   lets only the thread through that may change keys; not null
     * @return the store
     */
    public static KeyStore open(StorageService storage, UnaryOperator<Runnable> soon, LoopGuard guard) {
        return new KeyStore(storage.<String, long[]>consistentMapBuilder()
                                    .withName(MAP_NAME)
                                    .withSerializer(Serializer.using(KryoNamespaces.API))
                                    .build()
                                    .asJavaMap(), soon, guard);
    }

    public void put(ConnectionId id, ConnectionKeys known) {
        guard.check();
        int flags = (known.initiatorKey().isPresent() ? INITIATOR : 0)
                | (known.listenerKey().isPresent() ? LISTENER : 0);
        keys.put(id.value(), new long[] {known.version().number(), flags,
            known.initiatorKey().orElse(0), known.listenerKey().orElse(0)});
    }

    public void remove(ConnectionId id) {
        guard.check();
        keys.remove(id.value());
    }

    /**
     * Forgets the keys of all other connections. Such keys remain if ONOS crashes after it writes them and before it writes
     * their connection.
     */
    public void retain(Set<ConnectionId> connections) {
        for (String id : List.copyOf(keys.entries().keySet())) {
            if (!connections.contains(ConnectionId.of(id))) {
                keys.remove(id);
            }
        }
    }

    public Optional<ConnectionKeys> get(ConnectionId id) {
        long[] stored = keys.get(id.value());
        return stored == null ? Optional.empty() : MptcpVersion.of((int) stored[0]).map(version ->
                ConnectionKeys.of(version, known(stored, INITIATOR, 2), known(stored, LISTENER, 3)));
    }

    private static OptionalLong known(long[] stored, int flag, int index) {
        return (stored[1] & flag) == 0 ? OptionalLong.empty() : OptionalLong.of(stored[index]);
    }
}
