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
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in messages of other nodes, on a thread of its own behind a bounded queue.
 *
 * @param <M> the kind of message
 */
public final class RelayReceiver<M> {
    /** Packets, for the node that decides. */
    public static final MessageSubject PACKETS = new MessageSubject("onos-mptcp-packets");
    /** Events of connections, for the other nodes. */
    public static final MessageSubject EVENTS = new MessageSubject("onos-mptcp-events");

    private static final Logger LOG = LoggerFactory.getLogger(RelayReceiver.class);
    private static final int MOST_WAITING = 8192;
    private static final byte TAKEN = 1;

    private final ClusterCommunicationService communication;
    private final MessageSubject subject;
    private final Function<byte[], M> form;
    private final Predicate<M> receiver;
    private final ThreadPoolExecutor thread;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Makes a receiver; nothing comes before {@link #start}.
     *
     * @param subject       the kind of message; not null
     * @param form          reads a message; not null
     * @param receiver      takes each message on that thread, and returns whether it was wanted; not null
     */
    public RelayReceiver(ClusterCommunicationService communication, MessageSubject subject, Function<byte[], M> form,
                         ThreadFactory threads, Predicate<M> receiver) {
        this.communication = checkNotNull(communication, "communication");
        this.subject = checkNotNull(subject, "subject");
        this.form = checkNotNull(form, "form");
        this.receiver = checkNotNull(receiver, "receiver");
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), threads);
    }

    /** Begins to receive. */
    public void start() {
        Executor bounded = this::execute;
        communication.addSubscriber(subject, form, (M message) -> {
            receive(message);
        }, bounded);
    }

    /** Begins to receive messages whose senders want to know what became of them; see {@link #wasTaken}. */
    public void startAnswering() {
        Executor bounded = this::execute;
        Function<M, byte[]> answer = message -> new byte[] {receive(message) ? TAKEN : 0};
        communication.addSubscriber(subject, form, answer, UnaryOperator.<byte[]>identity(), bounded);
    }

    /** Returns whether an answer says that the message was wanted. */
    static boolean wasTaken(byte[] answer) {
        return answer.length == 1 && answer[0] == TAKEN;
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            dropped.incrementAndGet();
        }
    }

    private boolean receive(M message) {
        received.incrementAndGet();
        try {
            return receiver.test(message);
        } catch (RuntimeException e) {
            LOG.warn("A message of another node could not be taken in", e);
            return true;
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
