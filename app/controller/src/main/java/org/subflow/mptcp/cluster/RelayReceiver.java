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
import java.util.function.Consumer;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes in the packets of the other nodes at the node that decides, behind a bounded queue. */
public final class RelayReceiver {
    /** The subject of the messages. */
    static final MessageSubject SUBJECT = new MessageSubject("onos-mptcp-packets");

    private static final Logger LOG = LoggerFactory.getLogger(RelayReceiver.class);
    private static final int MOST_WAITING = 8192;

    private final ClusterCommunicationService communication;
    private final Consumer<RelayedPacket> receiver;
    private final ThreadPoolExecutor thread;
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Makes a receiver; nothing comes before {@link #start}.
     *
     * @param communication ONOS's cluster communication; not null
     * @param threads       makes its thread; not null
     * @param receiver      takes each packet on that thread; not null
     */
    public RelayReceiver(ClusterCommunicationService communication, ThreadFactory threads, Consumer<RelayedPacket> receiver) {
        this.communication = checkNotNull(communication, "communication");
        this.receiver = checkNotNull(receiver, "receiver");
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), threads);
    }

    /** Begins to receive. */
    public void start() {
        Executor bounded = this::execute;
        communication.addSubscriber(SUBJECT, RelayedPacket::decode, this::receive, bounded);
    }

    private void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            dropped.incrementAndGet();
        }
    }

    private void receive(RelayedPacket packet) {
        received.incrementAndGet();
        try {
            receiver.accept(packet);
        } catch (RuntimeException e) {
            LOG.warn("A packet of another node could not be taken in", e);
        }
    }

    /** Receives no more. */
    public void stop() {
        communication.removeSubscriber(SUBJECT);
        thread.shutdownNow();
    }

    /** Returns how many packets came, and how many of them found the queue full. */
    public Map<String, Long> counters() {
        return Map.of("relay.received", received.get(), "relay.refused", dropped.get());
    }
}
