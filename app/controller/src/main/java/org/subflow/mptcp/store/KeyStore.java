// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
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
 * <p>Only the control loop writes.
 */
public final class KeyStore {
    private static final String MAP_NAME = "onos-mptcp-keys";
    private static final int INITIATOR = 1;
    private static final int LISTENER = 2;

    // Each value has the version, flags of the known keys, the initiator's key and the listener's key. ONOS's own
    // serializer handles these types.
    private final Map<String, long[]> keys;
    private final LoopGuard guard;

    /**
     * Makes a store with what a map holds.
     *
     * @param keys  keeps the keys; not null
     * @param guard lets only the thread through that may change keys; not null
     */
    public KeyStore(Map<String, long[]> keys, LoopGuard guard) {
        this.keys = checkNotNull(keys, "keys");
        this.guard = checkNotNull(guard, "guard");
    }

    /** Opens the store in ONOS, with the keys that an earlier run of the application stored. */
    public static KeyStore open(StorageService storage, LoopGuard guard) {
        return new KeyStore(storage.<String, long[]>consistentMapBuilder()
                                    .withName(MAP_NAME)
                                    .withSerializer(Serializer.using(KryoNamespaces.API))
                                    .build()
                                    .asJavaMap(), guard);
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
        keys.keySet().stream()
                .filter(id -> !connections.contains(ConnectionId.of(id)))
                .collect(Collectors.toList())
                .forEach(keys::remove);
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
