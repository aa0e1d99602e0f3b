// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.frame.FrameHeaders.Content;

/** Headers of frames of all kinds. What segments they make is tested where they are read. */
class FrameHeadersTest {
    private static final int IP = 14;
    private static final byte[] HOP_BY_HOP = {6, 0, 1, 4, 0, 0, 0, 0};
    private static final byte[] FIRST_FRAGMENT = {6, 0, 0, 1, 0, 0, 0, 7};
    private static final byte[] LATER_FRAGMENT = {6, 0, 0, 8, 0, 0, 0, 7};

    private static byte[] ipv6(int next, byte... extension) {
        return ByteBuffer.allocate(IP + 40 + extension.length + 20).putShort(12, (short) 0x86dd).put(IP, (byte) 0x60)
                .putShort(IP + 4, (short) (extension.length + 25)).put(IP + 6, (byte) next).position(IP + 40).put(extension).array();
    }

    private static byte[] ipv4(int protocol) {
        return ByteBuffer.allocate(IP + 20 + 20).putShort(12, (short) 0x0800).put(IP, (byte) 0x45).putShort(IP + 2, (short) 45)
                .put(IP + 9, (byte) protocol).array();
    }

    private static byte[] tagged(byte[] frame, int type) {
        return ByteBuffer.allocate(frame.length + 4).put(frame, 0, 12).putShort((short) type).putShort((short) 0xe007)
                .put(frame, 12, frame.length - 12).array();
    }

    private static Content content(byte[] frame) {
        return FrameHeaders.of(frame).content();
    }

    @Test
    void theLengthIsThatOfTheHeaderAndNotOfTheCopy() {
        FrameHeaders four = FrameHeaders.of(ipv4(6));
        assertEquals(IP + 20, four.tcp());
        assertEquals(25, four.tcpLength());
        FrameHeaders six = FrameHeaders.of(ipv6(0, HOP_BY_HOP));
        assertEquals(IP + 48, six.tcp());
        assertEquals(25, six.tcpLength());
        assertEquals(IP + 8, six.addresses());
        assertEquals(16, six.addressLength());
    }

    @Test
    void oneTagIsTheVlanAndOthersAreNot() {
        assertEquals(FrameHeaders.UNTAGGED, FrameHeaders.of(ipv4(6)).vlan());
        assertEquals(7, FrameHeaders.of(tagged(ipv4(6), 0x8100)).vlan());
        assertEquals(Content.TCP, content(tagged(ipv4(6), 0x8100)));
        for (int type : new int[] {0x8100, 0x88a8, 0x9100}) {
            assertEquals(Content.MORE_TAGS, content(tagged(tagged(ipv4(6), 0x8100), type)));
        }
        assertEquals(Content.MORE_TAGS, content(tagged(ipv4(6), 0x88a8)));
    }

    @Test
    void extensionHeadersAreWalkedUpToTheEndOfTheFrame() {
        assertEquals(Content.TCP, content(ipv6(6)));
        assertEquals(Content.TCP, content(ipv6(44, FIRST_FRAGMENT)));
        assertEquals(Content.FRAGMENT, content(ipv6(44, LATER_FRAGMENT)));
        assertEquals(Content.OTHER, content(ipv6(59)), "no next header");
        byte[] many = new byte[8 * 100];
        many[8 * 99] = 6;
        assertEquals(Content.TCP, content(ipv6(0, many)));
        assertEquals(IP + 40 + many.length, FrameHeaders.of(ipv6(0, many)).tcp());
        many[8 * 99] = 0;
        assertEquals(Content.TRUNCATED, content(ipv6(0, many)), "the rest of the frame is one more");
        byte[] beyond = HOP_BY_HOP.clone();
        beyond[1] = (byte) 255;
        assertTrue(FrameHeaders.of(ipv6(0, beyond)).tcp() > ipv6(0, beyond).length, "behind the end");
    }

    /** Its length counts 32 bits, unlike that of the others (RFC 4302, section 2.2). */
    @Test
    void anAuthenticationHeaderIsWalkedToo() {
        byte[] authentication = new byte[24];
        authentication[0] = 6;
        authentication[1] = 4;
        FrameHeaders headers = FrameHeaders.of(ipv6(51, authentication));
        assertEquals(Content.TCP, headers.content());
        assertEquals(IP + 40 + 24, headers.tcp());
        assertEquals(25, headers.tcpLength());
    }

    @Test
    void cutAndMutatedFramesThrowNothing() {
        Random random = new Random(1);
        for (byte[] whole : new byte[][] {ipv4(6), ipv6(0, HOP_BY_HOP), tagged(ipv6(44, FIRST_FRAGMENT), 0x8100)}) {
            for (int length = 0; length < whole.length; length++) {
                for (int turn = 0; turn < 100; turn++) {
                    byte[] frame = Arrays.copyOf(whole, length);
                    for (int flips = random.nextInt(4); length > 0 && flips > 0; flips--) {
                        frame[random.nextInt(length)] = (byte) random.nextInt();
                    }
                    FrameHeaders.of(frame);
                }
            }
        }
    }
}
