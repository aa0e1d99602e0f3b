// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which SYN an answer is for. */
class AnsweredSynsTest {
    private static final TcpFrame SYN = TcpFrame.of(Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN));
    private static final TcpFrame ANSWER = TcpFrame.of(Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK));

    private final AnsweredSyns<String> syns = new AnsweredSyns<>();

    private String answeredAt(String port) {
        return syns.answered(ANSWER, owner -> !owner.equals(port));
    }

    @Test
    void anAnswerFromElsewhereIsForTheSynOnce() {
        syns.remember(SYN, "client");
        assertNull(answeredAt("client"));
        assertEquals("client", answeredAt("server"));
        assertNull(answeredAt("server"));
    }

    @Test
    void throughARouterTheSynIsAnsweredOnBothSides() {
        syns.remember(SYN, "client");
        syns.remember(SYN, "router");
        assertEquals("router", answeredAt("server"));
        assertEquals("client", answeredAt("router"));
    }

    @Test
    void aRepeatedSynIsRememberedOnce() {
        syns.remember(SYN, "client");
        syns.remember(SYN, "router");
        syns.remember(SYN, "client");
        syns.remember(SYN, "router");
        assertEquals("router", answeredAt("server"));
        assertEquals("client", answeredAt("router"));
        assertNull(answeredAt("router"));
    }

    @Test
    void aSynThatGoesRoundBelongsToTheLastOnes() {
        for (int hop = 0; hop < 100; hop++) {
            syns.remember(SYN, "port " + hop);
        }
        for (int hop = 99; hop > 99 - AnsweredSyns.MOST_OWNERS; hop--) {
            assertEquals("port " + hop, answeredAt("server"));
        }
        assertNull(answeredAt("server"));
    }

    @Test
    void anotherVlansAnswerIsForNobodyElse() {
        syns.remember(TcpFrame.of(Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN, (short) 10)), "client");
        assertNull(answeredAt("server"));
        assertEquals("client", syns.answered(
                TcpFrame.of(Frames.tcp(Frames.SERVER, Frames.CLIENT, Frames.SYN | Frames.ACK, (short) 10)), owner -> true));
    }
}
