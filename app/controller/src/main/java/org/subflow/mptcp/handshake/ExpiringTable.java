// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.subflow.mptcp.api.FiveTuple;

/**
 * A map with a bound on size and age that forgets its oldest entry first. For one thread at a time.
 *
 * @param <V> what is kept for a five-tuple
 */
public final class ExpiringTable<V> {
    private final int capacity;
    private final long nanos;
    private final Map<FiveTuple, Entry<V>> entries = new LinkedHashMap<>();

    private static final class Entry<V> {
        private final V value;
        private final long since;

        private Entry(V value, long since) {
            this.value = value;
            this.since = since;
        }
    }

    /**
     * Makes an empty table.
     *
     * @param capacity limit of entries
     * @param nanos    the age at which an entry is too old, nanoseconds
     */
    public ExpiringTable(int capacity, long nanos) {
        this.capacity = capacity;
        this.nanos = nanos;
    }

    /** Returns the number of entries, too old ones included. */
    public int size() {
        return entries.size();
    }

    /** Returns the value of an entry; empty if there is none. */
    public Optional<V> get(FiveTuple key) {
        Entry<V> entry = entries.get(key);
        return entry == null ? Optional.empty() : Optional.of(entry.value);
    }

    /** Takes an entry out; empty if there is none. */
    public Optional<V> take(FiveTuple key) {
        Optional<V> taken = get(key);
        entries.remove(key);
        return taken;
    }

    /** Puts an entry, as the youngest. */
    public void put(FiveTuple key, V value, long now) {
        entries.remove(key);
        if (entries.size() >= capacity) {
            Iterator<FiveTuple> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        entries.put(key, new Entry<>(value, now));
    }

    /** Removes an entry; without effect if there is none. */
    public void remove(FiveTuple key) {
        entries.remove(key);
    }

    /** Returns how many entries are such. */
    public long count(Predicate<V> isSuch) {
        return entries.values().stream().filter(entry -> isSuch.test(entry.value)).count();
    }

    /** Shows each entry, oldest first. */
    void forEach(BiConsumer<FiveTuple, V> look) {
        entries.forEach((key, entry) -> look.accept(key, entry.value));
    }

    /** Forgets what is too old. */
    public void expire(long now) {
        Iterator<Entry<V>> oldest = entries.values().iterator();
        while (oldest.hasNext() && now - oldest.next().since >= nanos) {
            oldest.remove();
        }
    }
}
