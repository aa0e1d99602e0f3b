// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.onosproject.cluster.ClusterService;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationService;

/** Sends events of connections from the node that decides to all others; only so many are under way at once. Thread-safe. */
public final class EventSender {
    /** Limit of messages under way. */
    static final int MOST_UNDER_WAY = 1024;

    private final ClusterCommunicationService communication;
    private final ClusterService nodes;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();

    public EventSender(ClusterCommunicationService communication, ClusterService nodes) {
        this.communication = checkNotNull(communication, "communication");
        this.nodes = checkNotNull(nodes, "nodes");
    }

    /** Sends an event to every other node that is there; what exceeds the limit is left out and counted. */
    public void send(byte[] event) {
        NodeId local = nodes.getLocalNode().id();
        for (ControllerNode node : nodes.getNodes()) {
            if (!node.id().equals(local) && nodes.getState(node.id()).isActive()) {
                send(event, node.id());
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what becomes of it is counted
    private void send(byte[] event, NodeId to) {
        if (underWay.get() >= MOST_UNDER_WAY) {
            dropped.incrementAndGet();
            return;
        }
        underWay.incrementAndGet();
        communication.unicast(event, RelayReceiver.EVENTS, UnaryOperator.<byte[]>identity(), to)
                .whenComplete((nothing, failure) -> {
                    underWay.decrementAndGet();
                    if (failure != null) {
                        dropped.incrementAndGet();
                    }
                });
    }

    /** Returns how many messages were not sent, or got lost. */
    public long dropped() {
        return dropped.get();
    }
}
