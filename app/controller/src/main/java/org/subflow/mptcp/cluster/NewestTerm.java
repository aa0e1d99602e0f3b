// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import java.util.function.LongUnaryOperator;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;

/** The greatest term of leadership that began, kept by the storage nodes. Thread-safe. */
public final class NewestTerm implements LongUnaryOperator {
    private static final String MAP_NAME = "onos-mptcp-term";
    private static final String KEY = "term";

    private final ConsistentMap<String, Long> map;

    /**
     * Opens the record.
     *
     * @param storage ONOS's storage service; not null
     */
    public NewestTerm(StorageService storage) {
        map = storage.<String, Long>consistentMapBuilder()
                .withName(MAP_NAME)
                .withSerializer(Serializer.using(KryoNamespaces.API))
                .build();
    }

    /**
     * Stores a term if none that is as great is stored.
     *
     * @param term the term; 0 only asks
     * @return the stored term; 0 if there has been none
     * @throws RuntimeException if the storage nodes do not answer in time
     */
    @Override
    public long applyAsLong(long term) {
        Versioned<Long> stored = map.get(KEY);
        if (stored == null || stored.value() < term) {
            stored = map.computeIf(KEY, before -> before == null || before < term, (key, before) -> term);
        }
        return stored.value();
    }
}
