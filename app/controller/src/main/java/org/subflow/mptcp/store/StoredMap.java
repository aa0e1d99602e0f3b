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
import java.util.function.LongSupplier;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.wire.Form;
import org.subflow.mptcp.wire.RecordWriter;

/**
 * A map in ONOS that survives restarts, and other releases of the application: keys with a record each.
 *
 * <p>The map holds bytes. A key is a 0 and the key's text; a value is a 0, the number of its form, and the record. Each
 * entry is read on its own. An entry of a form that this release does not know, or that is damaged, is dropped and counted,
 * and the others count. Used by one thread after another.
 *
 * <p>What ONOS's serializer (Kryo) wrote for releases before never begins with 0, and is dropped. Kryo writes into fields without
 * a look at their types. Bytes of a class that has changed since, or damaged ones, can end the Java process.
 *
 * @param <K> the kind of key
 * @param <V> the kind of record
 */
public final class StoredMap<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(StoredMap.class);
    private static final byte MARK = 0;

    private final Map<ImmutableByteSequence, ImmutableByteSequence> map;
    private final Form<K, V> form;
    private final Set<ImmutableByteSequence> unwanted = new HashSet<>();
    private int dropped;
    private boolean isRead = true;

    /**
     * Makes a stored map.
     *
     * @param map  ONOS's map, or a stand-in; not null
     * @param form the form of its records; not null
     */
    StoredMap(Map<ImmutableByteSequence, ImmutableByteSequence> map, Form<K, V> form) {
        this.map = checkNotNull(map, "map");
        this.form = checkNotNull(form, "form");
    }

    /**
     * Opens a map of ONOS by its name.
     *
     * @param mayWrite gives the term in which this node writes, 0 on a single node; throws an exception if it may not
     */
    static Map<ImmutableByteSequence, ImmutableByteSequence> open(StorageService storage, String name, LongSupplier mayWrite) {
        return new FencedMap(storage.<ImmutableByteSequence, ImmutableByteSequence>consistentMapBuilder()
                .withName(name)
                .withSerializer(new RawSerializer())
                .build(), mayWrite);
    }

    /**
     * Reads all entries. Those that cannot be read go with the next {@link #tidy}.
     *
     * @return the records by key; empty if ONOS does not give the map out
     */
    Map<K, V> read() {
        try {
            return readOrFail();
        } catch (RuntimeException e) {
            isRead = false;
            LOG.error("ONOS's store does not give out what was stored; beginning with nothing", e);
            return new HashMap<>();
        }
    }

    /** Does the same, but throws what ONOS throws if it does not give the map out. */
    Map<K, V> readOrFail() {
        Map<K, V> found = new HashMap<>();
        Map<ImmutableByteSequence, ImmutableByteSequence> entries = new LinkedHashMap<>();
        map.forEach(entries::put);
        RuntimeException last = null;
        for (Map.Entry<ImmutableByteSequence, ImmutableByteSequence> entry : entries.entrySet()) {
            try {
                K key = key(entry.getKey().asArray());
                found.put(key, decode(key, entry.getValue().asArray()));
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

    private K key(byte[] bytes) {
        checkArgument(bytes.length > 0 && bytes[0] == MARK, "the key has no mark: an earlier release wrote it");
        return form.key(new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8));
    }

    private V decode(K key, byte[] value) {
        ByteBuffer from = ByteBuffer.wrap(value);
        checkArgument(from.get() == MARK, "the record has no number");
        int number = from.get();
        V read = number == form.number() ? form.read(key, from) : form.readOlder((byte) number, key, from);
        checkArgument(!from.hasRemaining(), "%s bytes too many", from.remaining());
        return read;
    }

    /** Returns whether there are entries that {@link #tidy} would remove. */
    boolean isUntidy() {
        return !unwanted.isEmpty();
    }

    /** Returns whether ONOS gave the map out. */
    boolean isRead() {
        return isRead;
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

    void put(K of, V value) {
        RecordWriter to = new RecordWriter().number8(MARK).number8(form.number());
        form.write(value, to);
        ImmutableByteSequence key = bytes(of);
        map.put(key, ImmutableByteSequence.copyFrom(to.bytes()));
        unwanted.remove(key);
    }

    void remove(K key) {
        map.remove(bytes(key));
    }

    /** Removes everything, also what could not be read. */
    void clear() {
        map.clear();
    }

    private ImmutableByteSequence bytes(K key) {
        byte[] text = form.text(key).getBytes(StandardCharsets.UTF_8);
        return ImmutableByteSequence.copyFrom(ByteBuffer.allocate(1 + text.length).put(MARK).put(text).array());
    }
}
