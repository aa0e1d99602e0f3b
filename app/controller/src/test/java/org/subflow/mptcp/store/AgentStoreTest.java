// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;
import org.subflow.mptcp.wire.AgentRecord;

/** Hosts with agents in ONOS's map. */
class AgentStoreTest {
    private static final IpAddress ONE = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("fd00::2");

    private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();

    static AgentRecord record(int hash, IpAddress... addresses) {
        byte[] octets = new byte[AgentRecord.HASH_LENGTH];
        Arrays.fill(octets, (byte) hash);
        return new AgentRecord(octets, List.of(addresses));
    }

    private Map<IpAddress, AgentRecord> all() {
        Map<IpAddress, AgentRecord> found = new HashMap<>();
        store().read(found::putAll);
        return found;
    }

    private AgentStore store() {
        return new AgentStore(map, now -> now);
    }

    @Test
    void aRestartFindsTheHosts() {
        AgentStore before = store();
        before.put(ONE, record(-1, ONE, OTHER));
        before.put(OTHER, record(7, OTHER));
        before.put(ONE, record(-2, ONE));
        assertEquals(Map.of(ONE, record(-2, ONE), OTHER, record(7, OTHER)), all());
        before.remove(ONE);
        assertEquals(Map.of(OTHER, record(7, OTHER)), all());
        store().clear();
        assertTrue(map.isEmpty());
    }

    /** The form of this release: a changed one takes a new number, and reads or drops this one. */
    @Test
    void theFormIsThis() {
        store().put(ONE, record(5, ONE));
        assertArrayEquals("\u000010.0.0.1".getBytes(StandardCharsets.US_ASCII), map.keySet().iterator().next().asArray());
        byte[] value = new byte[2 + 32 + 1 + 5];
        value[1] = 1;
        Arrays.fill(value, 2, 34, (byte) 5);
        System.arraycopy(new byte[] {1, 4, 10, 0, 0, 1}, 0, value, 34, 6);
        assertArrayEquals(value, map.values().iterator().next().asArray());
    }
}
