// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.ClusterServiceAdapter;
import org.onosproject.cluster.ControllerNode;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;

/** Events on their way from the node that decides to the other ones. */
class EventSenderTest {
    private static final NodeId HERE = NodeId.nodeId("10.0.0.1");
    private static final NodeId THERE = NodeId.nodeId("10.0.0.2");
    private static final NodeId GONE = NodeId.nodeId("10.0.0.3");

    private final List<NodeId> sent = new ArrayList<>();
    private final List<CompletableFuture<Void>> underWay = new ArrayList<>();
    private final EventSender sender = new EventSender(new Network(), new Nodes());

    @Test
    void everyOtherNodeThatIsThereGetsIt() {
        sender.send(new byte[] {1});
        assertEquals(List.of(THERE), sent);
    }

    @Test
    void whatExceedsTheLimitIsLeftOut() {
        for (int i = 0; i <= EventSender.MOST_UNDER_WAY; i++) {
            sender.send(new byte[] {1});
        }
        assertEquals(1, sender.dropped());
        underWay.forEach(one -> one.complete(null));
        sender.send(new byte[] {1});
        assertEquals(EventSender.MOST_UNDER_WAY + 1, sent.size());
        assertEquals(1, sender.dropped());
    }

    private final class Network extends ClusterCommunicationServiceAdapter {
        @Override
        public <M> CompletableFuture<Void> unicast(M message, MessageSubject subject, Function<M, byte[]> encoder, NodeId node) {
            assertEquals(RelayReceiver.EVENTS, subject);
            sent.add(node);
            underWay.add(new CompletableFuture<>());
            return underWay.get(underWay.size() - 1);
        }
    }

    private static final class Nodes extends ClusterServiceAdapter {
        private static ControllerNode node(NodeId id) {
            return new DefaultControllerNode(id, IpAddress.valueOf(id.toString()));
        }

        @Override
        public ControllerNode getLocalNode() {
            return node(HERE);
        }

        @Override
        public Set<ControllerNode> getNodes() {
            return Set.of(node(HERE), node(THERE), node(GONE));
        }

        @Override
        public ControllerNode.State getState(NodeId id) {
            return id.equals(GONE) ? ControllerNode.State.INACTIVE : ControllerNode.State.READY;
        }
    }
}
