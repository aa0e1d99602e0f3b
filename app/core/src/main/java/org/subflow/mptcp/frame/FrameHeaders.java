// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.frame;

/**
 * Where the headers of an Ethernet frame are, up to TCP: one 802.1Q tag or none (IEEE 802.1Q), IPv4 (RFC 791), or IPv6 with
 * any number of extension headers (RFC 8200, section 4.1; RFC 4302). The frame may be cut off anywhere; never throws on octets from
 * the network. Immutable; does not copy the frame.
 */
public final class FrameHeaders {
    /** What a frame carries. */
    public enum Content {
        /** The first octets of a TCP header, or none of them if it is cut off there. */
        TCP,
        /** Something else than TCP over IP. */
        OTHER,
        /** A frame with a service tag (802.1ad), or with two tags. */
        MORE_TAGS,
        /** A later fragment of TCP, which has no TCP header. */
        FRAGMENT,
        /** Cut off before the TCP header, or with lengths that do not fit. */
        TRUNCATED
    }

    /** {@link #vlan()} of a frame without a tag. */
    public static final int UNTAGGED = -1;

    private static final int ETHER_TYPE = 12;
    private static final int TAG = 4;
    private static final int VLAN = 0x8100;
    private static final int SERVICE_TAG = 0x88a8;
    private static final int OLD_SERVICE_TAG = 0x9100;
    private static final int VLAN_ID = 0x0fff;
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 16;
    private static final int TCP = 6;
    private static final int HOP_BY_HOP = 0;
    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    /** Octets of the shortest extension header. Lengths count so many beyond the first ones; that of an authentication header half. */
    private static final int EXTENSION = 8;
    private static final int OFFSET_V4 = 0x1fff;
    private static final int OFFSET_V6 = 0xfff8;
    private static final int MORE_V4 = 0x2000;
    private static final int MORE_V6 = 1;

    private final byte[] frame;
    private final Content content;
    private int vlan = UNTAGGED;
    private int addresses;
    private int addressLength;
    private int tcp;
    private int end;
    private boolean fragment;

    private FrameHeaders(byte[] frame) {
        this.frame = frame;
        this.content = read();
    }

    /** Returns where the headers are. The frame begins with the destination's MAC address, and has no checksum; not null. */
    public static FrameHeaders of(byte[] frame) {
        return new FrameHeaders(frame);
    }

    private Content read() {
        int at = ETHER_TYPE;
        if (has(at, TAG) && u16(at) == VLAN) {
            vlan = u16(at + 2) & VLAN_ID;
            at += TAG;
        }
        if (!has(at, 2)) {
            return Content.TRUNCATED;
        }
        switch (u16(at)) {
            case IPV4:
                return readIpv4(at + 2);
            case IPV6:
                return readIpv6(at + 2);
            case VLAN:
            case SERVICE_TAG:
            case OLD_SERVICE_TAG:
                return Content.MORE_TAGS;
            default:
                return Content.OTHER;
        }
    }

    private Content readIpv4(int ip) {
        if (!has(ip, IPV4_HEADER)) {
            return Content.TRUNCATED;
        }
        if (frame[ip] >> 4 != 4 || frame[ip + 9] != TCP) {
            return Content.OTHER;
        }
        int header = 4 * (frame[ip] & 0x0f);
        addresses = ip + 12;
        addressLength = IPV4_ADDRESS;
        tcp = ip + header;
        end = ip + u16(ip + 2);
        fragment = (u16(ip + 6) & (OFFSET_V4 | MORE_V4)) != 0;
        if ((u16(ip + 6) & OFFSET_V4) != 0) {
            return Content.FRAGMENT;
        }
        return header < IPV4_HEADER ? Content.TRUNCATED : Content.TCP;
    }

    private Content readIpv6(int ip) {
        if (!has(ip, IPV6_HEADER)) {
            return Content.TRUNCATED;
        }
        if (frame[ip] >> 4 != 6) {
            return Content.OTHER;
        }
        addresses = ip + 8;
        addressLength = IPV6_ADDRESS;
        tcp = ip + IPV6_HEADER;
        end = tcp + u16(ip + 4);
        int next = frame[ip + 6];
        while (next != TCP) {
            if (!isExtension(next)) {
                return Content.OTHER;
            }
            if (!has(tcp, EXTENSION)) {
                return Content.TRUNCATED;
            }
            if (next == FRAGMENT) {
                fragment = (u16(tcp + 2) & (OFFSET_V6 | MORE_V6)) != 0;
                if ((u16(tcp + 2) & OFFSET_V6) != 0) {
                    return frame[tcp] == TCP ? Content.FRAGMENT : Content.OTHER;
                }
            }
            int octets = extensionLength(next);
            next = frame[tcp];
            tcp += octets;
        }
        return Content.TCP;
    }

    private int extensionLength(int header) {
        int told = Byte.toUnsignedInt(frame[tcp + 1]);
        if (header == AUTHENTICATION) {
            return EXTENSION / 2 * (2 + told);
        }
        return header == FRAGMENT ? EXTENSION : EXTENSION * (1 + told);
    }

    private static boolean isExtension(int header) {
        return header == HOP_BY_HOP || header == ROUTING || header == FRAGMENT || header == AUTHENTICATION || header == DESTINATION;
    }

    /** Returns what the frame carries. VLAN and addresses are defined for a later fragment, too; all below only for TCP. */
    public Content content() {
        return content;
    }

    /** Returns whether it is a fragment, the first or a later one. */
    public boolean isFragment() {
        return fragment;
    }

    /** Returns the VLAN of its tag, 0 to 4095; {@link #UNTAGGED} without one. */
    public int vlan() {
        return vlan;
    }

    /** Returns the index of the source's IP address; the destination's follows it. */
    public int addresses() {
        return addresses;
    }

    /** Returns the octets of an IP address, 4 or 16. */
    public int addressLength() {
        return addressLength;
    }

    /** Returns the index of the TCP header, perhaps behind the frame's end. */
    public int tcp() {
        return tcp;
    }

    /** Returns the octets of TCP header and payload by the IP header, whatever the frame has of them; negative if it is wrong. */
    public int tcpLength() {
        return end - tcp;
    }

    private boolean has(int from, int length) {
        return frame.length - from >= length;
    }

    private int u16(int at) {
        return (frame[at] & 0xff) << 8 | frame[at + 1] & 0xff;
    }
}
