// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Makes {@link Segment}s of a frame's octets, without ONOS's packet classes: what these read can be compared with it. Counts what
 * is none. Never throws.
 */
public final class OctetReader {
    private static final int ETHERNET_HEADER = 14;
    private static final int VLAN_TAG = 4;
    private static final int MAX_VLAN_TAGS = 2;
    private static final int TYPE_QINQ = 0x88a8;
    private static final int TCP_HEADER = 20;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int FRAGMENT_OFFSET = 0x1fff;
    private static final int FRAGMENT_OFFSET_V6 = 0xfff8;
    private static final int MAX_EXTENSION_HEADERS = 8;

    private final DetectCounters counters;

    /** Makes a reader that counts there what is no segment. */
    public OctetReader(DetectCounters counters) {
        this.counters = counters;
    }

    /**
     * Returns the segment in an Ethernet frame.
     *
     * @param frame the frame's octets from the destination address on, without checksum; up to two VLAN tags
     * @return the segment; empty if it is not TCP or is cut off before the end of the TCP header
     */
    public Optional<Segment> read(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame);
        int at = ETHERNET_HEADER;
        for (int tags = 0; frame.length >= at && isVlan(unsignedShort(in, at - 2)) && tags < MAX_VLAN_TAGS; tags++) {
            at += VLAN_TAG;
        }
        if (frame.length < at) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        int type = unsignedShort(in, at - 2);
        if (type == Short.toUnsignedInt(Ethernet.TYPE_IPV4)) {
            return readIpv4(in, at);
        }
        if (type == Short.toUnsignedInt(Ethernet.TYPE_IPV6)) {
            return readIpv6(in, at);
        }
        return none(Counter.SEGMENTS_NOT_TCP);
    }

    private static boolean isVlan(int type) {
        return type == Short.toUnsignedInt(Ethernet.TYPE_VLAN) || type == TYPE_QINQ;
    }

    private Optional<Segment> readIpv4(ByteBuffer in, int at) {
        if (in.capacity() < at + IPV4_HEADER) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        if (version(in, at) != 4) {
            return none(Counter.SEGMENTS_NOT_TCP);
        }
        int headerLength = 4 * (in.get(at) & 0xf);
        int length = unsignedShort(in, at + 2) - headerLength;
        if (headerLength < IPV4_HEADER || length < 0) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        if (in.get(at + 9) != IPv4.PROTOCOL_TCP) {
            return none(Counter.SEGMENTS_NOT_TCP);
        }
        if ((unsignedShort(in, at + 6) & FRAGMENT_OFFSET) != 0) {
            return none(Counter.SEGMENTS_FRAGMENT);
        }
        return readTcp(in, at + headerLength, length, IpAddress.valueOf(in.getInt(at + 12)),
                       IpAddress.valueOf(in.getInt(at + 16)));
    }

    private Optional<Segment> readIpv6(ByteBuffer in, int start) {
        if (in.capacity() < start + IPV6_HEADER) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        if (version(in, start) != 6) {
            return none(Counter.SEGMENTS_NOT_TCP);
        }
        int end = start + IPV6_HEADER + unsignedShort(in, start + 4);
        int next = in.get(start + 6);
        int at = start + IPV6_HEADER;
        for (int headers = 0; next != IPv6.PROTOCOL_TCP; headers++) {
            if (!isExtension(next) || headers == MAX_EXTENSION_HEADERS) {
                return none(Counter.SEGMENTS_NOT_TCP);
            }
            if (in.capacity() < at + 8) {
                return none(Counter.SEGMENTS_TRUNCATED);
            }
            if (next == IPv6.PROTOCOL_FRAG && (unsignedShort(in, at + 2) & FRAGMENT_OFFSET_V6) != 0) {
                return none(Counter.SEGMENTS_FRAGMENT);
            }
            int octets = next == IPv6.PROTOCOL_FRAG ? 8 : 8 * (1 + Byte.toUnsignedInt(in.get(at + 1)));
            next = in.get(at);
            at += octets;
        }
        return readTcp(in, at, end - at, ip6(octets(in, start + 8, Ip6Address.BYTE_LENGTH)),
                       ip6(octets(in, start + 24, Ip6Address.BYTE_LENGTH)));
    }

    private static boolean isExtension(int header) {
        return header == IPv6.PROTOCOL_HOPOPT || header == IPv6.PROTOCOL_ROUTING || header == IPv6.PROTOCOL_DSTOPT
                || header == IPv6.PROTOCOL_FRAG;
    }

    /** Reads the TCP header at an index of the buffer; length = octets of header and payload by the IP header. */
    private Optional<Segment> readTcp(ByteBuffer in, int at, int length, IpAddress source, IpAddress destination) {
        if (length < TCP_HEADER || in.capacity() < at + TCP_HEADER) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        int headerLength = 4 * (in.get(at + 12) >> 4 & 0xf);
        if (headerLength < TCP_HEADER || length < headerLength || in.capacity() < at + headerLength) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        byte[] options = octets(in, at + TCP_HEADER, headerLength - TCP_HEADER);
        FiveTuple fiveTuple = FiveTuple.of(source, unsignedShort(in, at), destination, unsignedShort(in, at + 2));
        return Optional.of(Segment.of(fiveTuple, Byte.toUnsignedInt(in.get(at + 13)), in.getInt(at + 4),
                                      in.getInt(at + 8), options, length - headerLength));
    }

    private Optional<Segment> none(Counter reason) {
        counters.increment(reason);
        return Optional.empty();
    }

    private static int version(ByteBuffer in, int at) {
        return in.get(at) >> 4 & 0xf;
    }

    private static int unsignedShort(ByteBuffer in, int at) {
        return Short.toUnsignedInt(in.getShort(at));
    }

    private static byte[] octets(ByteBuffer in, int at, int count) {
        byte[] octets = new byte[count];
        in.duplicate().clear().position(at).get(octets);
        return octets;
    }

    private static IpAddress ip6(byte[] octets) {
        return IpAddress.valueOf(IpAddress.Version.INET6, octets);
    }
}
