// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in messages of other nodes, and answers those that ask something, on a thread of its own behind a bounded queue.
 *
 * @param <M> the kind of message
 */
public final class RelayReceiver<M> {
    /** Packets, for the node that decides. */
    public static final MessageSubject PACKETS = new MessageSubject("onos-mptcp-packets");
    /** Events of connections, for the other nodes. */
    public static final MessageSubject EVENTS = new MessageSubject("onos-mptcp-events");
    /** Asks the node that decides for the state that users can see. */
    public static final MessageSubject STATE = new MessageSubject("onos-mptcp-state");
    /** Asks it for anything else; the answer may take seconds. */
    public static final MessageSubject QUESTIONS = new MessageSubject("onos-mptcp-questions");

    private static final Logger LOG = LoggerFactory.getLogger(RelayReceiver.class);
    private static final byte TAKEN = 1;
    /** The answer where the receiver has failed. Nobody sends such a message again. */
    private static final byte[] NONE = {};

    private final ClusterCommunicationService communication;
    private final MessageSubject subject;
    private final Function<byte[], M> form;
    private final Function<M, byte[]> receiver;
    private final ThreadPoolExecutor thread;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Makes a receiver; nothing comes before {@link #start}.
     *
     * @param subject     the kind of message
     * @param form        reads a message
     * @param mostWaiting how many may wait; further ones are dropped, and get no answer
     * @param receiver    takes each message on the receiver's thread, and makes the answer; see {@link #answer} for one that asks
     *                    nothing
     */
    public RelayReceiver(ClusterCommunicationService communication, MessageSubject subject, Function<byte[], M> form,
                         ThreadFactory threads, int mostWaiting, Function<M, byte[]> receiver) {
        this.communication = checkNotNull(communication, "communication");
        this.subject = checkNotNull(subject, "subject");
        this.form = checkNotNull(form, "form");
        this.receiver = checkNotNull(receiver, "receiver");
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(mostWaiting), threads);
    }

    /** Begins to receive messages to which nobody waits for an answer. */
    public void start() {
        Executor bounded = this::execute;
        communication.addSubscriber(subject, form, (M message) -> {
            receive(message);
        }, bounded);
    }

    /** Begins to receive messages whose senders want an answer. */
    public void startAnswering() {
        Executor bounded = this::execute;
        communication.addSubscriber(subject, form, this::receive, UnaryOperator.<byte[]>identity(), bounded);
    }

    /** Returns the answer that says whether a message was wanted. */
    public static byte[] answer(boolean wasTaken) {
        return new byte[] {wasTaken ? TAKEN : 0};
    }

    /** Returns whether an answer says that the message was wanted; also if the receiver has failed. */
    static boolean wasTaken(byte[] answer) {
        return isNone(answer) || answer.length == 1 && answer[0] == TAKEN;
    }

    /** Returns whether the receiver has failed, so that a question has no answer. */
    static boolean isNone(byte[] answer) {
        return answer.length == 0;
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            dropped.incrementAndGet();
        }
    }

    private byte[] receive(M message) {
        received.incrementAndGet();
        try {
            return receiver.apply(message);
        } catch (RuntimeException e) {
            LOG.warn("A message of another node could not be taken in: {}", e.toString());
            LOG.debug("Where it failed", e);
            return NONE;
        }
    }

    /** Receives no more. */
    public void stop() {
        communication.removeSubscriber(subject);
        thread.shutdownNow();
    }

    /** Returns how many messages came, and how many of them found the queue full. */
    public Map<String, Long> counters() {
        return Map.of("relay.received", received.get(), "relay.refused", dropped.get());
    }
}
