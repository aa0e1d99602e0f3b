// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Attachments;

/**
 * Takes TCP packets in, has them tracked, and forwards each by packet-out straight to the switch port of the host that its
 * frame goes to.
 *
 * <p>It leaves those alone that another application has handled. Frames to a host that ONOS does not know at the moment are
 * forwarded by other applications, which find it. The interceptor tracks them all the same, else their connection would never
 * be known.
 *
 * <p>At a switch that copies SYN, FIN and RST ({@link FlagCopies}), the copies tell enough. There it takes packets only of
 * connections that the application waits for, and those that no other application forwards.
 *
 * <p>Many packets may come while rules are on their way. A five-tuple gets none for want of a path, or because its source is not
 * known where it comes in. It forwards few packets of such a one ({@link Allowances}). Then it has the switches forward them from the
 * port where they come in.
 *
 * <p>Only packets from where their source is attached are tracked: {@link SourceCheck}.
 */
public final class PacketInterceptor implements PacketProcessor {
    /** So many packets of a five-tuple at once: what a fast connection sends until its rules come. */
    static final int BURST = 2000;
    /** And so many in each second. */
    static final int PER_SECOND = 100;

    /** After all applications that forward packets: stock reactive forwarding is the second. */
    private static final int LAST = PacketProcessor.director(100_000);

    private final PacketService packets;
    private final Attachments attachments;
    private final SegmentReader reader;
    private final FlagCopies copies;
    private final SourceCheck sources;
    private final PacketOwner owner;
    private final DetectCounters counters;
    private final Allowances<FiveTuple> relayed = new Allowances<>(PER_SECOND, BURST);
    private final LongSupplier clockNanos;
    private final PacketProcessor last = this::processUnclaimed;

    /**
     * Makes an interceptor.
     *
     * @param packets     ONOS's packet service; not null
     * @param attachments finds destinations; not null
     * @param copies      which switches copy segments; not null
     * @param counters    counts; not null
     * @param sources     tracks what comes from where its source is attached; not null
     * @param owner       knows which packets are for the application; not null
     * @param clockNanos  a monotonic clock, nanoseconds; not null
     */
    public PacketInterceptor(PacketService packets, Attachments attachments, FlagCopies copies, DetectCounters counters,
                             SourceCheck sources, PacketOwner owner, LongSupplier clockNanos) {
        this.packets = checkNotNull(packets, "packets");
        this.attachments = checkNotNull(attachments, "attachments");
        this.copies = checkNotNull(copies, "copies");
        this.sources = checkNotNull(sources, "sources");
        this.owner = checkNotNull(owner, "owner");
        this.counters = checkNotNull(counters, "counters");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.reader = new SegmentReader(counters);
    }

    /** Starts taking packets in. */
    public void start() {
        packets.addProcessor(this, PacketProcessor.advisor(1));
        packets.addProcessor(last, LAST);
    }

    /** Takes no further packet in. */
    public void stop() {
        packets.removeProcessor(this);
        packets.removeProcessor(last);
    }

    @Override
    public void process(PacketContext context) {
        if (context.isHandled()) {
            return;
        }
        InboundPacket in = context.inPacket();
        Optional<Segment> segment = reader.read(in);
        if (!segment.isPresent()) {
            return;
        }
        if (copies.on(in.receivedFrom().deviceId()) && !owner.isAwaited(segment.get().fiveTuple())) {
            return;
        }
        Optional<ConnectPoint> out = port(segment.get());
        if (!out.isPresent()) {
            counters.increment(Counter.IGNORED_UNKNOWN_HOST);
            sources.track(in, segment.get(), SourceCheck::nothing, SourceCheck::nothing);
            return;
        }
        if (copies.on(in.receivedFrom().deviceId()) && sources.isFromElsewhere(in, segment.get())) {
            // Others forward it with rules: a flood of forged packets then stays in the switches.
            sources.track(in, segment.get(), SourceCheck::nothing, SourceCheck::nothing);
            return;
        }
        take(context, segment.get(), out.get(), SourceCheck::nothing);
    }

    private Optional<ConnectPoint> port(Segment segment) {
        return attachments.destination(segment.fiveTuple());
    }

    /** Tracks a packet that another application forwards, at another ONOS node. */
    public void observe(InboundPacket in) {
        reader.read(in).filter(segment -> !copies.on(in.receivedFrom().deviceId()) || owner.isAwaited(segment.fiveTuple()))
                .ifPresent(segment -> sources.track(in, segment, SourceCheck::nothing, SourceCheck::nothing));
    }

    /** Takes a packet that all other applications have left, at a switch that copies segments. */
    public void processUnclaimed(PacketContext context) {
        InboundPacket in = context.inPacket();
        if (context.isHandled() || !copies.on(in.receivedFrom().deviceId())) {
            return;
        }
        reader.read(in).ifPresent(segment -> port(segment).ifPresent(
                out -> take(context, segment, out, () -> owner.unclaimed(segment.fiveTuple()))));
    }

    /** Takes the copy of a segment that the switches forward. */
    public void processCopy(PacketContext context) {
        InboundPacket in = context.inPacket();
        reader.read(in).ifPresent(segment -> sources.copied(in, segment));
    }

    /** Takes a SYN that the switch does not forward, also one to an interface: no other application sees it. */
    public void processDiverted(PacketContext context) {
        InboundPacket in = context.inPacket();
        reader.read(in).ifPresent(segment -> attachments.port(segment.fiveTuple().reversed())
                .ifPresent(out -> take(context, segment, out, SourceCheck::nothing)));
    }

    private void take(PacketContext context, Segment segment, ConnectPoint out, Runnable ifValid) {
        InboundPacket in = context.inPacket();
        context.block();
        // Hosts behind the port where the packet came in have received it already.
        if (out.equals(in.receivedFrom())) {
            return;
        }
        if (!relayed.admits(segment.matched(), 1, clockNanos.getAsLong())) {
            counters.increment(Counter.RELAY_LIMIT);
            if (!segment.isOpening()) {
                owner.overflowed(segment.matched(), in.receivedFrom());
            }
        } else {
            sources.track(in, segment, ifValid, () -> forward(in, out));
        }
    }

    private void forward(InboundPacket in, ConnectPoint out) {
        packets.emit(PacketsOut.through(out, in.unparsed()));
    }
}
