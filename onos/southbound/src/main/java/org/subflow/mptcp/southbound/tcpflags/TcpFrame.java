// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Arrays;

/** The addresses, ports and flags of a TCP segment in an Ethernet frame, which is not copied. Immutable. */
final class TcpFrame {

    private static final int ETHER_TYPE = 12;
    private static final int VLAN = 0x8100;
    private static final int VLAN_ID = 0x0fff;
    private static final int UNTAGGED = -1;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int TCP = 6;
    private static final int FLAGS = 13;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    private final byte[] frame;
    /** Where the source address begins. */
    private final int addresses;
    private final int addressLength;
    /** Where the TCP header begins. */
    private final int tcp;
    /** Of the tag, -1 without one. */
    private final int vlan;

    private TcpFrame(byte[] frame, int vlan, int addresses, int addressLength, int tcp) {
        this.frame = frame;
        this.vlan = vlan;
        this.addresses = addresses;
        this.addressLength = addressLength;
        this.tcp = tcp;
    }

    /** {@return the segment in a frame; null if there is none, it is cut before its flags, or IPv6 has extension headers} */
    static TcpFrame of(byte[] frame) {
        int at = ETHER_TYPE;
        int vlan = UNTAGGED;
        if (has(frame, at, 4) && u16(frame, at) == VLAN) {
            vlan = u16(frame, at + 2) & VLAN_ID;
            at += 4;
        }
        if (!has(frame, at, 2)) {
            return null;
        }
        int ip = at + 2;
        TcpFrame found = null;
        if (u16(frame, at) == IPV4 && has(frame, ip, 20) && frame[ip + 9] == TCP) {
            found = new TcpFrame(frame, vlan, ip + 12, 4, ip + 4 * (frame[ip] & 0x0f));
        } else if (u16(frame, at) == IPV6 && has(frame, ip, 40) && frame[ip + 6] == TCP) {
            found = new TcpFrame(frame, vlan, ip + 8, 16, ip + 40);
        }
        return found != null && has(frame, found.tcp, FLAGS + 1) ? found : null;
    }

    boolean isSyn() {
        return (frame[tcp + FLAGS] & SYN) != 0;
    }

    boolean isAck() {
        return (frame[tcp + FLAGS] & ACK) != 0;
    }

    /** {@return the service of a segment with SYN: without ACK, its client has sent it} */
    Service service() {
        byte[] source = Arrays.copyOfRange(frame, addresses, addresses + addressLength);
        byte[] destination = Arrays.copyOfRange(frame, addresses + addressLength, addresses + 2 * addressLength);
        return isAck() ? new Service(destination, source, u16(frame, tcp)) : new Service(source, destination, u16(frame, tcp + 2));
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

    private static boolean has(byte[] frame, int from, int length) {
        return from >= 0 && frame.length - from >= length;
    }

    private static int u16(byte[] frame, int at) {
        return (frame[at] & 0xff) << 8 | frame[at + 1] & 0xff;
    }
}
