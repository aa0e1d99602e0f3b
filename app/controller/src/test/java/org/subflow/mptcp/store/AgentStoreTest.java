// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;

/** Hosts with agents in ONOS's map. */
class AgentStoreTest {
    private static final IpAddress ONE = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("fd00::2");

    private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();

    private static AgentRecord record(int hash, IpAddress... addresses) {
        byte[] octets = new byte[AgentRecord.HASH_LENGTH];
        Arrays.fill(octets, (byte) hash);
        return new AgentRecord(octets, List.of(addresses));
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
        assertEquals(Map.of(ONE, record(-2, ONE), OTHER, record(7, OTHER)), store().all());
        before.remove(ONE);
        assertEquals(Map.of(OTHER, record(7, OTHER)), store().all());
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

    @Property(tries = 300)
    void recordsAreReadAsTheyWereWritten(@ForAll @Size(32) byte[] hash, @ForAll @Size(min = 1, max = 16) List<@IntRange Integer> hosts) {
        map.clear();
        List<IpAddress> addresses = new ArrayList<>();
        hosts.forEach(host -> addresses.add(IpAddress.valueOf(host)));
        AgentRecord record = new AgentRecord(hash, addresses);
        store().put(addresses.get(0), record);
        assertEquals(Map.of(addresses.get(0), record), store().all());
    }

    @Property(tries = 1000)
    void anyEntryOfAnyBytesLeavesTheOthers(@ForAll @Size(min = 1, max = 40) byte[] key, @ForAll @Size(min = 1, max = 80) byte[] value) {
        map.clear();
        store().put(ONE, record(3, ONE));
        byte[] known = value.clone();
        known[0] = 0;
        map.put(ImmutableByteSequence.copyFrom(key), ImmutableByteSequence.copyFrom(value));
        map.put(ImmutableByteSequence.copyFrom("\u0000fd00::2".getBytes(StandardCharsets.US_ASCII)), ImmutableByteSequence.copyFrom(known));
        assertEquals(record(3, ONE), store().all().get(ONE));
    }
}
