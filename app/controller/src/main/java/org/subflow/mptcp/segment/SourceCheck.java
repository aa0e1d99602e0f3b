// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.net.packet.PacketService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.HeldSegments.Held;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.SourceValidation;
import org.subflow.mptcp.topology.SourceValidation.Verdict;

/**
 * Hands those segments to the tracking whose source is attached where they came in. Others are forwarded and counted, but open,
 * join, wake and end nothing.
 *
 * <p>The event of a new host, or of one that has moved, follows its first frame. So a segment is held back for a moment if ONOS
 * does not know its source there, and judged when the event comes. A source that is new altogether is asked for its address, as
 * ONOS may learn of it by that alone. Meanwhile the packet itself goes on, but for the SYN of a
 * source that is new altogether: its answer must not overtake it. Thread-safe.
 */
public final class SourceCheck implements HostListener {
    private static final Logger LOG = LoggerFactory.getLogger(SourceCheck.class);

    private final SourceValidation validation;
    private final Attachments attachments;
    private final FlagCopies copies;
    private final SegmentTracking tracking;
    private final LongSupplier clockNanos;
    private final AddressProbe probe;
    private final PortCounts spoofed;
    private final HeldSegments held = new HeldSegments();

    /**
     * Makes it.
     *
     * @param validation  says where sources are attached; not null
     * @param attachments finds the switches of sources; not null
     * @param copies      which switches copy segments; not null
     * @param tracking    tracks what counts; not null
     * @param counters    counts; not null
     * @param clockNanos  a monotonic clock, nanoseconds; not null
     * @param packets     ONOS's packet service, to ask hosts for their addresses; not null
     */
    public SourceCheck(SourceValidation validation, Attachments attachments, FlagCopies copies, SegmentTracking tracking,
                       DetectCounters counters, LongSupplier clockNanos, PacketService packets) {
        this.validation = checkNotNull(validation, "validation");
        this.attachments = checkNotNull(attachments, "attachments");
        this.copies = checkNotNull(copies, "copies");
        this.tracking = checkNotNull(tracking, "tracking");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.probe = new AddressProbe(packets);
        this.spoofed = new PortCounts(counters, Counter.SPOOFED, (tuple, port) -> LOG.warn(
                "TCP from {} ({}) comes in at {}, where ONOS knows no such host: it opens, joins and ends no connection",
                tuple.source(), tuple.sourceHost(), port));
    }

    /** Returns whether a packet came in at a host's port to which its source is not attached. */
    boolean isFromElsewhere(InboundPacket in, Segment segment) {
        Verdict verdict = verdict(in, segment);
        return verdict == Verdict.ELSEWHERE || verdict == Verdict.UNKNOWN;
    }

    /**
     * Takes a copy of a segment that the switches forward.
     *
     * @param in      its packet; not null
     * @param segment the segment; not null
     */
    void copied(InboundPacket in, Segment segment) {
        Runnable counts = () -> {
            note(in, segment);
            tracking.copied(segment);
        };
        switch (verdict(in, segment)) {
            case VALID:
                counts.run();
                break;
            case BETWEEN_SWITCHES:
                // The switch at the edge has sent a copy, too.
                break;
            default:
                hold(in, segment, counts, SourceCheck::nothing);
                break;
        }
    }

    /**
     * Takes a segment that the controller forwards.
     *
     * @param in      its packet; not null
     * @param segment the segment; not null
     * @param ifValid done before the segment is tracked; not null
     * @param forward forwards it; not null
     */
    void track(InboundPacket in, Segment segment, Runnable ifValid, Runnable forward) {
        if (segment.isLaterFragment()) {
            forward.run();
            return;
        }
        switch (verdict(in, segment)) {
            case VALID:
                counts(in, segment, ifValid, forward);
                break;
            case BETWEEN_SWITCHES:
                trackBetweenSwitches(in, segment, forward);
                break;
            case UNKNOWN:
                if (segment.isSyn()) {
                    hold(in, segment, () -> counts(in, segment, ifValid, forward), forward);
                    break;
                }
                forwardAndHold(in, segment, ifValid, forward);
                break;
            default:
                forwardAndHold(in, segment, ifValid, forward);
                break;
        }
    }

