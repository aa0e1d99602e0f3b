// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.util.KryoNamespace;
import org.onosproject.persistence.PersistenceService;
import org.onosproject.store.service.Serializer;

/** The maps and sets that ONOS's stores keep here. */
class InMemoryPersistenceServiceTest {
    private static final Serializer SERIALIZER = Serializer.using(KryoNamespace.newBuilder().build());

    private final PersistenceService service = new InMemoryPersistenceService();

    @Test
    void aNameStandsForOneMap() {
        Map<String, Integer> map = map("leases");
        map.put("h1", 1);
        assertSame(map, map("leases"));
        assertEquals(Map.of("h1", 1), map("leases"));
        assertNotSame(map, map("other"));
        assertEquals(Map.of(), map("other"));
    }

    @Test
    void aNameStandsForOneSet() {
        Set<String> set = set("tombstones");
        set.add("h1");
        assertEquals(Set.of("h1"), set("tombstones"));
        assertEquals(Set.of(), set("other"));
    }

    @Test
    void aMapAndASetMayHaveOneName() {
        map("both").put("h1", 1);
        assertEquals(Set.of(), set("both"));
    }

    @Test
    void twoServicesShareNothing() {
        map("leases").put("h1", 1);
        assertEquals(Map.of(), new InMemoryPersistenceService().<String, Integer>persistentMapBuilder()
                .withName("leases").build());
    }

    @Test
    void withoutANameThereIsNothing() {
        assertThrows(NullPointerException.class, () -> service.persistentMapBuilder().build());
        assertThrows(NullPointerException.class, () -> service.persistentSetBuilder().build());
    }

    @Test
    void nullIsRefused() {
        assertThrows(NullPointerException.class, () -> map("leases").put(null, 1));
        assertThrows(NullPointerException.class, () -> map("leases").put("h1", null));
        assertThrows(NullPointerException.class, () -> set("tombstones").add(null));
    }

    private Map<String, Integer> map(String name) {
        return service.<String, Integer>persistentMapBuilder().withName(name).withSerializer(SERIALIZER).build();
    }

    private Set<String> set(String name) {
        return service.<String>persistentSetBuilder().withName(name).withSerializer(SERIALIZER).build();
    }
}
