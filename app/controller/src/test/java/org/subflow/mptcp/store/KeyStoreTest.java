// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.store.service.StorageException;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;

/** Keys that outlive a restart. */
class KeyStoreTest {
    private static final ConnectionId ONE = ConnectionId.of("00000001");
    private static final ConnectionId OTHER = ConnectionId.of("00000002");
    private static final ConnectionKeys KNOWN =
            new ConnectionKeys(MptcpVersion.V1, OptionalLong.of(1), OptionalLong.of(2));

    private final KeyStore keys = new KeyStore(new HashMap<>(), now -> now, LoopGuard.NONE);

    @Test
    void whatIsKnownComesBackAsItWas() {
        ConnectionKeys known = new ConnectionKeys(MptcpVersion.V1, OptionalLong.of(-1), OptionalLong.empty());
        keys.put(ONE, known);
        ConnectionKeys found = keys.get(ONE).get();
        assertEquals(known.version, found.version);
        assertEquals(OptionalLong.of(-1), found.initiatorKey);
        assertEquals(OptionalLong.empty(), found.listenerKey);
    }

    @Test
    void keysOfConnectionsThatWereNeverWrittenDoNotStay() {
        keys.put(ONE, KNOWN);
        keys.put(OTHER, KNOWN);
        keys.retain(Set.of(OTHER));
        assertFalse(keys.get(ONE).isPresent());
        assertTrue(keys.get(OTHER).isPresent());
    }

    @Test
    void keysAreThereAtOnceAndWrittenLater() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        List<Runnable> writes = new ArrayList<>();
        KeyStore later = new KeyStore(kept, task -> () -> writes.add(task), LoopGuard.NONE);
        later.put(ONE, KNOWN);
        assertTrue(later.get(ONE).isPresent());
        assertTrue(kept.isEmpty(), "the control loop does not wait for ONOS");

        writes.remove(0).run();
        assertEquals(Set.of(key(ONE)), kept.keySet());
        later.remove(ONE);
        assertFalse(later.get(ONE).isPresent());
        writes.remove(0).run();
        assertTrue(kept.isEmpty());
    }

    /** Puts keys of 21 connections, and runs the first write that was asked for; later ones are asked for anew. */
    private static void putManyAndWrite(KeyStore later, List<Runnable> writes) {
        later.put(ONE, KNOWN);
        for (int other = 0; other < 20; other++) {
            later.put(ConnectionId.of("other" + other), KNOWN);
        }
        Runnable first = writes.get(0);
        writes.clear();
        first.run();
    }

    @Test
    void aWriteThatFailsHoldsUpNoOtherAndIsTriedAgain() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new Refusing(key(ONE));
        List<Runnable> writes = new ArrayList<>();
        KeyStore later = new KeyStore(kept, task -> () -> writes.add(task), LoopGuard.NONE);
        putManyAndWrite(later, writes);
        assertEquals(20, kept.size());
        assertTrue(later.get(ONE).isPresent());

        assertEquals(1, writes.size(), "it asks for another try");
        ((Refusing) kept).refused = null;
        writes.remove(0).run();
        assertTrue(kept.size() == 21 && kept.containsKey(key(ONE)));
        assertTrue(writes.isEmpty());
    }

    /** Such as a class that an update of ONOS has taken away. */
    @Test
    void anErrorOfTheStoreHoldsUpNoOtherEither() {
        Refusing kept = new Refusing(key(ONE));
        kept.error = new LinkageError("for the test");
        List<Runnable> writes = new ArrayList<>();
        KeyStore later = new KeyStore(kept, task -> () -> writes.add(task), LoopGuard.NONE);
        putManyAndWrite(later, writes);
        assertEquals(20, kept.size());

        kept.refused = null;
        writes.remove(0).run();
        assertEquals(21, kept.size());
    }

    @Test
    void anEarlierRunsKeysAreKnown() {
        Map<ImmutableByteSequence, ImmutableByteSequence> kept = new HashMap<>();
        new KeyStore(kept, now -> now, LoopGuard.NONE).put(ONE, KNOWN);
        assertTrue(new KeyStore(kept, now -> now, LoopGuard.NONE).get(ONE).isPresent());
    }

    private static ImmutableByteSequence key(ConnectionId id) {
        return ImmutableByteSequence.copyFrom(("\0" + id.value()).getBytes(StandardCharsets.UTF_8));
    }

    /** A map that does not take the value of one key, like a store whose node does not answer. */
    private static final class Refusing extends HashMap<ImmutableByteSequence, ImmutableByteSequence> {
        private static final long serialVersionUID = 1;

        private ImmutableByteSequence refused;
        private Error error;

        private Refusing(ImmutableByteSequence refused) {
            this.refused = refused;
        }

        @Override
        public ImmutableByteSequence put(ImmutableByteSequence key, ImmutableByteSequence value) {
            if (key.equals(refused)) {
                if (error != null) {
                    throw error;
                }
                throw new StorageException.Timeout();
            }
            return super.put(key, value);
        }
    }
}
