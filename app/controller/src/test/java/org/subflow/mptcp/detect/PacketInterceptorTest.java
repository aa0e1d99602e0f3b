// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.detect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.Data;
import org.onlab.packet.DeserializationException;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.UDP;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.detect.option.MptcpOption;
import org.subflow.mptcp.detect.option.MptcpOptionEncoder;
import org.subflow.mptcp.detect.option.MptcpVersion;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.Nets;

/** What becomes of packets: who forwards them, and whether they are tracked. */
class PacketInterceptorTest {
    private static final int MOST_WAITING = 3;
    private static final long PATIENCE_SECONDS = 20;
    private static final short VLAN = 100;
    private static final byte[] NO_OPTIONS = {};
    private static final ConnectPoint CLIENTS = Nets.edge(1);
    private static final ConnectPoint SERVERS = Nets.edge(5);
    private static final FiveTuple TUPLE = Bench.tuple("10.0.0.1", 40000);
    private static final FiveTuple NEXT = Bench.tuple("10.0.0.1", 40001);

    private final Bench bench = new Bench();
    private final Hosts hosts = new Hosts();
    private final Switches switches = new Switches();
    private final Told told = new Told();
    private final List<Thread> threads = new ArrayList<>();
    private PacketInterceptor interceptor;

    @BeforeEach
    void start() {
        hosts.attach(TUPLE.source(), 1, VlanId.NONE, CLIENTS);
        hosts.attach(TUPLE.destination(), 2, VlanId.NONE, SERVERS);
        start(bench.tracker, MOST_WAITING);
    }

    @AfterEach
    void stop() {
        interceptor.stop();
    }

    @Test
    void aPacketGoesStraightToThePortOfItsDestination() {
        Packet packet = send(syn(TUPLE));

        OutboundPacket out = switches.next();
        assertEquals(SERVERS.deviceId(), out.sendThrough());
        assertEquals(DefaultTrafficTreatment.builder().setOutput(SERVERS.port()).build(), out.treatment());
        assertArrayEquals(packet.octets, out.data().array());
        assertTrue(packet.isHandled(), "nobody else is to forward it");
    }

    @Test
    void whatAnotherApplicationHasHandledIsLeftAlone() {
        Packet packet = new Packet(CLIENTS, syn(TUPLE));
        packet.block();
        interceptor.process(packet);

        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void whatIsNotTcpOrCouldNotBeReadIsLeftToOthers() {
        IPv4 datagram = new IPv4();
        datagram.setSourceAddress("10.0.0.1").setDestinationAddress("10.0.0.2").setProtocol(IPv4.PROTOCOL_UDP)
                .setPayload(new UDP());
        Ethernet udp = frame(datagram);
        Ethernet fragment = syn(TUPLE);
        ((IPv4) fragment.getPayload()).setFragmentOffset((short) 100);
        for (Ethernet frame : Arrays.asList(udp, fragment, null)) {
            assertFalse(send(frame).isHandled());
        }
        assertNothingWasSent();
    }

    @Test
    void aTaggedPacketIsLeftToOthersAndCounted() {
        Ethernet frame = syn(TUPLE);
        frame.setVlanID(VLAN);

        assertFalse(send(frame).isHandled());
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.IGNORED_VLAN));
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void soIsOneToATaggedHostAndOneToAnAddressThatSeveralHostsHave() {
        FiveTuple toTagged = FiveTuple.of(TUPLE.source(), 1, IpAddress.valueOf("10.0.0.8"), 80);
        FiveTuple toSeveral = FiveTuple.of(TUPLE.source(), 1, IpAddress.valueOf("10.0.0.9"), 80);
        hosts.attach(toTagged.destination(), 8, VlanId.vlanId(VLAN), SERVERS);
        hosts.attach(toSeveral.destination(), 9, VlanId.NONE, SERVERS);
        hosts.attach(toSeveral.destination(), 10, VlanId.NONE, SERVERS);

        assertFalse(send(syn(toTagged)).isHandled());
        assertFalse(send(syn(toSeveral)).isHandled());
        assertNothingWasSent();
        assertEquals(1, bench.count(Counter.IGNORED_VLAN));
        assertEquals(1, bench.count(Counter.IGNORED_SEVERAL_HOSTS));
        assertEquals(1, bench.count(Counter.SEGMENTS), "the other packet's");
    }

