// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A map in memory, which a {@link StoredMap} follows later on a thread of its own, because that is slow. Of several changes of
 * an entry only the newest is written. If a write fails, the others go on, and it is tried again with the next ones.
 * Thread-safe.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
final class WriteBehind<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehind.class);

    private final StoredMap<K, V> kept;
    private final Map<K, V> values;
    private final Set<K> unwritten = ConcurrentHashMap.newKeySet();
    private final Runnable writeSoon;

    /**
     * Makes a map with the content of a slow one.
     *
     * @param kept the slow map; not null
     * @param soon makes a trigger of the task that writes. If it fires several times while the task waits, the task runs
     *             once, always on the same thread
     */
    WriteBehind(StoredMap<K, V> kept, UnaryOperator<Runnable> soon) {
        this.kept = checkNotNull(kept, "kept");
        this.values = new ConcurrentHashMap<>(kept.read());
        this.writeSoon = soon.apply(this::write);
        if (kept.isUntidy()) {
            writeSoon.run();
        }
    }

    /** Returns the value of a key, null if there is none. */
    V get(K key) {
        return values.get(key);
    }

    /** Returns a view of the entries, which changes with them and must not be changed. */
    Map<K, V> entries() {
        return values;
    }

    /** Sets the value of a key; returns the last one, null if there was none. */
    V put(K key, V value) {
        V old = values.put(key, value);
        changed(key);
        return old;
    }

    /** Sets the value of a key in memory alone. The slow map gets it with the next other change of the entry. */
    void putInMemory(K key, V value) {
        values.put(key, value);
    }

    /** Removes a key; returns its value, null if there was none. */
    V remove(K key) {
        V old = values.remove(key);
        if (old != null) {
            changed(key);
        }
        return old;
    }

    /** Returns how many entries of the slow map could not be read. */
    int dropped() {
        return kept.dropped();
    }

    /** Returns whether ONOS gave out what was stored. */
    boolean isRead() {
        return kept.isRead();
    }

    /** Removes everything from the slow map. The task that writes must have ended. */
    void clear() {
        kept.clear();
    }

    private void changed(K key) {
        unwritten.add(key);
        writeSoon.run();
    }

    @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // a concurrent set
    private void write() {
        List<K> failed = new ArrayList<>();
        Throwable last = null;
        for (K key : unwritten) {
            unwritten.remove(key);
            try {
                write(key);
            } catch (RuntimeException | Error e) {
                failed.add(key);
                last = e;
            }
        }
        if (!failed.isEmpty()) {
            LOG.warn("ONOS's store did not take {} changes; they are tried again", failed.size(), last);
            unwritten.addAll(failed);
            writeSoon.run();
        } else if (kept.isUntidy()) {
            tidy();
        }
    }

    private void tidy() {
        try {
            kept.tidy();
        } catch (RuntimeException e) {
            LOG.warn("ONOS's store did not remove entries that are not used; the next write tries again", e);
        }
    }

    private void write(K key) {
        V newest = values.get(key);
        if (newest == null) {
            kept.remove(key);
        } else {
            kept.put(key, newest);
        }
    }
}
