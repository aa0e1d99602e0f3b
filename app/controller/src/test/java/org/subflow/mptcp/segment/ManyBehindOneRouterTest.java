// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.segment.option.MptcpVersion;

/** Clients that share one router, so one MAC address and port; no host has their addresses. */
class ManyBehindOneRouterTest extends InterceptorScenario {
    private static final int CLIENTS_BEHIND = 24;
    private static final int SYN_ACK = Segment.SYN | Segment.ACK;

    private static FiveTuple client(int number) {
        return Bench.tuple("203.0.113." + number, 40_000);
    }

    private void show(boolean copies, ConnectPoint port, FiveTuple tuple, int flags, int sequence, int acknowledgement,
                      byte[] options) {
        Packet packet = new Packet(port, segment(tuple, flags, sequence, acknowledgement, options));
        if (copies) {
            interceptor.processCopy(packet);
        } else {
            interceptor.process(packet);
        }
        awaitTracking();
    }

    private long established() {
        return bench.count(Counter.ESTABLISHED_CAPABLE_V1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void allAreSeen(boolean copies) {
        if (copies) {
            Collections.addAll(copying, CLIENTS.deviceId(), SERVERS.deviceId());
        }
        for (int number = 1; number <= CLIENTS_BEHIND; number++) {
            FiveTuple tuple = client(number);
            show(copies, CLIENTS, tuple, Segment.SYN, Bench.CLIENT_ISN, 0, options(Bench.capableSyn(MptcpVersion.V1, 0)));
            show(copies, SERVERS, tuple.reversed(), SYN_ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                 options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY + number)));
            if (!copies) {
                show(false, CLIENTS, tuple, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, options(
                        Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY + number)));
            }
            assertEquals(number, established(), "of " + tuple);
        }
        assertEquals(0, bench.count(Counter.SPOOFED));
    }

    @Test
    void whoeverIsRefusedCounts() {
        for (int number = 1; number <= CLIENTS_BEHIND; number++) {
            // The router's MAC address, but not its port.
            interceptor.process(new Packet(FARTHER, syn(client(number))));
        }
        nanos.addAndGet(2_000_000_000L);
        sources.age();
        awaitTracking();
        assertEquals(0, established());
        assertEquals(CLIENTS_BEHIND, bench.count(Counter.SPOOFED));
    }
}
