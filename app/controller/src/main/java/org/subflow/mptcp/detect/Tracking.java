// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks segments on one thread of its own behind a bounded queue. So a flood keeps neither ONOS's packet threads nor the
 * control loop busy. Segments that find the queue full are dropped and counted; TCP sends them again.
 */
public final class Tracking {
    private static final Logger LOG = LoggerFactory.getLogger(Tracking.class);

    private final HandshakeTracker tracker;
    private final DetectCounters counters;
    private final SegmentHandler handler;
    private final ThreadPoolExecutor executor;
    private final int mostWaiting;

    /**
     * Makes it.
     *
     * @param tracker     tracks handshakes; used by the tracking thread only; not null
     * @param counters    counts; not null
     * @param handler     told what segments tell; not null
     * @param threads     makes the tracking thread; not null
     * @param mostWaiting how many segments may wait
     */
    public Tracking(HandshakeTracker tracker, DetectCounters counters, SegmentHandler handler, ThreadFactory threads,
                    int mostWaiting) {
        this.tracker = checkNotNull(tracker, "tracker");
        this.counters = checkNotNull(counters, "counters");
        this.handler = checkNotNull(handler, "handler");
        this.mostWaiting = mostWaiting;
        this.executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(mostWaiting), threads);
    }

    /** Ends the tracking thread. */
    public void stop() {
        executor.shutdownNow();
    }

    /** Lets handshakes time out although no packet comes; to be called every few seconds. */
    public void expire() {
        executeIfIdle(() -> tracker.expire(System.nanoTime()));
    }

    /** Lets connections grow older although no packet comes; to be called several times a second. */
    public void age() {
        executeIfIdle(() -> handler.age(System.nanoTime()));
    }

    /** Removes what nobody needs any more; to be called every few seconds. */
    public void sweep() {
        executeIfIdle(handler::sweep);
    }

    private void executeIfIdle(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Too many segments wait: what time brings comes a moment later");
        }
    }

    /**
     * Tracks a segment that the controller forwards.
     *
     * @param segment the segment; not null
     * @param forward forwards it, or drops it by not being called
     */
    void track(Segment segment, Runnable forward) {
        execute(() -> trackSafely(segment, forward));
    }

    /**
     * Tracks a copy of a segment that the switches forward. If too many wait, those that begin a connection give way: it then
     * has no paths. Without those that end one, its paths would outlive it.
     */
    void copied(Segment segment) {
        if (segment.isOpening() && executor.getQueue().remainingCapacity() < mostWaiting / 2) {
            counters.increment(Counter.QUEUE_FULL);
            return;
        }
        execute(() -> {
            try {
                copiedNow(segment);
            } catch (RuntimeException | Error e) {
                LOG.error("Tracking a copy of {} failed", segment.fiveTuple(), e);
            }
        });
    }

    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            counters.increment(Counter.QUEUE_FULL);
        }
    }

    private void trackSafely(Segment segment, Runnable forward) {
        try {
            trackNow(segment, forward);
        } catch (RuntimeException | Error e) {
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
        } else if (segment.isOpening() || !handler.counted(segment, now)) {
            if (decision.kind() == Decision.Kind.UNKNOWN_MIDSTREAM) {
                handler.midstream(segment.fiveTuple(), decision.confirmed());
            }
        }
        forward.run();
    }

    private void copiedNow(Segment segment) {
        long now = System.nanoTime();
        tracker.processCopy(segment, now).event().ifPresent(event -> {
            event.tell(handler);
            tracker.overtakenJoins(now).forEach(join -> join.tell(handler));
        });
        if (!segment.isOpening() && (segment.isFin() || segment.isReset())) {
            handler.ended(segment);
        }
    }
}
