// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.segment.Counter;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.Segment;
import org.subflow.mptcp.segment.SegmentTracking;

/**
 * Tracks segments one after the other, on a thread of its own behind a bounded queue. So a flood keeps neither ONOS's packet
 * threads nor the control loop busy. Segments that find the queue full are dropped and counted; TCP sends them again.
 *
 * <p>A segment that the controller forwards waits for nobody if no other one waits: ONOS's packet thread tracks it at once.
 * A change of threads would delay the set-up of its connection.
 */
public final class Tracking implements SegmentTracking {
    private static final Logger LOG = LoggerFactory.getLogger(Tracking.class);

    private final HandshakeTracker tracker;
    private final DetectCounters counters;
    private final SegmentHandler handler;
    private final ThreadPoolExecutor executor;
    private final int mostWaiting;
    private final LongSupplier nanos;
    /** Held by whoever tracks at the moment. */
    private final ReentrantLock turn = new ReentrantLock();
    /** Tasks for the tracking thread that are not done. */
    private final AtomicInteger undone = new AtomicInteger();

    /**
     * Makes it.
     *
     * @param tracker     tracks handshakes; used by one thread at a time; not null
     * @param counters    counts; not null
     * @param handler     told what segments tell; not null
     * @param threads     makes the tracking thread; not null
     * @param mostWaiting how many segments may wait
     * @param nanos       a monotonic clock, nanoseconds; not null
     */
    public Tracking(HandshakeTracker tracker, DetectCounters counters, SegmentHandler handler, ThreadFactory threads,
                    int mostWaiting, LongSupplier nanos) {
        this.tracker = checkNotNull(tracker, "tracker");
        this.counters = checkNotNull(counters, "counters");
        this.handler = checkNotNull(handler, "handler");
        this.mostWaiting = mostWaiting;
        this.nanos = checkNotNull(nanos, "nanos");
        this.executor = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(mostWaiting), threads);
    }

    /** Ends the tracking thread. */
    public void stop() {
        executor.shutdownNow();
    }

    /** Lets handshakes time out although no packet comes; to be called every few seconds. */
    public void expire() {
        executeIfIdle(() -> tracker.expire(nanos.getAsLong()));
    }

    /** Lets connections grow older although no packet comes; to be called several times a second. */
    public void age() {
        executeIfIdle(() -> handler.age(nanos.getAsLong()));
    }

    /** Removes what nobody needs any more; to be called every few seconds. */
    public void sweep() {
        executeIfIdle(handler::sweep);
    }

    private void executeIfIdle(Runnable task) {
        if (!submit(task)) {
            LOG.debug("Too many segments wait: what time brings comes a moment later");
        }
    }

    @Override
    public void track(Segment segment, Runnable forward) {
        Runnable task = () -> trackSafely(segment, forward);
        if (!runNow(task)) {
            execute(task);
        }
    }

    @Override
    public void copied(Segment segment) {
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
        if (!submit(task)) {
            counters.increment(Counter.QUEUE_FULL);
        }
    }

    /** Has the tracking thread do something; returns false if too much waits. */
    private boolean submit(Runnable task) {
        undone.incrementAndGet();
        try {
            executor.execute(() -> {
                turn.lock();
                try {
                    task.run();
                } finally {
                    turn.unlock();
                    undone.decrementAndGet();
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            undone.decrementAndGet();
            return false;
        }
    }

    /** Does something on this thread, unless it would overtake something or wait; returns whether it has. */
    private boolean runNow(Runnable task) {
        if (undone.get() > 0 || executor.isShutdown() || turn.isHeldByCurrentThread() || !turn.tryLock()) {
            return false;
        }
        try {
            task.run();
        } finally {
            turn.unlock();
        }
        return true;
    }

    private void trackSafely(Segment segment, Runnable forward) {
        try {
            trackNow(segment, forward);
        } catch (RuntimeException | Error e) {
            LOG.error("Tracking {} failed; the packet is forwarded all the same", segment.fiveTuple(), e);
            forward.run();
        }
    }

    void trackNow(Segment segment, Runnable forward) {
        long now = nanos.getAsLong();
        Decision decision = tracker.process(segment, now);
        if (decision.joinAttempt.isPresent()) {
            handler.joinAttempted(decision.joinAttempt.get(), forward);
            return;
        }
        noteBegin(segment, decision);
        if (decision.event.isPresent()) {
            decision.event.get().tell(handler);
        } else if (segment.isOpening() || !handler.counted(segment, now)) {
            if (decision.kind == Decision.Kind.UNKNOWN_MIDSTREAM) {
                handler.midstream(segment, decision.confirmed);
            }
        }
        forward.run();
    }

    private void noteBegin(Segment segment, Decision decision) {
        if (segment.isSyn() && decision.joinAttempt.isEmpty()) {
            handler.began(segment.fiveTuple());
        }
    }

    void copiedNow(Segment segment) {
        long now = nanos.getAsLong();
        Decision decision = tracker.processCopy(segment, now);
        noteBegin(segment, decision);
        decision.event.ifPresent(event -> {
            event.tell(handler);
            tracker.overtakenJoins(now).forEach(join -> join.tell(handler));
        });
        if (!segment.isOpening() && (segment.isFin() || segment.isReset())) {
            handler.ended(segment);
        }
    }
}
