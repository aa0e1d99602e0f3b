// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.packet.PacketPriority;
import org.subflow.mptcp.plain.PlainTcpForwarder;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.segment.WatchRules;

/** Which rule a packet meets first: docs/operations.md says this order. */
class PrioritiesTest {
    private static final int STOCK_FORWARDING = 10;

    @Test
    void theRulesHaveTheirOrder() {
        List<Integer> order = List.of(
                WatchRules.LAST_PRIORITY, PacketPriority.REACTIVE.priorityValue(), STOCK_FORWARDING, WatchRules.PRIORITY,
                PlainTcpForwarder.PRIORITY, Intent.DEFAULT_INTENT_PRIORITY, WakeRules.PRIORITY, MptcpIntent.PRIORITY,
                LabelledPath.PRIORITY, PacketPriority.CONTROL.priorityValue());
        assertEquals(order.stream().sorted().distinct().collect(Collectors.toList()), order);
    }
}