    /** Does nothing; for callers that have nothing to do in a case. */
    static void nothing() {
        // By design.
    }

    private void forwardAndHold(InboundPacket in, Segment segment, Runnable ifValid, Runnable forward) {
        forward.run();
        hold(in, segment, () -> counts(in, segment, ifValid, SourceCheck::nothing), SourceCheck::nothing);
    }

    private void counts(InboundPacket in, Segment segment, Runnable ifValid, Runnable forward) {
        note(in, segment);
        ifValid.run();
        tracking.track(segment, forward);
    }

    /**
     * A switch in the midst of the network shows what has lost its rule there. A rule of ours has let it in at the edge, and
     * matched its port, if that switch shows everything else to the controller.
     */
    private void trackBetweenSwitches(InboundPacket in, Segment segment, Runnable forward) {
        boolean letInByRule = !segment.isOpening() && showsAll(in.receivedFrom())
                && attachments.port(segment.fiveTuple()).filter(this::showsAll).isPresent();
        if (letInByRule) {
            tracking.track(segment, forward);
        } else {
            forward.run();
        }
    }

    private boolean showsAll(ConnectPoint port) {
        return !copies.on(port.deviceId());
    }

    private void note(InboundPacket in, Segment segment) {
        attachments.cameIn(segment.fiveTuple(), in.receivedFrom());
        if (validation.note(segment.fiveTuple())) {
            // Copies of the leg behind the router may have come before.
            release(held.all());
        }
    }

    private Verdict verdict(InboundPacket in, Segment segment) {
        return validation.verdict(segment.fiveTuple(), in.receivedFrom());
    }

    private void hold(InboundPacket in, Segment segment, Runnable ifValid, Runnable otherwise) {
        FiveTuple tuple = segment.fiveTuple();
        ConnectPoint port = in.receivedFrom();
        Held one = new Held(tuple, port, ifValid, otherwise, clockNanos.getAsLong());
        boolean isFirst = held.of(tuple.sourceHost()).isEmpty();
        if (!held.add(one)) {
            spoofed.note(tuple, port);
            otherwise.run();
            return;
        }
        if (isFirst && validation.verdict(tuple, port) == Verdict.UNKNOWN) {
            probe.ask(tuple, port);
        }
        if (isValid(one) && held.take(one)) {
            // The event has come between the two looks.
            ifValid.run();
        }
    }

    private boolean isValid(Held one) {
        return validation.verdict(one.tuple, one.port) == Verdict.VALID;
    }

    @Override
    public void event(HostEvent event) {
        if (event.type() == HostEvent.Type.HOST_REMOVED) {
            return;
        }
        release(held.of(event.subject().id()));
    }

    private void release(List<Held> waiting) {
        for (Held one : waiting) {
            if (isValid(one) && held.take(one)) {
                one.ifValid.run();
            }
        }
    }

    /** Judges what has been held back for long enough; to be called several times a second. */
    public void age() {
        for (Held one : held.takeOld(clockNanos.getAsLong())) {
            Verdict verdict = validation.verdict(one.tuple, one.port);
            if (verdict == Verdict.VALID) {
                one.ifValid.run();
                continue;
            }
            // A link has been found there meanwhile.
            if (verdict != Verdict.BETWEEN_SWITCHES) {
                spoofed.note(one.tuple, one.port);
            }
            one.otherwise.run();
        }
    }

    /** Returns how many segments are held back. */
    public int held() {
        return held.size();
    }

    /** Returns the counts of spoofed segments by name, {@code spoofed.PORT}, for ports that have any. */
    public Map<String, Long> spoofedByPort() {
        return spoofed.byPort();
    }
}
