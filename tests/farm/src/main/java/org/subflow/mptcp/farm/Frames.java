// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.nio.ByteBuffer;

/** Ethernet frames and packet-ins, byte by byte: a farm makes hundreds of thousands. */
final class Frames {
    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int PSH = 0x08;
    static final int ACK = 0x10;

    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int TCP = 20;
    private static final int PROTOCOL_TCP = 6;
    private static final long BROADCAST = 0xffffffffffffL;
    private static final int MINIMUM = 60;

    private static final int PACKET_IN = 10;
    private static final int PACKET_IN_HEADER = 42;
    /** The reason: an action of a rule. */
    private static final int ACTION = 1;
    private static final int NO_BUFFER = -1;

    private Frames() {
    }

    /**
     * {@return a TCP segment over IPv4}
     *
     * @param tuple   its source is the sender
     * @param options of TCP, padded to four bytes
     * @param payload bytes, all of them zeros
     */
    static byte[] segment(Fabric.Host from, Fabric.Host to, Tuple tuple, int flags, int sequence, int acknowledgement, byte[] options,
                          int payload) {
        int tcpLength = TCP + options.length + payload;
        byte[] frame = new byte[Math.max(MINIMUM, ETHERNET + IPV4 + tcpLength)];
        ByteBuffer out = ByteBuffer.wrap(frame);
        ethernet(out, to.mac(), from.mac(), 0x0800);
        out.put((byte) 0x45).put((byte) 0).putShort((short) (IPV4 + tcpLength));
        out.putShort((short) sequence).putShort((short) 0x4000).put((byte) 64).put((byte) PROTOCOL_TCP).putShort((short) 0);
        out.putInt(tuple.source()).putInt(tuple.destination());
        out.putShort(ETHERNET + 10, (short) ~folded(sum(frame, ETHERNET, IPV4)));
        out.putShort((short) tuple.sourcePort()).putShort((short) tuple.destinationPort());
        out.putInt(sequence).putInt((flags & ACK) == 0 ? 0 : acknowledgement);
        out.put((byte) ((TCP + options.length) / 4 << 4)).put((byte) flags).putShort((short) 0xffff).putInt(0).put(options);
        int pseudo = sum(frame, ETHERNET + 12, 8) + PROTOCOL_TCP + tcpLength;
        out.putShort(ETHERNET + IPV4 + 16, (short) ~folded(pseudo + sum(frame, ETHERNET + IPV4, tcpLength)));
        return frame;
    }

    /** {@return a gratuitous ARP request: a host says where it is (RFC 5227)} */
    static byte[] announcement(Fabric.Host host) {
        return arp(1, BROADCAST, host, 0, host.address());
    }

    /** {@return a host's answer to an ARP request, to whoever has asked} */
    static byte[] arpReply(Fabric.Host host, long asker, int askersAddress) {
        return arp(2, asker, host, asker, askersAddress);
    }

    private static byte[] arp(int operation, long destination, Fabric.Host host, long target, int targetAddress) {
        ByteBuffer out = ByteBuffer.allocate(MINIMUM);
        ethernet(out, destination, host.mac(), 0x0806);
        out.putShort((short) 1).putShort((short) 0x0800).put((byte) 6).put((byte) 4).putShort((short) operation);
        mac(out, host.mac());
        out.putInt(host.address());
        mac(out, target);
        out.putInt(targetAddress);
        return out.array();
    }

    /** {@return the packet-in, OpenFlow 1.3, that brings a frame} */
    static byte[] packetIn(int port, int table, long cookie, byte[] frame) {
        ByteBuffer out = ByteBuffer.allocate(PACKET_IN_HEADER + frame.length);
        out.put((byte) 4).put((byte) PACKET_IN).putShort((short) (PACKET_IN_HEADER + frame.length)).putInt(0);
        out.putInt(NO_BUFFER).putShort((short) frame.length).put((byte) ACTION).put((byte) table)
                .putLong(cookie);
        // A match of the port where it came in: OXM_OF_IN_PORT, and padding.
        out.putShort((short) 1).putShort((short) 12).putInt(0x80000004).putInt(port).putInt(0).putShort((short) 0).put(frame);
        return out.array();
    }

    /** {@return the six bytes at an index, as a number} */
    static long mac(byte[] frame, int at) {
        long mac = 0;
        for (int i = 0; i < 6; i++) {
            mac = mac << 8 | frame[at + i] & 0xff;
        }
        return mac;
    }

    /** {@return the EtherType of a frame without tag} */
    static int etherType(byte[] frame) {
        return frame.length < ETHERNET ? 0 : Short.toUnsignedInt(ByteBuffer.wrap(frame).getShort(ETHERNET - 2));
    }

    private static void ethernet(ByteBuffer out, long destination, long source, int type) {
        mac(out, destination);
        mac(out, source);
        out.putShort((short) type);
    }

    private static void mac(ByteBuffer out, long mac) {
        out.putShort((short) (mac >>> 32)).putInt((int) mac);
    }

    private static int sum(byte[] bytes, int from, int length) {
        int sum = 0;
        for (int i = 0; i < length; i++) {
            sum += (bytes[from + i] & 0xff) << (i % 2 == 0 ? 8 : 0);
        }
        return sum;
    }

    private static int folded(int sum) {
        int once = (sum & 0xffff) + (sum >>> 16);
        return (once & 0xffff) + (once >>> 16);
    }
}
