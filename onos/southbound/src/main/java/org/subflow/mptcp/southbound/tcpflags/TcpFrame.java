// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import org.subflow.mptcp.frame.FrameHeaders;

/** The addresses, ports and flags of a TCP segment in an Ethernet frame, which is not copied. Immutable. */
final class TcpFrame {

    private static final int FLAGS = 13;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    private final byte[] frame;
    /** Where the source address begins. */
    private final int addresses;
    private final int addressLength;
    /** Where the TCP header begins. */
    private final int tcp;
    private final int vlan;

    private TcpFrame(byte[] frame, FrameHeaders headers) {
        this.frame = frame;
        this.vlan = headers.vlan();
        this.addresses = headers.addresses();
        this.addressLength = headers.addressLength();
        this.tcp = headers.tcp();
    }

    /** {@return the segment in a frame, behind extension headers of IPv6, too; null if there is none, or it is cut before its flags} */
    static TcpFrame of(byte[] frame) {
        FrameHeaders headers = FrameHeaders.of(frame);
        boolean hasFlags = headers.content() == FrameHeaders.Content.TCP && frame.length - headers.tcp() > FLAGS;
        return hasFlags ? new TcpFrame(frame, headers) : null;
    }

    boolean isSyn() {
        return (frame[tcp + FLAGS] & SYN) != 0;
    }

    boolean isAck() {
        return (frame[tcp + FLAGS] & ACK) != 0;
    }

    /** {@return a hash of VLAN, addresses and ports, as seen by its sender, or by its receiver if {@code reversed}} */
    long hash(long seed, boolean reversed) {
        long source = mix(mix(seed + vlan, addresses, addressLength), tcp, 2);
        long destination = mix(mix(seed + vlan, addresses + addressLength, addressLength), tcp + 2, 2);
        return finish(reversed ? 31 * destination + source : 31 * source + destination);
    }

    private long mix(long hash, int from, int length) {
        long mixed = hash;
        for (int i = from; i < from + length; i++) {
            mixed = (mixed ^ frame[i]) * 0x9e3779b97f4a7c15L;
            mixed ^= mixed >>> 29;
        }
        return mixed;
    }

    private static long finish(long hash) {
        long mixed = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return mixed ^ mixed >>> 32;
    }
}
