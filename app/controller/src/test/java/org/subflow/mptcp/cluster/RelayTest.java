// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.InboundPacket;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.subflow.mptcp.topology.Nets;

/** Packets on their way from one ONOS node to another. */
class RelayTest {
    private static final short EXPERIMENTAL = (short) 0x88b5;
    private static final byte[] TAKEN = {1};

    private final Network network = new Network();
    private Optional<String> leader = Optional.of("10.0.0.2");
    private long nanos;
    private final RelaySender sender = new RelaySender(network, () -> leader, () -> nanos);

    @Test
    void aPacketArrivesAsItCame() {
        for (RelayedPacket.Kind kind : RelayedPacket.Kind.values()) {
            assertTrue(sender.send(kind, packet()));
            RelayedPacket arrived = RelayedPacket.decode(network.messages.get(network.messages.size() - 1));
            assertEquals(kind, arrived.kind());
            assertEquals(Nets.edge(1), arrived.packet().receivedFrom());
            assertArrayEquals(packet().unparsed().array(), arrived.packet().unparsed().array());
            assertEquals(packet().parsed().getSourceMAC(), arrived.packet().parsed().getSourceMAC());
        }
        assertEquals(NodeId.nodeId("10.0.0.2"), network.to);
    }

    @Test
    void halfAMessageIsRefused() {
        sender.send(RelayedPacket.Kind.COPY, packet());
        byte[] whole = network.messages.get(0);
        for (int length = 0; length < whole.length - packet().unparsed().capacity(); length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(IllegalArgumentException.class, () -> RelayedPacket.decode(part));
        }
        whole[0] = 99;
        assertThrows(IllegalArgumentException.class, () -> RelayedPacket.decode(whole));
    }

    @Test
    void withoutALeaderNothingIsSent() {
        leader = Optional.empty();
        assertFalse(sender.send(RelayedPacket.Kind.TAKEN, packet()));
        assertEquals(1, sender.counters().get("relay.dropped"));
        sender.retry();
        assertEquals(List.of(), network.messages);
    }

    @Test
    void copiesWaitForTheNextLeader() {
        leader = Optional.empty();
        sender.send(RelayedPacket.Kind.COPY, packet());
        sender.send(RelayedPacket.Kind.DIVERTED, packet());
        sender.retry();
        assertEquals(2, sender.counters().get("relay.held"));
        leader = Optional.of("10.0.0.3");
        sender.retry();
        assertEquals(NodeId.nodeId("10.0.0.3"), network.to);
        assertEquals(List.of(RelayedPacket.Kind.COPY, RelayedPacket.Kind.COPY), network.messages.stream()
                .map(message -> RelayedPacket.decode(message).kind()).collect(Collectors.toList()), "a SYN was forwarded before");
        // It has been elected and has not begun.
        network.underWay.get(0).completeExceptionally(new IllegalStateException("no handler"));
        network.underWay.get(1).complete(new byte[] {0});
        assertEquals(2, sender.counters().get("relay.held"));
        sender.retry();
        network.underWay.get(2).complete(TAKEN);
        network.underWay.get(3).complete(TAKEN);
        sender.retry();
        assertEquals(4, network.messages.size(), "what was taken is not sent again");
        assertEquals(0, sender.counters().get("relay.held"));
    }

    @Test
    void whatTheLeaderDidNotTakeWaits() {
        sender.send(RelayedPacket.Kind.COPY, packet());
        network.underWay.get(0).complete(new byte[] {0});
        assertEquals(1, sender.counters().get("relay.held"));
        List<RelayedPacket> own = new ArrayList<>();
        sender.handOver(own::add);
        assertEquals(1, own.size());
        assertEquals(0, sender.counters().get("relay.held"));
    }

    @Test
    void whatNobodyAnswersIsNotSentTwice() {
        sender.send(RelayedPacket.Kind.COPY, packet());
        network.underWay.get(0).completeExceptionally(new TimeoutException());
        assertEquals(0, sender.counters().get("relay.held"));
        assertEquals(1, sender.counters().get("relay.dropped"));
    }

    @Test
    void whatHasWaitedForTooLongIsForgottenAndTheOldestGiveWay() {
        leader = Optional.empty();
        for (int i = 0; i <= HeldPackets.MOST; i++) {
            sender.send(RelayedPacket.Kind.COPY, packet());
        }
        assertEquals(1, sender.counters().get("relay.dropped"));
        nanos = HeldPackets.NANOS + 1;
        sender.send(RelayedPacket.Kind.COPY, packet());
        List<RelayedPacket> own = new ArrayList<>();
        sender.handOver(own::add);
        sender.handOver(own::add);
        assertEquals(1, own.size());
    }

    @Test
    void onlySoManyAreUnderWay() {
        for (int i = 0; i < RelaySender.MOST_UNDER_WAY; i++) {
            assertTrue(sender.send(RelayedPacket.Kind.COPY, packet()));
        }
        assertFalse(sender.send(RelayedPacket.Kind.COPY, packet()));
        assertEquals(1, sender.counters().get("relay.dropped"));

        network.underWay.get(0).complete(TAKEN);
        assertTrue(sender.send(RelayedPacket.Kind.COPY, packet()));
        network.underWay.get(1).completeExceptionally(new TimeoutException());
        assertEquals(2, sender.counters().get("relay.dropped"), "a packet that got lost counts");
    }

    @Test
    void aQuestionThatFailsHasNoAnswerAndAPacketThatFailsIsNotWantedAgain() {
        RelayReceiver<byte[]> receiver = new RelayReceiver<>(network, RelayReceiver.STATE, UnaryOperator.identity(), Thread::new, 1,
                                                             question -> {
                                                                 throw new IllegalStateException("for the test");
                                                             });
        receiver.startAnswering();
        byte[] answer = network.receiver.apply(new byte[1]);
        assertTrue(RelayReceiver.wasTaken(answer));
        network.answer = Optional.of(answer);
        LeaderContact contact = new LeaderContact(network, () -> leader);
        assertThrows(IllegalStateException.class, () -> contact.ask(RelayReceiver.STATE, new byte[1], 1000));
        receiver.stop();
    }

    private static InboundPacket packet() {
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress("00:00:00:00:00:01").setDestinationMACAddress("00:00:00:00:00:02")
                .setEtherType(EXPERIMENTAL)
                .setPayload(new Data(new byte[50]));
        return new DefaultInboundPacket(Nets.edge(1), frame, ByteBuffer.wrap(frame.serialize()));
    }

    /** Keeps what is sent. */
    private static final class Network extends ClusterCommunicationServiceAdapter {
        private final List<byte[]> messages = new ArrayList<>();
        private final List<CompletableFuture<byte[]>> underWay = new ArrayList<>();
        private NodeId to;
        private Function<byte[], byte[]> receiver;
        private Optional<byte[]> answer = Optional.empty();

        @Override
        public <M, R> void addSubscriber(MessageSubject subject, Function<byte[], M> decoder, Function<M, R> handler,
                                         Function<R, byte[]> encoder, Executor executor) {
            receiver = message -> encoder.apply(handler.apply(decoder.apply(message)));
        }

        @Override
        public <M, R> CompletableFuture<R> sendAndReceive(M message, MessageSubject subject, Function<M, byte[]> encoder,
                                                          Function<byte[], R> decoder, NodeId node, Duration timeout) {
            messages.add(encoder.apply(message));
            to = node;
            CompletableFuture<byte[]> answered = new CompletableFuture<>();
            underWay.add(answered);
            answer.ifPresent(answered::complete);
            return answered.thenApply(decoder);
        }
    }
}
