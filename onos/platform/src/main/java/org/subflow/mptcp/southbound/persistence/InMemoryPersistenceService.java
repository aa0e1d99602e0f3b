// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.persistence;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.persistence.PersistenceService;
import org.onosproject.persistence.PersistentMapBuilder;
import org.onosproject.persistence.PersistentSetBuilder;
import org.onosproject.store.service.Serializer;
import org.osgi.service.component.annotations.Component;

/**
 * Maps and sets that last as long as the process. Asking twice for a name gives the same collection, as the service on
 * disk does. All collections are thread-safe and refuse null.
 */
@Component(immediate = true, service = PersistenceService.class)
public class InMemoryPersistenceService implements PersistenceService {

    private final Map<String, Map<?, ?>> maps = new ConcurrentHashMap<>();
    private final Map<String, Set<?>> sets = new ConcurrentHashMap<>();

    @Override
    public <K, V> PersistentMapBuilder<K, V> persistentMapBuilder() {
        return new MapBuilder<>();
    }

    @Override
    public <E> PersistentSetBuilder<E> persistentSetBuilder() {
        return new SetBuilder<>();
    }

    private final class MapBuilder<K, V> implements PersistentMapBuilder<K, V> {
        private String name;

        @Override
        public PersistentMapBuilder<K, V> withName(String newName) {
            name = newName;
            return this;
        }

        @Override
        public PersistentMapBuilder<K, V> withSerializer(Serializer serializer) {
            return this;
        }

        @Override
        @SuppressWarnings("unchecked") // a name is asked for with one pair of types only
        public Map<K, V> build() {
            requireNonNull(name, "a persistent map needs a name");
            return (Map<K, V>) maps.computeIfAbsent(name, key -> new ConcurrentHashMap<K, V>());
        }
    }

    private final class SetBuilder<E> implements PersistentSetBuilder<E> {
        private String name;

        @Override
        public PersistentSetBuilder<E> withName(String newName) {
            name = newName;
            return this;
        }

        @Override
        public PersistentSetBuilder<E> withSerializer(Serializer serializer) {
            return this;
        }

        @Override
        @SuppressWarnings("unchecked") // a name is asked for with one type only
        public Set<E> build() {
            requireNonNull(name, "a persistent set needs a name");
            return (Set<E>) sets.computeIfAbsent(name, key -> ConcurrentHashMap.newKeySet());
        }
    }
}
