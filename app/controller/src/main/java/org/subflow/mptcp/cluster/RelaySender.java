// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** Sends packets to the node that decides; only so many are under way at once. Thread-safe. */
public final class RelaySender {
    /** Limit of packets under way. */
    static final int MOST_UNDER_WAY = 2048;

    private final ClusterCommunicationService communication;
    private final Supplier<Optional<String>> leader;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    /**
     * Makes a sender.
     *
     * @param communication ONOS's cluster communication; not null
     * @param leader        knows the node that decides; not null
     */
    public RelaySender(ClusterCommunicationService communication, Supplier<Optional<String>> leader) {
        this.communication = checkNotNull(communication, "communication");
        this.leader = checkNotNull(leader, "leader");
    }

    /**
     * Sends a packet.
     *
     * @return false if no node decides, or too many packets are under way; then it is counted as dropped
     */
    @SuppressWarnings("FutureReturnValueIgnored") // what becomes of it is counted
    boolean send(RelayedPacket.Kind kind, InboundPacket in) {
        Optional<String> to = leader.get();
        if (!to.isPresent() || underWay.get() >= MOST_UNDER_WAY) {
            dropped.incrementAndGet();
            return false;
        }
        underWay.incrementAndGet();
        sent.incrementAndGet();
        communication.unicast(new RelayedPacket(kind, in), RelayReceiver.PACKETS, RelayedPacket::encode, NodeId.nodeId(to.get()))
                .whenComplete((nothing, failure) -> {
                    underWay.decrementAndGet();
                    if (failure != null) {
                        dropped.incrementAndGet();
                    }
                });
        return true;
    }

    /** Returns how many packets were sent, and how many were not, or got lost. */
    public Map<String, Long> counters() {
        return Map.of("relay.sent", sent.get(), "relay.dropped", dropped.get());
    }
}
