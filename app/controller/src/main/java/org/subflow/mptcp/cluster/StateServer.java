// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the state of the node that decides to other nodes that ask for it. */
public final class StateServer {
    /** The subject of the messages. */
    static final MessageSubject SUBJECT = new MessageSubject("onos-mptcp-state");

    private static final Logger LOG = LoggerFactory.getLogger(StateServer.class);
    private static final int MOST_WAITING = 16;

    private final ClusterCommunicationService communication;
    private final Supplier<byte[]> state;
    private final ThreadPoolExecutor thread;

    /**
     * Makes a server; nobody can ask before {@link #start}.
     *
     * @param communication ONOS's cluster communication; not null
     * @param threads       makes its thread; not null
     * @param state         the state as bytes; not null
     */
    public StateServer(ClusterCommunicationService communication, ThreadFactory threads, Supplier<byte[]> state) {
        this.communication = checkNotNull(communication, "communication");
        this.state = checkNotNull(state, "state");
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), threads);
    }

    /** Begins to answer. */
    public void start() {
        Executor bounded = task -> {
            try {
                thread.execute(task);
            } catch (RejectedExecutionException e) {
                LOG.debug("Too many questions of other nodes: one is not answered");
            }
        };
        Function<byte[], byte[]> answer = question -> state.get();
        communication.addSubscriber(SUBJECT, Function.<byte[]>identity(), answer, Function.<byte[]>identity(), bounded);
    }

    /** Answers no more. */
    public void stop() {
        communication.removeSubscriber(SUBJECT);
        thread.shutdownNow();
    }
}
