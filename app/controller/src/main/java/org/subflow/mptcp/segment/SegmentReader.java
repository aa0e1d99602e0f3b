// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;
import org.onosproject.net.packet.InboundPacket;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.frame.FrameHeaders;

/**
 * Makes {@link Segment}s of frames, and counts what is none.
 *
 * <p>Lenient: a packet may be cut off in its payload, checksums are not looked at (a host drops what is corrupt, and
 * then the handshake goes on without it). Of later fragments, which have no TCP header, only addresses are read. Never throws on
 * octets from the network. Thread safe.
 */
public final class SegmentReader {
    private static final int TCP_HEADER = 20;
    private static final int TWO_MAC_ADDRESSES = 12;

    private final DetectCounters counters;

    /**
     * Makes a reader.
     *
     * @param counters where packets that are no segments are counted
     */
    public SegmentReader(DetectCounters counters) {
        this.counters = checkNotNull(counters, "counters");
    }

    /** Returns the segment in a packet, as {@link #read(byte[])} does, with the port where it came in. */
    public Optional<Segment> read(InboundPacket packet) {
        ByteBuffer octets = packet.unparsed().duplicate().rewind();
        byte[] frame = new byte[octets.remaining()];
        octets.get(frame);
        return read(frame).map(segment -> segment.at(packet.receivedFrom()));
    }

    /**
     * Returns the segment in a frame, between the hosts that the frame names.
     *
     * @param frame the frame's octets from the destination's MAC address on, without checksum; not null
     * @return the segment, for a later fragment one without flags and ports; empty if it is not TCP, is cut off before the end of the
     *         TCP header, has a service tag or a second one, or is not between two hosts
     */
    public Optional<Segment> read(byte[] frame) {
        FrameHeaders headers = FrameHeaders.of(frame);
        switch (headers.content()) {
            case TCP:
                return readTcp(frame, headers);
            case MORE_TAGS:
                return none(Counter.IGNORED_VLAN);
            case FRAGMENT:
                counters.increment(Counter.SEGMENTS_FRAGMENT);
                return tuple(frame, headers, 0, 0).map(Segment::laterFragment);
            case TRUNCATED:
                return none(Counter.SEGMENTS_TRUNCATED);
            default:
                return none(Counter.SEGMENTS_NOT_TCP);
        }
    }

    private Optional<Segment> readTcp(byte[] frame, FrameHeaders headers) {
        int at = headers.tcp();
        if (headers.tcpLength() < TCP_HEADER || frame.length < at + TCP_HEADER) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        int headerLength = 4 * (frame[at + 12] >> 4 & 0xf);
        if (headerLength < TCP_HEADER || headers.tcpLength() < headerLength || frame.length < at + headerLength) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        ByteBuffer in = ByteBuffer.wrap(frame);
        return tuple(frame, headers, Short.toUnsignedInt(in.getShort(at)), Short.toUnsignedInt(in.getShort(at + 2)))
                .map(fiveTuple -> Segment.of(fiveTuple, Byte.toUnsignedInt(frame[at + 13]), in.getInt(at + 4), in.getInt(at + 8),
                                             Arrays.copyOfRange(frame, at + TCP_HEADER, at + headerLength),
                                             headers.tcpLength() - headerLength))
                .map(segment -> headers.isFragment() ? segment.firstFragment() : segment);
    }

    private Optional<FiveTuple> tuple(byte[] frame, FrameHeaders headers, int sourcePort, int destinationPort) {
        MacAddress destination = MacAddress.valueOf(Arrays.copyOfRange(frame, 0, MacAddress.MAC_ADDRESS_LENGTH));
        MacAddress source = MacAddress.valueOf(Arrays.copyOfRange(frame, MacAddress.MAC_ADDRESS_LENGTH, TWO_MAC_ADDRESSES));
        if (isGroup(source) || isGroup(destination)) {
            return none(Counter.SEGMENTS_BAD_ADDRESS);
        }
        VlanId vlan = headers.vlan() == FrameHeaders.UNTAGGED ? VlanId.NONE : VlanId.vlanId((short) headers.vlan());
        return Optional.of(FiveTuple.of(address(frame, headers, 0), sourcePort, address(frame, headers, 1), destinationPort)
                                   .between(HostId.hostId(source, vlan), HostId.hostId(destination, vlan)));
    }

    private static boolean isGroup(MacAddress address) {
        return address.isMulticast() || address.isBroadcast();
    }

    private static IpAddress address(byte[] frame, FrameHeaders headers, int number) {
        int length = headers.addressLength();
        int from = headers.addresses() + number * length;
        return IpAddress.valueOf(length == Ip6Address.BYTE_LENGTH ? IpAddress.Version.INET6 : IpAddress.Version.INET,
                                 Arrays.copyOfRange(frame, from, from + length));
    }

    private <T> Optional<T> none(Counter reason) {
        counters.increment(reason);
        return Optional.empty();
    }
}
