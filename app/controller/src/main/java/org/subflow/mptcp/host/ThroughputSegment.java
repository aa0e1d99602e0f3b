// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IPv6;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.VlanId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.option.MpEt;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;

/**
 * Makes the segment that carries {@link MpEt} to a host. It has none of TCP's flags: a host drops such a segment (RFC 9293,
 * section 3.10.7.4, fifth check), after whoever listens to packets has seen it. Stateless.
 */
final class ThroughputSegment {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int WORD = 4;
    private static final int WORDS_WITHOUT_OPTIONS = 5;
    private static final int HOPS = 64;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};
    /** Octets of the addresses and ports that the authenticator covers. */
    private static final int ENDS_LENGTH = 36;

    private ThroughputSegment() {
    }

    /**
     * Makes the frame.
     *
     * @param to     the subflow's five-tuple in the direction of the segment, with hosts: the host is the destination; not null
     * @param option what it says, without authenticator; not null
     * @param key    the key of the authenticator; empty for none; not null
     * @return the Ethernet frame
     */
    static Ethernet frame(FiveTuple to, MpEt option, Optional<byte[]> key) {
        MpEt signed = key.map(secret -> option.withAuthenticator(authenticator(to, option, secret))).orElse(option);
        byte[] options = MptcpOptionEncoder.encode(List.of(signed.option()));
        TCP tcp = new TCP();
        tcp.setSourcePort(to.sourcePort()).setDestinationPort(to.destinationPort())
                .setDataOffset((byte) (WORDS_WITHOUT_OPTIONS + options.length / WORD)).setFlags((short) 0).setOptions(options);
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(to.sourceHost().mac()).setDestinationMACAddress(to.destinationHost().mac());
        if (!to.destinationHost().vlanId().equals(VlanId.NONE)) {
            frame.setVlanID(to.destinationHost().vlanId().toShort());
        }
        if (to.source().isIp4()) {
            IPv4 packet = new IPv4();
            packet.setSourceAddress(to.source().getIp4Address().toInt())
                    .setDestinationAddress(to.destination().getIp4Address().toInt())
                    .setProtocol(IPv4.PROTOCOL_TCP).setTtl((byte) HOPS).setPayload(tcp);
            frame.setEtherType(Ethernet.TYPE_IPV4).setPayload(packet);
        } else {
            IPv6 packet = new IPv6();
            packet.setSourceAddress(to.source().toOctets()).setDestinationAddress(to.destination().toOctets())
                    .setNextHeader(IPv6.PROTOCOL_TCP).setHopLimit((byte) HOPS).setPayload(tcp);
            frame.setEtherType(Ethernet.TYPE_IPV6).setPayload(packet);
        }
        return frame;
    }

    /** Returns the first 64 bits of the HMAC-SHA256 of the segment's ends and of the option up to the authenticator. */
    static long authenticator(FiveTuple to, MpEt option, byte[] key) {
        byte[] said = option.option().toBytes();
        ByteBuffer ends = ByteBuffer.allocate(ENDS_LENGTH).put(octets(to.source())).put(octets(to.destination()))
                .putShort((short) to.sourcePort()).putShort((short) to.destinationPort());
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(ends.array());
            return ByteBuffer.wrap(mac.doFinal(Arrays.copyOf(said, said.length - MpEt.AUTHENTICATOR_LENGTH))).getLong();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }

    /** Returns an address as 16 octets, IPv4 as {@code ::ffff:a.b.c.d}. */
    private static byte[] octets(IpAddress address) {
        byte[] octets = address.toOctets();
        return address.isIp4() ? ByteBuffer.allocate(MAPPED.length + octets.length).put(MAPPED).put(octets).array() : octets;
    }
}
