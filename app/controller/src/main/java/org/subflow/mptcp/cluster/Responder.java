// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one kind of question of other nodes at the node that decides, on a thread of its own behind a bounded queue. */
public final class Responder {
    /** Asks for the state that users can see. */
    public static final MessageSubject STATE = new MessageSubject("onos-mptcp-state");
    /** Asks for anything else; the answer may take seconds. */
    public static final MessageSubject QUESTIONS = new MessageSubject("onos-mptcp-questions");

    private static final Logger LOG = LoggerFactory.getLogger(Responder.class);
    private static final int MOST_WAITING = 16;

    private final ClusterCommunicationService communication;
    private final MessageSubject subject;
    private final UnaryOperator<byte[]> answer;
    private final ThreadPoolExecutor thread;

    /**
     * Makes a responder; nobody can ask before {@link #start}.
     *
     * @param subject       the kind of question; not null
     * @param answer        makes an answer of a question; not null
     */
    public Responder(ClusterCommunicationService communication, MessageSubject subject, ThreadFactory threads,
                     UnaryOperator<byte[]> answer) {
        this.communication = checkNotNull(communication, "communication");
        this.subject = checkNotNull(subject, "subject");
        this.answer = checkNotNull(answer, "answer");
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
        communication.addSubscriber(subject, UnaryOperator.<byte[]>identity(), answer, UnaryOperator.<byte[]>identity(), bounded);
    }

    /** Answers no more. */
    public void stop() {
        communication.removeSubscriber(subject);
        thread.shutdownNow();
    }
}
