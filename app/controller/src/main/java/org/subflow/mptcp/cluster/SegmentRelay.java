// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.cluster.RelayedPacket.Kind;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.FlaggedSegments;
import org.subflow.mptcp.segment.PacketsOut;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.SegmentReader;
import org.subflow.mptcp.topology.Attachments;

/**
 * Sends the TCP packets that this node gets to the node that decides, which tracks them. Without such a node, or if too many
 * are under way, a packet is forwarded here. The next node that decides gets the copies of segments that came without one.
 */
public final class SegmentRelay {
    private static final int LAST = PacketProcessor.director(100_000);

    private final PacketService packets;
    private final Attachments attachments;
    private final FlagCopies copies;
    private final FlaggedSegments segments;
    private final BooleanSupplier mayBlockJoins;
    private final RelaySender sender;
    private final SegmentReader reader;
    private final PacketProcessor first = this::process;
    private final PacketProcessor last = this::processUnclaimed;
    private boolean started;

    /**
     * Makes a relay; nothing happens before {@link #start}.
     *
     * @param mayBlockJoins whether an MP_JOIN may be blocked, so that SYNs wait in the controller; not null
     */
    public SegmentRelay(PacketService packets, Attachments attachments, FlagCopies copies, DetectCounters counters,
                        FlaggedSegments segments, BooleanSupplier mayBlockJoins, RelaySender sender) {
        this.packets = checkNotNull(packets, "packets");
        this.attachments = checkNotNull(attachments, "attachments");
        this.copies = checkNotNull(copies, "copies");
        this.segments = checkNotNull(segments, "segments");
        this.mayBlockJoins = checkNotNull(mayBlockJoins, "mayBlockJoins");
        this.sender = checkNotNull(sender, "sender");
        this.reader = new SegmentReader(counters);
    }

    /** Begins to take packets. */
    public synchronized void start() {
        started = true;
        packets.addProcessor(first, PacketProcessor.advisor(1));
        packets.addProcessor(last, LAST);
        takeSegments();
        divertWhereJoinsAreBlocked();
    }

    /** Takes the segments of the southbound from now on, until somebody else does. */
    public void takeSegments() {
        segments.give(this::processCopy, this::processDiverted);
    }

    /** Takes no further packet but segments of the southbound, until somebody else takes these. */
    public synchronized void stop() {
        if (!started) {
            return;
        }
        started = false;
        packets.removeProcessor(first);
        packets.removeProcessor(last);
    }

    /** Follows the settings; to be called often. */
    public synchronized void divertWhereJoinsAreBlocked() {
        if (started) {
            segments.divert(mayBlockJoins.getAsBoolean());
        }
    }

    /** Sends what had to wait; to be called several times a second. */
    public void retry() {
        sender.retry();
    }

    /** Gives what waits to this node, which decides from now on. */
    public void handOver(Consumer<RelayedPacket> receiver) {
        sender.handOver(receiver);
    }

    private void process(PacketContext context) {
        InboundPacket in = context.inPacket();
        Optional<Segment> segment = context.isHandled() ? Optional.empty() : reader.read(in);
        if (!segment.isPresent()) {
            return;
        }
        Optional<ConnectPoint> out = port(segment.get());
        if (isCopying(in) || !out.isPresent()) {
            // Other applications forward it.
            sender.send(Kind.OBSERVED, in);
        } else {
            take(context, Kind.TAKEN, out.get());
        }
    }

    private void processUnclaimed(PacketContext context) {
        InboundPacket in = context.inPacket();
        if (!context.isHandled() && isCopying(in)) {
            reader.read(in).flatMap(this::port).ifPresent(out -> take(context, Kind.UNCLAIMED, out));
        }
    }

    /** Takes the copy of a segment that the switches forward. */
    public void processCopy(PacketContext context) {
        reader.read(context.inPacket()).ifPresent(segment -> sender.send(Kind.COPY, context.inPacket()));
    }

    private void processDiverted(PacketContext context) {
        InboundPacket in = context.inPacket();
        // No other application sees it.
        reader.read(in).flatMap(segment -> attachments.port(segment.fiveTuple().reversed()))
                .ifPresent(out -> take(context, Kind.DIVERTED, out));
    }

    private void take(PacketContext context, Kind kind, ConnectPoint out) {
        InboundPacket in = context.inPacket();
        context.block();
        // Hosts behind the port where the packet came in have received it already.
        if (!out.equals(in.receivedFrom()) && !sender.send(kind, in)) {
            packets.emit(PacketsOut.through(out, in.unparsed()));
        }
    }

    private boolean isCopying(InboundPacket in) {
        return copies.on(in.receivedFrom().deviceId());
    }

    private Optional<ConnectPoint> port(Segment segment) {
        return attachments.destination(segment.fiveTuple());
    }
}
