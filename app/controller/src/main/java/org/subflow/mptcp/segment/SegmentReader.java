// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPacket;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.VlanId;
import org.onlab.packet.ipv6.Fragment;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;

/**
 * Makes {@link Segment}s of packets, from ONOS's packet classes, and counts what is none.
 *
 * <p>Lenient: a packet may be cut off in its payload, checksums are not looked at (a host drops what is corrupt, and
 * then the handshake goes on without it). Later fragments have no TCP header and are no segments. Thread safe.
 */
public final class SegmentReader {
    private static final int TCP_HEADER = 20;
    private static final int FRAGMENT_OFFSET = 0x1fff;

    private final DetectCounters counters;

    /**
     * Makes a reader.
     *
     * @param counters where packets that are no segments are counted
     */
    public SegmentReader(DetectCounters counters) {
        this.counters = checkNotNull(counters, "counters");
    }

    /**
     * Returns the segment in a parsed frame, between the hosts that the frame names.
     *
     * @param frame the frame, with one VLAN tag or none; null for one that could not be parsed
     * @return the segment; empty if there is no TCP header in the frame, if it has a second tag, or if it is not between two hosts
     */
    public Optional<Segment> read(Ethernet frame) {
        if (frame != null && frame.getQinQVID() != Ethernet.VLAN_UNTAGGED) {
            return none(Counter.IGNORED_VLAN);
        }
        Optional<Segment> segment = readPayload(frame);
        if (segment.isEmpty()) {
            return segment;
        }
        MacAddress source = frame.getSourceMAC();
        MacAddress destination = frame.getDestinationMAC();
        if (isGroup(source) || isGroup(destination)) {
            return none(Counter.SEGMENTS_BAD_ADDRESS);
        }
        VlanId vlan = frame.getVlanID() == Ethernet.VLAN_UNTAGGED ? VlanId.NONE : VlanId.vlanId(frame.getVlanID());
        return Optional.of(segment.get().between(HostId.hostId(source, vlan), HostId.hostId(destination, vlan)));
    }

    private static boolean isGroup(MacAddress address) {
        return address.isMulticast() || address.isBroadcast();
    }

    private Optional<Segment> readPayload(Ethernet frame) {
        IPacket packet = frame == null ? null : frame.getPayload();
        if (packet instanceof IPv4) {
            return read((IPv4) packet);
        }
        if (packet instanceof IPv6) {
            return read((IPv6) packet);
        }
        return none(Counter.SEGMENTS_NOT_TCP);
    }

    /** Returns the segment in a parsed IPv4 packet; empty if there is no TCP header in it. */
    public Optional<Segment> read(IPv4 packet) {
        if (packet.getProtocol() != IPv4.PROTOCOL_TCP) {
            return none(Counter.SEGMENTS_NOT_TCP);
        }
        if ((packet.getFragmentOffset() & FRAGMENT_OFFSET) != 0) {
            return none(Counter.SEGMENTS_FRAGMENT);
        }
        if (!(packet.getPayload() instanceof TCP)) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        TCP tcp = (TCP) packet.getPayload();
        // A packet built in memory has no total length before it is serialized.
        int payload = packet.getTotalLength() == 0 ? -1 : Short.toUnsignedInt(packet.getTotalLength())
                - 4 * packet.getHeaderLength() - 4 * tcp.getDataOffset();
        return segment(IpAddress.valueOf(packet.getSourceAddress()), IpAddress.valueOf(packet.getDestinationAddress()),
                       tcp, payload);
    }

    /** Returns the segment in a parsed IPv6 packet, behind extension headers too; empty if there is none in it. */
    public Optional<Segment> read(IPv6 packet) {
        IPacket payload = packet.getPayload();
        while (payload != null && !(payload instanceof TCP)) {
            if (payload instanceof Fragment && ((Fragment) payload).getFragmentOffset() != 0) {
                return none(Counter.SEGMENTS_FRAGMENT);
            }
            payload = payload.getPayload();
        }
        if (payload == null) {
            return none(packet.getNextHeader() == IPv6.PROTOCOL_TCP ? Counter.SEGMENTS_TRUNCATED
                                : Counter.SEGMENTS_NOT_TCP);
        }
        return segment(ip6(packet.getSourceAddress()), ip6(packet.getDestinationAddress()), (TCP) payload, -1);
    }

    private Optional<Segment> segment(IpAddress source, IpAddress destination, TCP tcp, int payloadByHeader) {
        if (tcp.getDataOffset() > 0 && 4 * tcp.getDataOffset() < TCP_HEADER) {
            return none(Counter.SEGMENTS_TRUNCATED);
        }
        FiveTuple fiveTuple = FiveTuple.of(source, tcp.getSourcePort(), destination, tcp.getDestinationPort());
        int payload = payloadByHeader >= 0 ? payloadByHeader : payloadOf(tcp);
        return Optional.of(Segment.of(fiveTuple, tcp.getFlags(), tcp.getSequence(), tcp.getAcknowledge(),
                                      tcp.getOptions(), payload));
    }

    private static int payloadOf(TCP tcp) {
        IPacket payload = tcp.getPayload();
        if (payload == null) {
            return 0;
        }
        return payload instanceof Data ? ((Data) payload).getData().length : payload.serialize().length;
    }

    private Optional<Segment> none(Counter reason) {
        counters.increment(reason);
        return Optional.empty();
    }

    private static IpAddress ip6(byte[] octets) {
        return IpAddress.valueOf(IpAddress.Version.INET6, octets);
    }
}
