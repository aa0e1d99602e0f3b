// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.Arrays;
import java.util.Set;

/** The addresses, ports and flags of a TCP segment in an Ethernet frame, which is not copied. Immutable. */
final class TcpFrame {

    private static final int ETHER_TYPE = 12;
    private static final int VLAN = 0x8100;
    private static final int VLAN_ID = 0x0fff;
    private static final int UNTAGGED = -1;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int TCP = 6;
    private static final int FRAGMENT_V4 = 0x1fff;
    private static final int FRAGMENT_V6 = 0xfff8;
    private static final int FRAGMENT_HEADER = 44;
    /** Extension headers of IPv6 before TCP (RFC 8200, section 4.1): hop-by-hop, routing, fragment, destination. */
    private static final Set<Integer> EXTENSIONS = Set.of(0, 43, FRAGMENT_HEADER, 60);
    private static final int MOST_EXTENSIONS = 8;
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

    /** {@return the segment in a frame, behind extension headers of IPv6, too; null if there is none, or it is cut before its flags} */
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
        if (u16(frame, at) == IPV4 && has(frame, ip, 20) && frame[ip + 9] == TCP
                && (u16(frame, ip + 6) & FRAGMENT_V4) == 0) {
            found = new TcpFrame(frame, vlan, ip + 12, 4, ip + 4 * (frame[ip] & 0x0f));
        } else if (u16(frame, at) == IPV6 && has(frame, ip, 40)) {
            found = new TcpFrame(frame, vlan, ip + 8, 16, tcpOfIpv6(frame, ip));
        }
        return found != null && has(frame, found.tcp, FLAGS + 1) ? found : null;
    }

    /** {@return where TCP begins in a packet of IPv6; negative if there is none, as in a later fragment} */
    private static int tcpOfIpv6(byte[] frame, int ip) {
        int next = frame[ip + 6];
        int at = ip + 40;
        for (int headers = 0; next != TCP; headers++) {
            boolean isPassed = headers < MOST_EXTENSIONS && EXTENSIONS.contains(next) && has(frame, at, 8)
                    && (next != FRAGMENT_HEADER || (u16(frame, at + 2) & FRAGMENT_V6) == 0);
            if (!isPassed) {
                return -1;
            }
            int octets = next == FRAGMENT_HEADER ? 8 : 8 * (1 + (frame[at + 1] & 0xff));
            next = frame[at];
            at += octets;
        }
        return at;
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
