// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOptions;

/** Whatever happens to handshakes, the table's indexes hold nothing but handshakes that are there. */
class HandshakeTableTest {
    private static final int LIMIT = 50;

    private final HandshakeTable table = new HandshakeTable(
            new TrackerLimits(LIMIT, 5, LIMIT, LIMIT, LIMIT, TrackerLimits.DEFAULTS.synNanos), new DetectCounters());
    private final Random random = new Random(7);

    private static Handshake handshake(int source, int port) {
        FiveTuple fiveTuple = FiveTuple.of(IpAddress.valueOf(source), port, IpAddress.valueOf("10.0.0.2"), 80);
        return new Handshake(fiveTuple, new Attempt(Segment.of(fiveTuple, Segment.SYN, 0, 0, null, 0),
                                                    MptcpOptions.NONE));
    }

    @Test
    void indexesAgreeWithTheTable() {
        List<Handshake> all = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(random.nextInt(50));
            switch (random.nextInt(5)) {
                case 0:
                    table.expire(now);
                    break;
                case 1:
                    table.get(any(all)).ifPresent(table::remove);
                    break;
                case 2:
                    long answeredAt = now;
                    table.get(any(all)).ifPresent(handshake -> table.answered(handshake, answeredAt));
                    break;
                default:
                    Handshake handshake = handshake(random.nextInt(40), random.nextInt(20));
                    if (table.get(handshake.fiveTuple()).isEmpty()) {
                        table.add(handshake, random.nextBoolean(), now);
                        all.add(handshake);
                    }
                    break;
            }
            assertTrue(table.size() <= 4 * LIMIT);
            assertTrue(table.sources() <= table.size(), () -> table.sources() + " sources of " + table.size());
        }
        table.expire(now + TimeUnit.MINUTES.toNanos(1));
        assertEquals(0, table.size());
        assertEquals(0, table.sources());
    }

    @Test
    void aQueueHoldsSoManyFromAsManySourcesAndForSoLong() {
        for (int i = 0; i < 2 * LIMIT; i++) {
            table.add(handshake(i, 1), false, i);
        }
        assertEquals(LIMIT, table.size());
        assertEquals(LIMIT, table.sources());
        table.expire(LIMIT + TrackerLimits.DEFAULTS.synNanos - 1);
        assertEquals(LIMIT, table.size(), "the oldest came at " + LIMIT);
        table.expire(LIMIT + TrackerLimits.DEFAULTS.synNanos);
        assertEquals(LIMIT - 1, table.size());
    }

    private FiveTuple any(List<Handshake> all) {
        return all.isEmpty() ? handshake(1, 1).fiveTuple() : all.get(random.nextInt(all.size())).fiveTuple();
    }
}