    @Test
    void aPacketToAnUnknownHostIsLeftToOthersButTracked() {
        Set<Host> server = hosts.known.remove(TUPLE.destination());
        assertFalse(send(syn(TUPLE)).isHandled());
        hosts.known.put(TUPLE.destination(), server);
        send(segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1, NO_OPTIONS));
        send(segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1, NO_OPTIONS));

        assertEquals(CLIENTS.deviceId(), switches.next().sendThrough(), "others have forwarded the SYN");
        assertEquals(SERVERS.deviceId(), switches.next().sendThrough());
        assertEquals(List.of("plain " + TUPLE), told.all());
        assertEquals(1, bench.count(Counter.IGNORED_UNKNOWN_HOST));
    }

    @Test
    void soIsOneWhoseDestinationIsFoundJustThen() {
        Set<Host> server = hosts.known.remove(TUPLE.destination());
        hosts.onceLookedFor = () -> hosts.known.put(TUPLE.destination(), server);

        assertFalse(send(syn(TUPLE)).isHandled());
        assertNothingWasSent();
        assertEquals(2, bench.count(Counter.SYN));
    }

    @Test
    void aPacketWhoseDestinationIsBehindThePortItComesFromGoesNowhere() {
        Packet packet = new Packet(SERVERS, syn(TUPLE));
        interceptor.process(packet);

        assertTrue(packet.isHandled());
        assertNothingWasSent();
    }

    @Test
    void malformedOptionsAreCountedAndThePacketIsForwarded() {
        byte[] cutOff = {30, 12, 0, 0};
        send(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, cutOff));

        assertNotNull(switches.next());
        assertEquals(1, bench.counters.snapshot().entrySet().stream()
                .filter(counter -> counter.getKey().startsWith("malformed.")).mapToLong(Map.Entry::getValue).sum());
    }

    @Test
    void whateverAPacketIsLikeItIsLeftToOthersOrForwarded() {
        interceptor.stop();
        start(bench.tracker, 5000);
        told.letsJoin = true;
        Random random = new Random(20260102);
        int handled = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] octets = segment(NEXT, random.nextInt(64), random.nextInt(), random.nextInt(), options(random)).serialize();
            for (int change = random.nextInt(4); change > 0; change--) {
                octets[random.nextInt(octets.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(octets, random.nextInt(4) == 0 ? random.nextInt(octets.length) : octets.length);
            Packet packet = new Packet(CLIENTS, parsed(cut), cut);
            interceptor.process(packet);
            if (packet.isHandled() && !isToTheClient(cut)) {
                assertArrayEquals(cut, switches.next().data().array());
                handled++;
            }
        }
        assertTrue(handled > 1000 && handled < 4900, handled + " were forwarded");
        assertNothingWasSent();
    }

    @Test
    void whatDoesNotFitIsCountedAndForwardedWhenItComesAgain() throws InterruptedException {
        switches.close();
        send(syn(TUPLE));
        assertTrue(switches.entered.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "one is being forwarded");
        List<Packet> packets = new ArrayList<>();
        for (int i = 0; i <= MOST_WAITING; i++) {
            packets.add(send(syn(Bench.tuple("10.0.0.1", 50000 + i))));
        }
        interceptor.expire();
        assertEquals(1, bench.count(Counter.QUEUE_FULL), "time-outs are no packets");
        assertTrue(packets.get(MOST_WAITING).isHandled(), "dropped");

        switches.open();
        assertNotNull(switches.next());
        for (Packet packet : packets.subList(0, MOST_WAITING)) {
            assertArrayEquals(packet.octets, switches.next().data().array());
        }
        assertNull(switches.sent.poll());
        Packet again = send(syn(Bench.tuple("10.0.0.1", 50000 + MOST_WAITING)));
        assertArrayEquals(again.octets, switches.next().data().array());
        assertEquals(1, bench.count(Counter.QUEUE_FULL));
    }

    @Test
    void aJoinWaitsForWhoeverIsAsked() throws InterruptedException {
        bench.tokens.register(TUPLE, Bench.keys(Bench.CLIENT_KEY, Bench.SERVER_KEY));
        Packet join = send(segment(NEXT, Segment.SYN, Bench.CLIENT_ISN, 0,
                                   MptcpOptionEncoder.encode(List.of(Bench.joiner().syn(false)))));
        assertNothingWasSent();

        told.joins.poll(PATIENCE_SECONDS, TimeUnit.SECONDS).run();
        assertArrayEquals(join.octets, switches.next().data().array());
    }

    @Test
    void whatIsEstablishedIsToldBeforeItsPacketGoesOn() {
        send(segment(TUPLE, Segment.SYN, Bench.CLIENT_ISN, 0, options(Bench.capableSyn(MptcpVersion.V1, 0))));
        send(segment(TUPLE.reversed(), Segment.SYN | Segment.ACK, Bench.SERVER_ISN, Bench.CLIENT_ISN + 1,
                     options(Bench.capableSynAck(MptcpVersion.V1, Bench.SERVER_KEY))));
        switches.next();
        switches.next();
        send(segment(TUPLE, Segment.ACK, Bench.CLIENT_ISN + 1, Bench.SERVER_ISN + 1,
                     options(Bench.capableAck(MptcpVersion.V1, Bench.CLIENT_KEY, Bench.SERVER_KEY))));
        switches.next();
        assertEquals(List.of("capable " + TUPLE), told.all());
    }

    @Test
    void aConnectionWhoseBeginningWasNotSeenIsToldAndForwarded() {
        send(segment(TUPLE, Segment.ACK, 1000, 2000, NO_OPTIONS));
        send(segment(TUPLE.reversed(), Segment.ACK, 2000, 1000, NO_OPTIONS));
        switches.next();
        switches.next();
        assertEquals(List.of("midstream " + TUPLE + " false", "midstream " + TUPLE.reversed() + " true"), told.all());
    }

    @Test
    void whoeverFailsOnWhatIsToldLosesNoPacket() {
        told.fails = true;
        send(segment(TUPLE, Segment.ACK, 1000, 2000, NO_OPTIONS));
        send(segment(NEXT, Segment.ACK, 1000, 2000, NO_OPTIONS));

        assertNotNull(switches.next());
        assertNotNull(switches.next());
        assertEquals(2, told.all().size());
    }

    @Test
    void handshakesTimeOutAlthoughNoPacketComes() throws InterruptedException {
        interceptor.stop();
        TrackerLimits impatient = TrackerLimits.builder().synTimeout(1, TimeUnit.NANOSECONDS).build();
        start(new HandshakeTracker(impatient, bench.tokens, bench.counters), MOST_WAITING);
        send(syn(TUPLE));
        switches.next();
        assertEquals(0, bench.count(Counter.TIMEOUT_SYN));
        interceptor.expire();

        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (bench.count(Counter.TIMEOUT_SYN) == 0 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(1, bench.count(Counter.TIMEOUT_SYN));
    }

    @Test
    void onceStoppedItTakesNothingInAndItsThreadEnds() throws InterruptedException {
        send(syn(TUPLE));
        switches.next();
        assertEquals(Set.of(interceptor), switches.processors);

        interceptor.stop();
        assertEquals(Set.of(), switches.processors);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertFalse(thread.isAlive());
        }
        // One that ONOS is just handing over.
        send(syn(NEXT));
        interceptor.expire();
        assertNull(switches.sent.poll());
    }

    private void start(HandshakeTracker tracker, int mostWaiting) {
        interceptor = new PacketInterceptor(
                switches, new Attachments(hosts), tracker, new Ignored(bench.counters), bench.counters,
                told, task -> {
                    Thread thread = new Thread(task, "tracking");
                    threads.add(thread);
                    return thread;
                }, mostWaiting);
        interceptor.start();
    }

    /** A further packet is forwarded, and it is the first that is: all before it have been through by then. */
    private void assertNothingWasSent() {
        FiveTuple last = Bench.tuple("10.0.0.1", 65000);
        Packet packet = send(syn(last));
        assertArrayEquals(packet.octets, switches.next().data().array());
    }

    private Packet send(Ethernet frame) {
        ConnectPoint from = frame != null && frame.getPayload() instanceof IPv4
                && ((IPv4) frame.getPayload()).getSourceAddress() == TUPLE.destination().getIp4Address().toInt()
                ? SERVERS : CLIENTS;
        Packet packet = new Packet(from, frame);
        interceptor.process(packet);
        return packet;
    }

    private static Ethernet syn(FiveTuple tuple) {
        return segment(tuple, Segment.SYN, Bench.CLIENT_ISN, 0, NO_OPTIONS);
    }

    private static Ethernet segment(FiveTuple tuple, int flags, int sequence, int acknowledgement, byte[] options) {
        TCP tcp = new TCP();
        tcp.setSourcePort(tuple.sourcePort()).setDestinationPort(tuple.destinationPort()).setSequence(sequence)
                .setAcknowledge(acknowledgement).setFlags((short) flags)
                .setOptions(options).setDataOffset((byte) (5 + options.length / 4));
        tcp.setPayload(new Data(NO_OPTIONS));
        IPv4 packet = new IPv4();
        packet.setSourceAddress(tuple.source().getIp4Address().toInt())
                .setDestinationAddress(tuple.destination().getIp4Address().toInt())
                .setProtocol(IPv4.PROTOCOL_TCP).setPayload(tcp);
        return frame(packet);
    }

    private static Ethernet frame(IPv4 packet) {
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress("00:00:00:00:00:01").setDestinationMACAddress("00:00:00:00:00:02")
                .setEtherType(Ethernet.TYPE_IPV4).setPayload(packet);
        return frame;
    }

    private static byte[] options(MptcpOption option) {
        return MptcpOptionEncoder.encode(List.of(option));
    }

    private static byte[] options(Random random) {
        byte[] options = new byte[4 * random.nextInt(11)];
        random.nextBytes(options);
        if (options.length > 1 && random.nextBoolean()) {
            options[0] = 30;
            options[1] = (byte) random.nextInt(options.length + 2);
        }
        return options;
    }

    /** As ONOS's southbound gives a frame to the interceptor: null if its classes make no sense of it. */
    private static Ethernet parsed(byte[] octets) {
        try {
            return Ethernet.deserializer().deserialize(octets, 0, octets.length);
        } catch (DeserializationException | RuntimeException e) {
            return null;
        }
    }

    private static boolean isToTheClient(byte[] octets) {
        return ByteBuffer.wrap(octets).getInt(30) == TUPLE.source().getIp4Address().toInt();
    }

    /** A packet on its way through ONOS's processors. */
    private static final class Packet extends DefaultPacketContext {
        private final byte[] octets;

        private Packet(ConnectPoint from, Ethernet frame) {
            this(from, frame, frame == null ? NO_OPTIONS : frame.serialize());
        }

        private Packet(ConnectPoint from, Ethernet frame, byte[] octets) {
            super(0, new DefaultInboundPacket(from, frame, ByteBuffer.wrap(octets)), null, false);
            this.octets = octets;
        }

        @Override
        public void send() {
            throw new UnsupportedOperationException();
        }
    }

    /** Takes packet-outs, and can make whoever sends them wait. */
    private static final class Switches extends PacketServiceAdapter {
        private final Set<PacketProcessor> processors = new HashSet<>();
        private final BlockingQueue<OutboundPacket> sent = new LinkedBlockingQueue<>();
        private final CountDownLatch entered = new CountDownLatch(1);
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private Runnable onceLookedFor = () -> { };

        private void close() {
            gate = new CountDownLatch(1);
        }

        private void open() {
            gate.countDown();
        }

        private OutboundPacket next() {
            try {
                OutboundPacket next = sent.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertNotNull(next, "no packet was sent");
                return next;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

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
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            sent.add(packet);
        }
    }

    /** The hosts that ONOS knows, and what a test wants to happen once one has been looked for. */
    private static final class Hosts extends HostServiceAdapter {
        private final Map<IpAddress, Set<Host>> known = new HashMap<>();
        private Runnable onceLookedFor = () -> { };

        private void attach(IpAddress address, int number, VlanId vlan, ConnectPoint port) {
            MacAddress mac = MacAddress.valueOf(number);
            known.computeIfAbsent(address, unused -> new HashSet<>()).add(
                    new DefaultHost(ProviderId.NONE, HostId.hostId(mac, vlan), mac, vlan,
                                    new HostLocation(port.deviceId(), port.port(), 0), Set.of(address)));
        }

        @Override
        public Set<Host> getHostsByIp(IpAddress address) {
            Set<Host> found = known.getOrDefault(address, Set.of());
            onceLookedFor.run();
            onceLookedFor = () -> { };
            return found;
        }
    }

    /** Notes what packets tell. */
    private static final class Told implements PacketInterceptor.Handler {
        private final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        private final BlockingQueue<Runnable> joins = new LinkedBlockingQueue<>();
        private volatile boolean fails;
        private volatile boolean letsJoin;

        private List<String> all() {
            return new ArrayList<>(words);
        }

        private void note(String word) {
            words.add(word);
            if (fails) {
                throw new IllegalStateException("for the test");
            }
        }

        @Override
        public void plainEstablished(PlainEstablished event) {
            note("plain " + event.fiveTuple());
        }

        @Override
        public void capableEstablished(CapableEstablished event) {
            note("capable " + event.fiveTuple());
        }

        @Override
        public void joinEstablished(JoinEstablished event) {
            note("join " + event.fiveTuple());
        }

        @Override
        public void joinAttempted(JoinAttempt attempt, Runnable forward) {
            if (letsJoin) {
                forward.run();
            } else {
                joins.add(forward);
            }
        }

        @Override
        public void midstream(FiveTuple tuple, boolean confirmed) {
            note("midstream " + tuple + " " + confirmed);
        }
    }
}
