// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionId;

/**
 * A map in ONOS that survives restarts, and other releases of the application: connections with a record each.
 *
 * <p>The map holds bytes. A key is a 0 and the connection's name; a value is a 0, the number of its form, and the record. Each
 * entry is read on its own. An entry of a form that this release does not know, or that is damaged, is dropped and counted,
 * and the others count. Used by one thread after another.
 *
 * <p>What ONOS's serializer (Kryo) wrote for releases before never begins with 0, and is dropped. Kryo writes into fields without
 * a look at their types. Bytes of a class that has changed since, or damaged ones, can end the Java process.
 *
 * @param <V> the kind of record
 */
final class StoredMap<V> {
    private static final Logger LOG = LoggerFactory.getLogger(StoredMap.class);
    private static final byte MARK = 0;

    private final Map<ImmutableByteSequence, ImmutableByteSequence> map;
    private final Form<V> form;
    private final Set<ImmutableByteSequence> unwanted = new HashSet<>();
    private int dropped;

    /**
     * Makes a stored map.
     *
     * @param map  ONOS's map, or a stand-in; not null
     * @param form the form of its records; not null
     */
    StoredMap(Map<ImmutableByteSequence, ImmutableByteSequence> map, Form<V> form) {
        this.map = checkNotNull(map, "map");
        this.form = checkNotNull(form, "form");
    }

    /** Opens a map of ONOS by its name. */
    static Map<ImmutableByteSequence, ImmutableByteSequence> open(StorageService storage, String name) {
        return storage.<ImmutableByteSequence, ImmutableByteSequence>consistentMapBuilder()
                .withName(name)
                .withSerializer(new RawSerializer())
                .build()
                .asJavaMap();
    }

    /**
     * Reads all entries. Those that cannot be read go with the next {@link #tidy}.
     *
     * @return the records by connection; empty if ONOS does not give the map out
     */
    Map<ConnectionId, V> read() {
        Map<ConnectionId, V> found = new HashMap<>();
        Map<ImmutableByteSequence, ImmutableByteSequence> entries = new LinkedHashMap<>();
        try {
            map.forEach(entries::put);
        } catch (RuntimeException e) {
            LOG.error("ONOS's store does not give out what was stored; beginning with nothing", e);
        }
        RuntimeException last = null;
        for (Map.Entry<ImmutableByteSequence, ImmutableByteSequence> entry : entries.entrySet()) {
            try {
                ConnectionId id = id(entry.getKey().asArray());
                found.put(id, decode(id, entry.getValue().asArray()));
            } catch (RuntimeException e) {
                unwanted.add(entry.getKey());
                dropped++;
                last = e;
            }
        }
        if (dropped > 0) {
            LOG.warn("{} of {} stored entries are of a form that this release does not know, or damaged; they are dropped. "
                             + "The last one: {}", dropped, entries.size(), String.valueOf(last));
        }
        return found;
    }

    private static ConnectionId id(byte[] key) {
        checkArgument(key.length > 0 && key[0] == MARK, "the key has no mark: an earlier release wrote it");
        return ConnectionId.of(new String(key, 1, key.length - 1, StandardCharsets.UTF_8));
    }

    private V decode(ConnectionId id, byte[] value) {
        ByteBuffer from = ByteBuffer.wrap(value);
        checkArgument(from.get() == MARK, "the record has no number");
        int number = from.get();
        checkArgument(number == form.number(), "form %s is not known", number);
        V read = form.read(id, from);
        checkArgument(!from.hasRemaining(), "%s bytes too many", from.remaining());
        return read;
    }

    /** Returns whether there are entries that {@link #tidy} would remove. */
    boolean isUntidy() {
        return !unwanted.isEmpty();
    }

    /** Returns how many entries {@link #read} dropped. */
    int dropped() {
        return dropped;
    }

    /** Removes the entries that could not be read. */
    void tidy() {
        for (ImmutableByteSequence key : List.copyOf(unwanted)) {
            map.remove(key);
            unwanted.remove(key);
        }
    }

    void put(ConnectionId id, V value) {
        RecordWriter to = new RecordWriter().number8(MARK).number8(form.number());
        form.write(value, to);
        ImmutableByteSequence key = key(id);
        map.put(key, ImmutableByteSequence.copyFrom(to.bytes()));
        unwanted.remove(key);
    }

    void remove(ConnectionId id) {
        map.remove(key(id));
    }

    /** Removes everything, also what could not be read. */
    void clear() {
        map.clear();
    }

    private static ImmutableByteSequence key(ConnectionId id) {
        byte[] name = id.value().getBytes(StandardCharsets.UTF_8);
        return ImmutableByteSequence.copyFrom(ByteBuffer.allocate(1 + name.length).put(MARK).put(name).array());
    }
}
