// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.segment.option.MalformedReason;

class DetectCountersTest {
    @Test
    void everyCounterHasANameOfItsOwn() {
        Map<String, Long> snapshot = new DetectCounters().snapshot();
        assertEquals(Counter.values().length + MalformedReason.values().length, snapshot.size());
        assertTrue(snapshot.keySet().stream().allMatch(name -> name.matches("[a-z0-9.-]+")), snapshot::toString);
        assertTrue(snapshot.values().stream().allMatch(value -> value == 0));
        assertEquals("segments", snapshot.keySet().iterator().next());
    }

    @Test
    void countsAreSeenByName() {
        DetectCounters counters = new DetectCounters();
        counters.increment(Counter.SYN_JOIN);
        counters.malformed(List.of(MalformedReason.PAST_END, MalformedReason.PAST_END));
        assertEquals(1L, counters.snapshot().get("syn.join"));
        assertEquals(2L, counters.snapshot().get("malformed.past-end"));
    }
}
