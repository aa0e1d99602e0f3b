// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks at their time, on a thread that is not the caller's. */
public interface Later {
    /**
     * Submits a task.
     *
     * @param millis how long to wait, milliseconds; 0 for as soon as possible
     * @param task   what to run; not null
     * @return cancels the task unless it runs already
     */
    Runnable after(long millis, Runnable task);

    /** A thread for such tasks. A task that fails is logged. */
    final class OnThread implements Later {
        private static final Logger LOG = LoggerFactory.getLogger(OnThread.class);

        private final ScheduledThreadPoolExecutor executor;

        /**
         * Starts the thread.
         *
         * @param threads makes it; not null
         */
        public OnThread(ThreadFactory threads) {
            executor = new ScheduledThreadPoolExecutor(1, checkNotNull(threads, "threads"),
                                                       new ThreadPoolExecutor.DiscardPolicy());
            executor.setRemoveOnCancelPolicy(true);
        }

        @Override
        public Runnable after(long millis, Runnable task) {
            Future<?> future = executor.schedule(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    LOG.warn("A task for hosts' agents failed; the others go on", e);
                }
            }, millis, TimeUnit.MILLISECONDS);
            return () -> future.cancel(false);
        }

        /** Stops the thread; tasks that wait do not run. */
        public void stop() {
            executor.shutdownNow();
        }
    }
}
