// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.Ethernet;

/** Flags and five-tuples of frames. */
class TcpFrameTest {
    private static final long SEED = 42;

    @ParameterizedTest
    @CsvSource({"10.0.0.1, 10.0.0.2, -1", "10.0.0.1, 10.0.0.2, 7", "fd00::1, fd00::2, -1", "fd00::1, fd00::2, 7"})
    void anAnswerHasTheReversedTuple(String client, String server, short vlan) {
        TcpFrame syn = TcpFrame.of(Frames.tcp(client, server, Frames.SYN, vlan));
        TcpFrame answer = TcpFrame.of(Frames.tcp(server, client, Frames.SYN | Frames.ACK, vlan));
        assertTrue(syn.isSyn() && !syn.isAck());
        assertTrue(answer.isSyn() && answer.isAck());
        assertEquals(syn.hash(SEED, false), answer.hash(SEED, true));
        assertEquals(syn.hash(SEED, true), answer.hash(SEED, false));
        assertNotEquals(syn.hash(SEED, false), syn.hash(SEED, true));
        assertNotEquals(syn.hash(SEED, false), syn.hash(SEED + 1, false));
        assertNotEquals(syn.hash(SEED, false), TcpFrame.of(Frames.tcp(client, server, Frames.SYN, (short) 9)).hash(SEED, false));
    }

    @Test
    void aFinIsNoSyn() {
        TcpFrame fin = TcpFrame.of(Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.FIN | Frames.ACK));
        assertFalse(fin.isSyn());
        assertTrue(fin.isAck());
    }

    @Test
    void whatIsCutBeforeItsFlagsIsNoSegment() {
        byte[] whole = Frames.tcp("fd00::1", "fd00::2", Frames.SYN, (short) 7);
        int flags = 14 + 4 + 40 + 13;
        for (int length = 0; length <= flags; length++) {
            assertNull(TcpFrame.of(Arrays.copyOf(whole, length)));
        }
        assertNotNull(TcpFrame.of(Arrays.copyOf(whole, flags + 1)));
    }

    @Test
    void otherFramesAreNoSegments() {
        byte[] arp = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        arp[12] = (byte) (Ethernet.TYPE_ARP >> 8);
        arp[13] = (byte) Ethernet.TYPE_ARP;
        assertNull(TcpFrame.of(arp));
        byte[] udp = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        udp[14 + 9] = 17;
        assertNull(TcpFrame.of(udp));
        byte[] longHeader = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        longHeader[14] = 0x4f;
        assertNull(TcpFrame.of(longHeader), "options that are not there");
    }

    /** The frame with something between the headers of IPv6 and TCP. */
    private static byte[] extended(int header, byte... extension) {
        byte[] plain = Frames.tcp("fd00::1", "fd00::2", Frames.SYN);
        byte[] frame = new byte[plain.length + extension.length];
        System.arraycopy(plain, 0, frame, 0, 54);
        System.arraycopy(extension, 0, frame, 54, extension.length);
        System.arraycopy(plain, 54, frame, 54 + extension.length, plain.length - 54);
        frame[14 + 6] = (byte) header;
        return frame;
    }

    /** So many headers in a row, with TCP behind the last one. */
    private static byte[] destinationOptions(int count) {
        byte[] headers = new byte[8 * count];
        for (int at = 0; at < headers.length; at += 8) {
            headers[at] = (byte) (at + 8 < headers.length ? 60 : 6);
        }
        return headers;
    }

    /** Open vSwitch 3.1 finds the SYN behind all of them: {@code ovs-ofctl parse-pcap}. */
    @Test
    void extensionHeadersHideNoSyn() {
        TcpFrame plain = TcpFrame.of(Frames.tcp("fd00::1", "fd00::2", Frames.SYN));
        for (byte[] frame : List.of(extended(0, (byte) 6, (byte) 0, (byte) 1, (byte) 4, (byte) 0, (byte) 0, (byte) 0, (byte) 0),
                                    extended(44, (byte) 6, (byte) 0, (byte) 0, (byte) 1, (byte) 0, (byte) 0, (byte) 0, (byte) 7),
                                    extended(60, Arrays.copyOf(new byte[] {43, 0, 1, 4, 0, 0, 0, 0, 6, 1}, 24)),
                                    extended(51, Arrays.copyOf(new byte[] {6, 4}, 24)), extended(60, destinationOptions(40)))) {
            TcpFrame found = TcpFrame.of(frame);
            assertTrue(found.isSyn());
            assertEquals(plain.hash(SEED, false), found.hash(SEED, false));
            assertNull(TcpFrame.of(Arrays.copyOf(frame, 54 + 7)), "cut");
        }
    }

    @Test
    void whatIsBehindHeadersWithoutEndOrInALaterFragmentIsNoSegment() {
        assertNull(TcpFrame.of(extended(0, new byte[8 * 9])));
        assertNull(TcpFrame.of(extended(44, (byte) 6, (byte) 0, (byte) 0, (byte) 8, (byte) 0, (byte) 0, (byte) 0, (byte) 7)));
        assertNull(TcpFrame.of(extended(59)), "no next header");
        byte[] later = Frames.tcp(Frames.CLIENT, Frames.SERVER, Frames.SYN);
        later[14 + 7] = 1;
        assertNull(TcpFrame.of(later));
    }
}
