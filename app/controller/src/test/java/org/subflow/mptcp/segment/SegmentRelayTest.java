// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Ethernet;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.store.cluster.messaging.ClusterCommunicationServiceAdapter;
import org.onosproject.store.cluster.messaging.MessageSubject;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.cluster.RelaySender;
import org.subflow.mptcp.cluster.RelayedPacket;
import org.subflow.mptcp.cluster.SegmentRelay;
import org.subflow.mptcp.topology.Attachments;

/** What a node that does not decide does with packets. */
class SegmentRelayTest extends InterceptorScenario {
    private final Node node = new Node();
    private final Map<String, PacketProcessor> offered = new HashMap<>();
    private final List<Byte> relayed = new ArrayList<>();
    private Optional<String> leader = Optional.of("10.9.0.1");
    private boolean blocks;
    private final FlaggedSegments segments = new FlaggedSegments(bundle());
    private SegmentRelay relay;

    @BeforeEach
    void follow() {
        RelaySender sender = new RelaySender(new ClusterCommunicationServiceAdapter() {
            @Override
            public <M, R> CompletableFuture<R> sendAndReceive(M message, MessageSubject subject, Function<M, byte[]> encoder,
                                                              Function<byte[], R> decoder, NodeId to, Duration timeout) {
                relayed.add(encoder.apply(message)[0]);
                return CompletableFuture.completedFuture(decoder.apply(new byte[] {1}));
            }
        }, () -> leader, System::nanoTime);
        relay = new SegmentRelay(node, new Attachments(hosts, port -> true, interfaces.own(), () -> { }), new FlagCopies(devices),
                                 bench.counters, segments, () -> blocks, sender);
        relay.start();
    }

    private BundleContext bundle() {
        return (BundleContext) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BundleContext.class}, (proxy, method, arguments) -> {
                    String kind = (String) ((Dictionary<?, ?>) arguments[2]).get(FlagCopies.PROPERTY);
                    offered.put(kind, (PacketProcessor) arguments[1]);
                    return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {ServiceRegistration.class},
                                                  (registration, unregister, nothing) -> offered.remove(kind));
                });
    }

    private Packet arrives(Ethernet frame) {
        Packet packet = new Packet(CLIENTS, frame);
        node.processors.forEach(each -> each.process(packet));
        return packet;
    }

    @Test
    void whereASwitchShowsAllTcpTheLeaderForwards() {
        assertTrue(arrives(syn(TUPLE)).isHandled());
        assertEquals(1, relayed.size());
        assertEquals(List.of(), node.sent);
    }

    @Test
    void withoutALeaderThePacketIsForwardedHere() {
        leader = Optional.empty();
        assertTrue(arrives(syn(TUPLE)).isHandled());
        assertEquals(List.of(), relayed);
        assertEquals(SERVERS.deviceId(), node.sent.get(0).sendThrough());
    }

    @Test
    void whereASwitchCopiesAnotherApplicationMayForwardAndTheLeaderIsToldAllTheSame() {
        copying.add(CLIENTS.deviceId());
        Packet packet = new Packet(CLIENTS, syn(TUPLE));
        node.processors.get(0).process(packet);
        assertFalse(packet.isHandled());
        node.processors.get(1).process(packet);
        assertTrue(packet.isHandled(), "nobody else forwards it");
        assertEquals(2, relayed.size());
        assertEquals(List.of(), node.sent);
    }

    @Test
    void copiesGoToTheLeaderAndNowhereElse() {
        offered.get(FlagCopies.COPIES).process(new Packet(CLIENTS, syn(TUPLE)));
        assertEquals(1, relayed.size());
        assertEquals(List.of(), node.sent);
    }

    @Test
    void synsWaitOnlyWhileAJoinMayBeBlocked() {
        assertFalse(offered.containsKey(FlagCopies.DIVERTED_SYNS));
        blocks = true;
        relay.divertWhereJoinsAreBlocked();
        leader = Optional.empty();
        offered.get(FlagCopies.DIVERTED_SYNS).process(new Packet(CLIENTS, syn(TUPLE)));
        assertEquals(SERVERS.deviceId(), node.sent.get(0).sendThrough(), "nobody can decide about it");
        blocks = false;
        relay.divertWhereJoinsAreBlocked();
        assertFalse(offered.containsKey(FlagCopies.DIVERTED_SYNS));
    }

    @Test
    void aSynToAnInterfaceOfAnotherApplicationWaitsAsWellBecauseNobodyElseSeesIt() {
        interfaces.add(2);
        blocks = true;
        relay.divertWhereJoinsAreBlocked();
        leader = Optional.empty();
        offered.get(FlagCopies.DIVERTED_SYNS).process(new Packet(CLIENTS, syn(TUPLE)));
        assertEquals(SERVERS.deviceId(), node.sent.get(0).sendThrough());
    }

    @Test
    void twiceTaggedAndHandledPacketsAreLeftAlone() {
        Ethernet tagged = syn(TUPLE);
        tagged.setVlanID(VLAN);
        tagged.setQinQVID(VLAN);
        assertFalse(arrives(tagged).isHandled());
        Packet handled = new Packet(CLIENTS, syn(TUPLE));
        handled.block();
        node.processors.forEach(each -> each.process(handled));
        assertEquals(List.of(), relayed);
        assertEquals(List.of(), node.sent);
    }

    @Test
    void onceStoppedItTakesNothing() {
        relay.stop();
        assertEquals(List.of(), node.processors);
        relay.stop();
    }

    @Test
    void theServicesStayWhenAnotherTakesTheSegments() {
        blocks = true;
        relay.divertWhereJoinsAreBlocked();
        Map<String, PacketProcessor> before = Map.copyOf(offered);
        List<String> taken = new ArrayList<>();
        relay.stop();
        segments.give(context -> taken.add("copy"), context -> taken.add("SYN"));
        assertEquals(before, offered);
        offered.get(FlagCopies.COPIES).process(new Packet(CLIENTS, syn(TUPLE)));
        offered.get(FlagCopies.DIVERTED_SYNS).process(new Packet(CLIENTS, syn(TUPLE)));
        assertEquals(List.of("copy", "SYN"), taken);
        assertEquals(List.of(), relayed);
        segments.close();
        assertEquals(Map.of(), offered);
        relay.start();
        assertEquals(Map.of(), offered, "the application has ended");
    }

    @Test
    void copiesWithoutALeaderAreHandedOver() {
        leader = Optional.empty();
        offered.get(FlagCopies.COPIES).process(new Packet(CLIENTS, syn(TUPLE)));
        List<RelayedPacket.Kind> own = new ArrayList<>();
        relay.handOver(packet -> own.add(packet.kind()));
        assertEquals(List.of(RelayedPacket.Kind.COPY), own);
    }

    /** Keeps processors in the order in which they came. */
    private static final class Node extends PacketServiceAdapter {
        private final List<PacketProcessor> processors = new ArrayList<>();
        private final List<OutboundPacket> sent = new ArrayList<>();

        @Override
        public void addProcessor(PacketProcessor processor, int priority) {
            processors.add(processor);
        }

        @Override
        public void removeProcessor(PacketProcessor processor) {
            processors.remove(processor);
        }

        @Override
        public void emit(OutboundPacket packet) {
            sent.add(packet);
        }
    }
}
