// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ForwardingMap;
import java.util.Map;

/**
 * A map that only the node that decides may change: a former leader of a cluster must not overwrite what the next one stores.
 *
 * @param <K> the kind of key
 * @param <V> the kind of value
 */
final class FencedMap<K, V> extends ForwardingMap<K, V> {
    private final Map<K, V> map;
    private final Runnable mayWrite;

    FencedMap(Map<K, V> map, Runnable mayWrite) {
        this.map = checkNotNull(map, "map");
        this.mayWrite = checkNotNull(mayWrite, "mayWrite");
    }

    @Override
    protected Map<K, V> delegate() {
        return map;
    }

    @Override
    public V put(K key, V value) {
        mayWrite.run();
        return map.put(key, value);
    }

    @Override
    public V remove(Object key) {
        mayWrite.run();
        return map.remove(key);
    }

    @Override
    public void clear() {
        mayWrite.run();
        map.clear();
    }
}
