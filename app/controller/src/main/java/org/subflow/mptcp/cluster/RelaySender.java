// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;
import org.subflow.mptcp.cluster.HeldPackets.Held;
import org.subflow.mptcp.cluster.RelayedPacket.Kind;

/**
 * Sends packets to the node that decides; only so many are under way at once. Copies of segments wait here while no node
 * decides, or the one that is to does not take them yet. Thread-safe.
 */
public final class RelaySender {
    /** Limit of packets under way. */
    static final int MOST_UNDER_WAY = 2048;
    /** How many that have waited are sent at once. */
    static final int MOST_AT_ONCE = 512;

    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final ClusterCommunicationService communication;
    private final Supplier<Optional<String>> leader;
    private final HeldPackets held;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Makes a sender.
     *
     * @param leader        knows the node that decides; not null
     * @param clockNanos    a monotonic clock, nanoseconds; not null
     */
    public RelaySender(ClusterCommunicationService communication, Supplier<Optional<String>> leader, LongSupplier clockNanos) {
        this.communication = checkNotNull(communication, "communication");
        this.leader = checkNotNull(leader, "leader");
        this.held = new HeldPackets(checkNotNull(clockNanos, "clockNanos"));
    }

    /**
     * Sends a packet. A copy, and a SYN that waits in the controller, is kept if nobody takes it just now.
     *
     * @return false if no node decides, or too many packets are under way; then nobody but the caller forwards it
     */
    boolean send(Kind kind, InboundPacket in) {
        Optional<String> to = leader.get();
        if (!to.isPresent()) {
            notTaken(new RelayedPacket(kind, in));
            return false;
        }
        if (underWay.get() >= MOST_UNDER_WAY) {
            dropped.incrementAndGet();
            return false;
        }
        RelayedPacket packet = new RelayedPacket(kind, in);
        deliver(packet, to.get(), () -> notTaken(packet));
        return true;
    }

    private void notTaken(RelayedPacket packet) {
        boolean isKept = packet.kind() == Kind.COPY || packet.kind() == Kind.DIVERTED;
        // Whoever takes a diverted SYN later must not forward it once more.
        if (!isKept || !held.add(packet.kind() == Kind.DIVERTED ? packet.asCopy() : packet)) {
            dropped.incrementAndGet();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what becomes of it is counted
    private void deliver(RelayedPacket packet, String to, Runnable ifNotTaken) {
        underWay.incrementAndGet();
        sent.incrementAndGet();
        communication.sendAndReceive(packet, RelayReceiver.PACKETS, RelayedPacket::encode, UnaryOperator.<byte[]>identity(),
                                     NodeId.nodeId(to), ANSWER)
                .whenComplete((answer, failure) -> {
                    underWay.decrementAndGet();
                    if (isTimeout(failure)) {
                        // It may have arrived, and whoever is that busy wants no packet twice.
                        dropped.incrementAndGet();
                    } else if (failure != null || !RelayReceiver.wasTaken(answer)) {
                        ifNotTaken.run();
                    }
                });
    }

    private static boolean isTimeout(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof CompletionException && failure.getCause() instanceof TimeoutException;
    }

    /** Sends what waits, if a node decides; to be called several times a second. */
    void retry() {
        Optional<String> to = leader.get();
        if (!to.isPresent()) {
            return;
        }
        for (Held one : held.take(MOST_AT_ONCE)) {
            deliver(one.packet, to.get(), () -> {
                if (!held.keep(one)) {
                    dropped.incrementAndGet();
                }
            });
        }
    }

    /** Gives what waits to this node itself, which decides from now on. */
    void handOver(Consumer<RelayedPacket> receiver) {
        held.take(HeldPackets.MOST).forEach(one -> receiver.accept(one.packet));
    }

    /** Returns how many packets were sent, how many were not, or got lost, and how many wait. */
    public Map<String, Long> counters() {
        return Map.of("relay.sent", sent.get(), "relay.dropped", dropped.get(), "relay.held", (long) held.size());
    }
}
