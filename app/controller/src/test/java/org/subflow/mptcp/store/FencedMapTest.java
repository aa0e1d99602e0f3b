// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.ConsistentMapAdapter;
import org.onosproject.store.service.StorageException;
import org.onosproject.store.service.Versioned;

/** Two leaders, one after the other, write to one map of ONOS, and a write of the first one comes late. */
class FencedMapTest {
    private static final ImmutableByteSequence KEY = bytes(0, 1);
    private static final ImmutableByteSequence OTHER = bytes(0, 2);
    private static final ImmutableByteSequence A = bytes(0, 1, 10);
    private static final ImmutableByteSequence B = bytes(0, 1, 11);
    private static final ImmutableByteSequence C = bytes(0, 1, 12);

    private final Store store = new Store();
    private boolean mayFormerWrite = true;
    private final FencedMap former = new FencedMap(store, () -> {
        if (!mayFormerWrite) {
            throw new IllegalStateException("this node does not lead");
        }
        return 7;
    });
    private final FencedMap next = new FencedMap(store, () -> 8);

    private static ImmutableByteSequence bytes(int... octets) {
        byte[] bytes = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            bytes[i] = (byte) octets[i];
        }
        return ImmutableByteSequence.copyFrom(bytes);
    }

    /** ONOS's map; {@code before} runs between a look at an entry and its change. */
    private static final class Store extends ConsistentMapAdapter<ImmutableByteSequence, ImmutableByteSequence> {
        private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();
        private final Map<ImmutableByteSequence, Long> versions = new HashMap<>();
        private Runnable before = () -> { };
        private boolean isAnswerLost;
        private long version;

        @Override
        public Map<ImmutableByteSequence, ImmutableByteSequence> asJavaMap() {
            return map;
        }

        @Override
        public Versioned<ImmutableByteSequence> get(ImmutableByteSequence key) {
            return map.containsKey(key) ? new Versioned<>(map.get(key), versions.getOrDefault(key, 0L)) : null;
        }

        private boolean set(ImmutableByteSequence key, boolean isExpected, ImmutableByteSequence value) {
            if (isExpected && value == null) {
                map.remove(key);
            } else if (isExpected) {
                map.put(key, value);
                versions.put(key, ++version);
            }
            if (isAnswerLost) {
                throw new StorageException.Timeout();
            }
            return isExpected;
        }

        private void late() {
            Runnable now = before;
            before = () -> { };
            now.run();
        }

        @Override
        public Versioned<ImmutableByteSequence> putIfAbsent(ImmutableByteSequence key, ImmutableByteSequence value) {
            late();
            Versioned<ImmutableByteSequence> found = get(key);
            set(key, found == null, value);
            return found;
        }

        @Override
        public boolean replace(ImmutableByteSequence key, long oldVersion, ImmutableByteSequence value) {
            late();
            return set(key, map.containsKey(key) && versions.getOrDefault(key, 0L) == oldVersion, value);
        }

        @Override
        public boolean remove(ImmutableByteSequence key, long oldVersion) {
            late();
            return set(key, map.containsKey(key) && versions.getOrDefault(key, 0L) == oldVersion, null);
        }
    }

    @Test
    void aRecordComesBackAsItWasWritten() {
        assertNull(next.put(KEY, A));
        assertEquals(A, next.put(KEY, B));
        assertEquals(Map.of(KEY, B), former);
        assertEquals(B, next.remove(KEY));
        assertEquals(Map.of(), former);
    }

    @Test
    void aFormerLeaderOverwritesNothing() {
        former.put(KEY, A);
        next.put(KEY, B);
        assertThrows(IllegalStateException.class, () -> former.put(KEY, C));
        assertThrows(IllegalStateException.class, () -> former.remove(KEY));
        assertEquals(Map.of(KEY, B), next);
    }

    @Test
    void aWriteThatTheNextLeaderOvertakesIsRefused() {
        former.put(KEY, A);
        store.before = () -> next.put(KEY, B);
        assertThrows(IllegalStateException.class, () -> former.put(KEY, C));
        assertEquals(Map.of(KEY, B), next);
        former.put(OTHER, A);
        store.before = () -> next.put(OTHER, C);
        assertThrows(IllegalStateException.class, () -> former.remove(OTHER));
        assertEquals(Map.of(KEY, B, OTHER, C), next);
    }

    @Test
    void anEntryThatTheNextLeaderMakesFirstIsItsOwn() {
        store.before = () -> next.put(KEY, B);
        assertThrows(IllegalStateException.class, () -> former.put(KEY, A));
        assertEquals(Map.of(KEY, B), next);
    }

    @Test
    void aMandateThatLapsesInBetweenEndsTheWrite() {
        former.put(KEY, A);
        store.before = () -> {
            new FencedMap(store, () -> 7).put(KEY, B);
            mayFormerWrite = false;
        };
        assertThrows(IllegalStateException.class, () -> former.put(KEY, C));
        assertEquals(Map.of(KEY, B), next);
    }

    @Test
    void whatTheNextLeaderHasRemovedDoesNotComeBack() {
        former.put(KEY, A);
        next.remove(KEY);
        assertThrows(IllegalStateException.class, () -> former.put(KEY, B));
        FencedMap reader = new FencedMap(store, () -> 7);
        former.put(OTHER, A);
        reader.forEach((key, value) -> assertEquals(A, value));
        next.remove(OTHER);
        assertThrows(IllegalStateException.class, () -> reader.put(OTHER, B));
        assertEquals(Map.of(), next);
    }

    @Test
    void itsOwnWritesWhoseAnswerWasLostAreNoLaterLeaders() {
        store.isAnswerLost = true;
        assertThrows(StorageException.class, () -> former.put(KEY, A));
        store.isAnswerLost = false;
        former.put(KEY, B);
        assertEquals(Map.of(KEY, B), next);
        store.isAnswerLost = true;
        assertThrows(StorageException.class, () -> former.remove(KEY));
        store.isAnswerLost = false;
        former.put(KEY, C);
        assertEquals(Map.of(KEY, C), next);
    }

    @Test
    void recordsOfASingleNodeHaveNoTermAndAreTakenOver() {
        FencedMap alone = new FencedMap(store, () -> 0);
        alone.put(KEY, A);
        assertEquals(Map.of(KEY, A), store.map);
        former.put(KEY, B);
        assertEquals(Map.of(KEY, B), alone);
        alone.remove(KEY);
        assertEquals(Map.of(), store.map);
    }
}
