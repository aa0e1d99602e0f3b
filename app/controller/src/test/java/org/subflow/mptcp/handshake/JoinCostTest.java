// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;

/** What the MP_JOINs of two ports that work together cost at most: as many as come, each with as many HMACs as a token has owners. */
class JoinCostTest {
    /** So many SYNs of a port come in a second, by the southbound's default of {@code mostCopiesPerSecond}. */
    private static final int MOST_A_SECOND = 8000;
    private static final int ROUNDS = 5;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Bench bench = new Bench();

    private void own(MptcpVersion version, int number) {
        FiveTuple connection = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), number,
                                            IpAddress.valueOf("10.0.1." + number / 16), 80);
        bench.tokens.register(connection, ConnectionKeys.of(version, OptionalLong.of(number), OptionalLong.of(Bench.SERVER_KEY)));
    }

    private void copy(FiveTuple tuple, int flags, int sequence, int acknowledgement, MptcpOption option) {
        bench.now += 60_000;
        bench.tracker.processCopy(Segment.of(tuple, flags, sequence, acknowledgement,
                                             MptcpOptionEncoder.encode(List.of(option)), 0), bench.now);
    }

    private double secondsOf(MptcpVersion version, int round) {
        // The hash fits none of them, so it is compared with that of each.
        Bench.Joiner joiner = new Bench.Joiner(version, -1, Bench.SERVER_KEY);
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < MOST_A_SECOND; i++) {
            FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1 + i, IpAddress.valueOf("10.0.1.1"), 1 + round);
            copy(tuple, Segment.SYN, i, 0, joiner.syn(false));
            copy(tuple.reversed(), Segment.SYN | Segment.ACK, i, i + 1, joiner.synAck());
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin) / NANOS_PER_SECOND;
    }

    @Test
    void allJoinsOfTwoPortsTakeAPartOfOneCore() {
        for (MptcpVersion version : MptcpVersion.values()) {
            for (int number = 0; number < 1000; number++) {
                own(version, number);
            }
            double least = Double.POSITIVE_INFINITY;
            for (int round = 0; round < ROUNDS; round++) {
                least = Math.min(least, secondsOf(version, round));
            }
            System.out.printf(Locale.ROOT, "%d joins a second, version %s: %.2f of a core%n", MOST_A_SECOND, version, least);
            assertTrue(least < 0.8, version + " " + least);
        }
        assertEquals(2L * ROUNDS * MOST_A_SECOND, bench.count(Counter.JOIN_BAD_HMAC));
    }
}
