// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import java.util.function.LongUnaryOperator;
import org.onosproject.store.serializers.KryoNamespaces;
import org.onosproject.store.service.ConsistentMap;
import org.onosproject.store.service.Serializer;
import org.onosproject.store.service.StorageService;
import org.onosproject.store.service.Versioned;

/** A number that only grows, in a map of ONOS: no clock and no node that decides later takes it back. Thread-safe. */
public final class GreatestNumber implements LongUnaryOperator {
    /** The greatest term of leadership that began. */
    public static final String TERM = "term";
    /** The greatest sequence number of MP_ET. */
    public static final String ANNOUNCED = "announced";

    private static final String MAP_NAME = "onos-mptcp-";

    private final String name;
    private final ConsistentMap<String, Long> map;

    /**
     * Opens the record.
     *
     * @param storage ONOS's storage service; not null
     * @param name    what is numbered; not null
     */
    public GreatestNumber(StorageService storage, String name) {
        this.name = name;
        map = storage.<String, Long>consistentMapBuilder()
                .withName(MAP_NAME + name)
                .withSerializer(Serializer.using(KryoNamespaces.API))
                .build();
    }

    /**
     * Stores a number if none that is as great is stored.
     *
     * @param number the number; 0 only asks
     * @return the stored number; 0 if there has been none
     * @throws RuntimeException if ONOS's store does not answer in time
     */
    @Override
    public long applyAsLong(long number) {
        Versioned<Long> stored = map.get(name);
        if (stored == null || stored.value() < number) {
            stored = map.computeIf(name, before -> before == null || before < number, (key, before) -> number);
        }
        return stored.value();
    }

    /** Removes the number. */
    public void clear() {
        map.clear();
    }
}
