// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.option.MptcpOptionParser;
import org.subflow.mptcp.segment.option.MptcpOptions;
import org.subflow.mptcp.segment.option.OtherOption;

/**
 * What the detection needs of one TCP segment. Immutable. Made by {@link SegmentReader} from packets.
 */
public final class Segment {
    /** TCP flag FIN. */
    public static final int FIN = MptcpOptionParser.FIN;
    /** TCP flag SYN. */
    public static final int SYN = MptcpOptionParser.SYN;
    /** TCP flag RST. */
    public static final int RST = MptcpOptionParser.RST;
    /** TCP flag ACK. */
    public static final int ACK = MptcpOptionParser.ACK;

    private static final ConnectPoint NOWHERE = new ConnectPoint(DeviceId.NONE, PortNumber.ANY);
    private static final byte[] NO_OPTIONS = new byte[0];

    private final FiveTuple fiveTuple;
    private final int flags;
    private final int sequence;
    private final int acknowledgement;
    private final byte[] options;
    private final int payloadLength;
    private final FiveTuple matched;
    private final ConnectPoint port;

    private Segment(FiveTuple fiveTuple, int flags, int sequence, int acknowledgement, byte[] options,
                    int payloadLength, FiveTuple matched, ConnectPoint port) {
        this.fiveTuple = checkNotNull(fiveTuple, "five-tuple");
        this.flags = flags;
        this.sequence = sequence;
        this.acknowledgement = acknowledgement;
        this.options = options;
        checkArgument(payloadLength >= 0, "payload of %s octets", payloadLength);
        this.payloadLength = payloadLength;
        this.matched = matched;
        this.port = port;
    }

    /**
     * Makes a segment.
     *
     * @param fiveTuple       addresses and ports, the source being this segment's sender
     * @param flags           TCP flags as in the header (0x02 SYN, 0x10 ACK, …)
     * @param sequence        sequence number, 32 bits
     * @param acknowledgement acknowledgement number, 32 bits; without meaning unless ACK is set
     * @param options         the header's options with padding; null for none; copied
     * @param payloadLength   octets of payload
     * @return the segment
     */
    public static Segment of(FiveTuple fiveTuple, int flags, int sequence, int acknowledgement, byte[] options,
                             int payloadLength) {
        return new Segment(fiveTuple, flags, sequence, acknowledgement, options == null ? NO_OPTIONS : options.clone(),
                           payloadLength, fiveTuple, NOWHERE);
    }

    /** Returns what a later fragment tells of its segment: the hosts. */
    static Segment laterFragment(FiveTuple withoutPorts) {
        return of(withoutPorts, 0, 0, 0, null, 0);
    }

    /** Returns this segment as the first of its fragments. */
    Segment firstFragment() {
        return new Segment(fiveTuple, flags, sequence, acknowledgement, options, payloadLength, withoutPorts(fiveTuple), port);
    }

    /** Returns this segment as one that came in at a port. */
    public Segment at(ConnectPoint where) {
        return new Segment(fiveTuple, flags, sequence, acknowledgement, options, payloadLength, matched, checkNotNull(where, "port"));
    }

    /** Returns whether this is a later fragment: it tells nothing of a connection. */
    boolean isLaterFragment() {
        return flags == 0 && fiveTuple.sourcePort() == 0 && fiveTuple.destinationPort() == 0;
    }

    private static FiveTuple withoutPorts(FiveTuple tuple) {
        return FiveTuple.of(tuple.source(), 0, tuple.destination(), 0).between(tuple.sourceHost(), tuple.destinationHost());
    }

    /**
     * Returns the five-tuple that switches match: without ports, which are 0, for all fragments (OpenFlow, {@code OFPC_FRAG_NORMAL}).
     */
    FiveTuple matched() {
        return matched;
    }

    /** Returns the switch port where this came in; one of no switch if nobody has said so. */
    public ConnectPoint port() {
        return port;
    }

    /** Returns addresses, ports and hosts, the source being this segment's sender. */
    public FiveTuple fiveTuple() {
        return fiveTuple;
    }

    /** Returns the TCP flags as in the header. */
    public int flags() {
        return flags;
    }

    /** Returns the sequence number. */
    public int sequence() {
        return sequence;
    }

    /** Returns the acknowledgement number, without meaning unless ACK is set. */
    public int acknowledgement() {
        return acknowledgement;
    }

    /** Returns a copy of the header's options with padding; empty for none. */
    public byte[] options() {
        return options.clone();
    }

    /** Returns the options themselves, not to be changed. */
    public byte[] rawOptions() {
        return options;
    }

    /** Returns whether an MPTCP option is there, well-formed or not. */
    public boolean hasMptcp() {
        MptcpOptions read = MptcpOptionParser.parse(options, flags);
        return !read.isEmpty() || !read.malformed.isEmpty();
    }

    /**
     * Returns whether the sender asks, by MP_PRIO for this subflow, to use it as a backup (RFC 8684, section 3.3.8); empty if it
     * does not say.
     */
    public Optional<Boolean> priority() {
        return MptcpOptionParser.parse(options, flags).options.stream().filter(OtherOption.class::isInstance)
                .map(OtherOption.class::cast).filter(OtherOption::isPriority).map(OtherOption::isBackup).findFirst();
    }

    /** Returns the octets of payload. */
    public int payloadLength() {
        return payloadLength;
    }

    /** Returns whether this opens a connection: SYN without ACK, FIN, RST. */
    public boolean isSyn() {
        return (flags & (SYN | ACK | FIN | RST)) == SYN;
    }

    /** Returns whether this has SYN, with or without other flags. */
    public boolean isOpening() {
        return (flags & SYN) != 0;
    }

    /** Returns whether this answers a SYN: SYN and ACK without FIN, RST. */
    public boolean isSynAck() {
        return (flags & (SYN | ACK | FIN | RST)) == (SYN | ACK);
    }

    /** Returns whether this resets a connection: RST without SYN. */
    public boolean isReset() {
        return (flags & (RST | SYN)) == RST;
    }

    /** Returns whether this belongs to an open connection: ACK without SYN, RST; with or without FIN. */
    public boolean isAck() {
        return (flags & (SYN | ACK | RST)) == ACK;
    }

    /** Returns whether FIN is set. */
    public boolean isFin() {
        return (flags & FIN) != 0;
    }

    @Override
    public String toString() {
        return String.format("%s flags 0x%02x seq %s ack %s payload %d", fiveTuple, flags,
                             Integer.toUnsignedString(sequence), Integer.toUnsignedString(acknowledgement),
                             payloadLength);
    }
}
