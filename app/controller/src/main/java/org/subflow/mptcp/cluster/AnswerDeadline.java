// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.onlab.util.Tools.groupedThreads;

import com.google.common.base.Throwables;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks ONOS's stores, and gives a question up whose answer is late. ONOS waits 15 s for an answer that got lost with the
 * connection to a storage node. The same question asked anew is answered as soon as the storage node is back.
 */
public final class AnswerDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerDeadline.class);
    /** More questions than this are not under way at once, should ONOS not let go of those given up. */
    private static final int MOST = 16;

    private final long mostMillis;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, MOST, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), groupedThreads("onos/mptcp", "ask-%d", LOG));

    /** Makes it; {@code mostMillis}: how long an answer may take. */
    public AnswerDeadline(long mostMillis) {
        this.mostMillis = mostMillis;
    }

    /**
     * Asks.
     *
     * @param question may be asked more often than it is answered; not null
     * @throws RuntimeException if the question fails, or is not answered in time
     */
    public <T> T ask(Supplier<T> question) {
        Future<T> answer = threads.submit(question::get);
        try {
            return answer.get(mostMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new IllegalStateException("no answer within " + mostMillis + " ms", e);
        } catch (ExecutionException e) {
            Throwables.throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the question has been given up", e);
        }
    }

    /** Gives all questions up. */
    public void stop() {
        threads.shutdownNow();
    }
}
