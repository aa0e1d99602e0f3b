// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.onlab.packet.IpAddress;
import org.onlab.util.ImmutableByteSequence;
import org.subflow.mptcp.wire.AgentRecord;

/** Hosts with agents are read as they were written, and no bytes whatever keep the store from starting. */
class AgentStorePropertyTest {
    private static final IpAddress ONE = IpAddress.valueOf("10.0.0.1");

    private final Map<ImmutableByteSequence, ImmutableByteSequence> map = new HashMap<>();

    private Map<IpAddress, AgentRecord> all() {
        Map<IpAddress, AgentRecord> found = new HashMap<>();
        store().read(found::putAll);
        return found;
    }

    private AgentStore store() {
        return new AgentStore(map, now -> now);
    }

    @Property(tries = 300)
    void recordsAreReadAsTheyWereWritten(@ForAll @Size(32) byte[] hash, @ForAll @Size(min = 1, max = 16) List<Integer> hosts) {
        map.clear();
        List<IpAddress> addresses = new ArrayList<>();
        hosts.forEach(host -> addresses.add(IpAddress.valueOf(host)));
        AgentRecord record = new AgentRecord(hash, addresses);
        store().put(addresses.get(0), record);
        assertEquals(Map.of(addresses.get(0), record), all());
    }

    @Property(tries = 1000)
    void anyEntryOfAnyBytesLeavesTheOthers(@ForAll @Size(min = 1, max = 40) byte[] key,
                                            @ForAll @Size(min = 1, max = 80) byte[] value) {
        map.clear();
        store().put(ONE, AgentStoreTest.record(3, ONE));
        byte[] known = value.clone();
        known[0] = 0;
        map.put(ImmutableByteSequence.copyFrom(key), ImmutableByteSequence.copyFrom(value));
        byte[] knownKey = "\u0000fd00::2".getBytes(StandardCharsets.US_ASCII);
        map.put(ImmutableByteSequence.copyFrom(knownKey), ImmutableByteSequence.copyFrom(known));
        assertEquals(AgentStoreTest.record(3, ONE), all().get(ONE));
    }
}
