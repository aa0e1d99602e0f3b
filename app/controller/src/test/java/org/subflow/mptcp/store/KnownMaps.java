// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.AsyncConsistentMap;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.ConsistentMapAdapter;
import org.onosproject.store.service.ConsistentMapBuilder;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageServiceAdapter;

/** ONOS's storage service in memory: it turns keys and values into bytes by the serializer that it is given. */
public final class KnownMaps extends StorageServiceAdapter {
    /** The maps by name, as bytes. */
    public final Map<String, Map<ImmutableByteSequence, ImmutableByteSequence>> maps = new HashMap<>();

    @Override
    public <K, V> ConsistentMapBuilder<K, V> consistentMapBuilder() {
        return new ConsistentMapBuilder<K, V>() {
            @Override
            public ConsistentMap<K, V> build() {
                Map<K, V> map = javaMap(name(), serializer());
                return new ConsistentMapAdapter<K, V>() {
                    @Override
                    public Map<K, V> asJavaMap() {
                        return map;
                    }
                };
            }

            @Override
            public AsyncConsistentMap<K, V> buildAsyncMap() {
                throw new UnsupportedOperationException();
            }
        };
    }

    /** The raw bytes are what the application's own serializer makes of them. */
    @SuppressWarnings("unchecked")
    private <K, V> Map<K, V> javaMap(String name, Serializer serializer) {
        ImmutableByteSequence any = ImmutableByteSequence.copyFrom(new byte[] {0, 7});
        assertEquals(any, serializer.decode(serializer.encode(any)));
        assertEquals(any, ImmutableByteSequence.copyFrom(serializer.encode(any)));
        return (Map<K, V>) maps.computeIfAbsent(name, unused -> new HashMap<>());
    }
}
