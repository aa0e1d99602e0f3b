// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.packet.DefaultOutboundPacket;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketContext;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.Attachments.Obstacle;

/**
 * Takes TCP packets in, has them tracked, and forwards each by packet-out straight to its destination's switch port.
 *
 * <p>It leaves VLAN-tagged packets alone, and those that another application has handled. Packets to a destination that
 * ONOS does not know at the moment are forwarded by other applications, which find it. The interceptor tracks them all
 * the same, else their connection would never be known.
 *
 * <p>Tracking runs on one thread of its own behind a bounded queue. So a flood keeps neither ONOS's packet threads nor the
 * control loop busy. The interceptor drops and counts packets that find the queue full; TCP sends them again.
 */
public final class PacketInterceptor implements PacketProcessor {
    /** Takes what the packets tell. Called on the tracking thread: must return soon. */
    public interface Handler extends HandshakeEvent.Listener {
        /**
         * An MP_JOIN has begun. Forward its SYN by calling {@code forward}, now or soon, or drop it by not doing so.
         */
        void joinAttempted(JoinAttempt attempt, Runnable forward);

        /**
         * A segment that follows the handshake of a connection, or ends it.
         *
         * @param segment the segment, without SYN
         * @param now     nanoseconds
         * @return whether the connection is remembered as one without rules
         */
        boolean counted(Segment segment, long now);

        /**
         * Time has passed; called many times a second.
         *
         * @param now nanoseconds
         */
        void age(long now);

        /**
         * A packet of a connection whose handshake was not seen, or whose rules have gone.
         *
         * @param tuple     its five-tuple
         * @param confirmed whether packets of both directions were seen that fit together
         */
        void midstream(FiveTuple tuple, boolean confirmed);
    }

    private static final Logger LOG = LoggerFactory.getLogger(PacketInterceptor.class);
    /** What begins with a packet to such a destination is others' matter. */
    private static final Set<Obstacle> LEFT_ALONE = Sets.immutableEnumSet(Obstacle.SEVERAL_HOSTS, Obstacle.TAGGED);

    private final PacketService packets;
    private final Attachments attachments;
    private final SegmentReader reader;
    private final HandshakeTracker tracker;
    private final Ignored ignored;
    private final DetectCounters counters;
    private final Handler handler;
    private final ThreadPoolExecutor executor;

    /**
     * Makes an interceptor.
     *
     * @param packets     ONOS's packet service; not null
     * @param attachments finds destinations; not null
     * @param tracker     tracks handshakes; used by this interceptor's thread only; not null
     * @param ignored     told what is left to other applications; not null
     * @param counters    counts; not null
     * @param handler     told what the packets tell; not null
     * @param threads     makes the tracking thread; not null
     * @param mostWaiting how many packets may wait
     */
    public PacketInterceptor(PacketService packets, Attachments attachments, HandshakeTracker tracker,
                             Ignored ignored, DetectCounters counters, Handler handler, ThreadFactory threads,
                             int mostWaiting) {
        this.packets = checkNotNull(packets, "packets");
        this.attachments = checkNotNull(attachments, "attachments");
        this.tracker = checkNotNull(tracker, "tracker");
        this.ignored = checkNotNull(ignored, "ignored");
        this.counters = checkNotNull(counters, "counters");
        this.handler = checkNotNull(handler, "handler");
        this.reader = new SegmentReader(counters);
        this.executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(mostWaiting),
                                               threads);
    }

    /** Starts taking packets in. */
    public void start() {
        packets.addProcessor(this, PacketProcessor.advisor(1));
    }

    /** Takes no further packet in, and ends the tracking thread. */
    public void stop() {
        packets.removeProcessor(this);
        executor.shutdownNow();
    }

    /** Lets handshakes time out although no packet comes; to be called every few seconds. */
    public void expire() {
        try {
            executor.execute(() -> tracker.expire(System.nanoTime()));
        } catch (RejectedExecutionException e) {
            LOG.debug("Too many packets wait: they let handshakes time out as well");
        }
    }

    /** Lets connections grow older although no packet comes; to be called several times a second. */
    public void age() {
        try {
            executor.execute(() -> handler.age(System.nanoTime()));
        } catch (RejectedExecutionException e) {
            LOG.debug("Too many packets wait: connections grow older a moment later");
        }
    }

    @Override
    public void process(PacketContext context) {
        if (context.isHandled()) {
            return;
        }
        InboundPacket in = context.inPacket();
        Ethernet frame = in.parsed();
        if (frame == null) {
            return;
        }
        Optional<Segment> segment = reader.read(frame);
        if (!segment.isPresent()) {
            return;
        }
        if (frame.getVlanID() != Ethernet.VLAN_UNTAGGED) {
            ignored.tagged(in.receivedFrom(), frame.getVlanID());
            return;
        }
        IpAddress destination = segment.get().fiveTuple().destination();
        Optional<ConnectPoint> out = attachments.anyPort(destination);
        if (!out.isPresent()) {
            Optional<Obstacle> obstacle = attachments.obstacle(destination);
            obstacle.ifPresent(found -> ignored.destination(destination, found));
            // With no such obstacle any more the host has been found between the two looks.
            if (!obstacle.filter(LEFT_ALONE::contains).isPresent()) {
                track(segment.get(), () -> { });
            }
            return;
        }
        context.block();
        // Hosts behind the port where the packet came in have received it already.
        if (!out.get().equals(in.receivedFrom())) {
            track(segment.get(), () -> forward(in, out.get()));
        }
    }

    private void track(Segment segment, Runnable forward) {
        try {
            executor.execute(() -> trackSafely(segment, forward));
        } catch (RejectedExecutionException e) {
            counters.increment(Counter.QUEUE_FULL);
        }
    }

    private void trackSafely(Segment segment, Runnable forward) {
        try {
            trackNow(segment, forward);
        } catch (RuntimeException e) {
            LOG.error("Tracking {} failed; the packet is forwarded all the same", segment.fiveTuple(), e);
            forward.run();
        }
    }

    private void trackNow(Segment segment, Runnable forward) {
        long now = System.nanoTime();
        Decision decision = tracker.process(segment, now);
        if (decision.joinAttempt().isPresent()) {
            handler.joinAttempted(decision.joinAttempt().get(), forward);
            return;
        }
        if (decision.event().isPresent()) {
            decision.event().get().tell(handler);
        } else if (!follows(segment) || !handler.counted(segment, now)) {
            if (decision.kind() == Decision.Kind.UNKNOWN_MIDSTREAM) {
                handler.midstream(segment.fiveTuple(), decision.confirmed());
            }
        }
        forward.run();
    }

    private static boolean follows(Segment segment) {
        return (segment.flags() & Segment.SYN) == 0;
    }

    private void forward(InboundPacket in, ConnectPoint out) {
        packets.emit(new DefaultOutboundPacket(
                out.deviceId(),
                DefaultTrafficTreatment.builder().setOutput(out.port()).build(),
                in.unparsed()));
    }
}
