// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the failure of one step or one item from the others, and logs it. Thread-safe. */
public final class OneByOne {
    private static final Logger LOG = LoggerFactory.getLogger(OneByOne.class);
    /** What fails every second must not fill the log. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final AtomicLong LOGGED = new AtomicLong(SteadyClock.SYSTEM.nanos() - PAUSE_NANOS);
    private static final AtomicLong FAILURES = new AtomicLong();

    private OneByOne() {
    }

    /**
     * Does something with each item; whatever fails with one is logged, and the others have their turn.
     *
     * @param items the items; not null
     * @param step  what to do; not null
     */
    public static <T> void forEach(Iterable<T> items, Consumer<? super T> step) {
        for (T item : items) {
            run(() -> step.accept(item), item);
        }
    }

    /**
     * Runs a step; a failure is logged.
     *
     * @param step what to do; not null
     * @param of   what it is about, for the log
     */
    public static void run(Runnable step, Object of) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            FAILURES.incrementAndGet();
            long now = SteadyClock.SYSTEM.nanos();
            long last = LOGGED.get();
            if (now - last >= PAUSE_NANOS && LOGGED.compareAndSet(last, now)) {
                LOG.error("Failed for {}; the others go on, and this one is tried again", of, e);
            }
        }
    }

    /** Returns how many steps have failed since the start. */
    public static long failures() {
        return FAILURES.get();
    }
}
