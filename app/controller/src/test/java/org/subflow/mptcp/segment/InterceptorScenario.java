// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.common.base.Ticker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.onlab.packet.Data;
import org.onlab.packet.Ethernet;
import org.onlab.packet.IPv4;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TCP;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.DefaultInboundPacket;
import org.onosproject.net.packet.DefaultPacketContext;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.net.packet.PacketServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.handshake.Bench;
import org.subflow.mptcp.handshake.CapableEstablished;
import org.subflow.mptcp.handshake.HandshakeTracker;
import org.subflow.mptcp.handshake.JoinAttempt;
import org.subflow.mptcp.handshake.JoinEstablished;
import org.subflow.mptcp.handshake.PlainEstablished;
import org.subflow.mptcp.handshake.SegmentHandler;
import org.subflow.mptcp.handshake.Tracking;
import org.subflow.mptcp.segment.option.MptcpOption;
import org.subflow.mptcp.segment.option.MptcpOptionEncoder;
import org.subflow.mptcp.topology.Attachments;
import org.subflow.mptcp.topology.KnownInterfaces;
import org.subflow.mptcp.topology.LinkPorts;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.SourceValidation;

/** What tests of the interceptor share: a client and a server behind switches, and the packets between them. */
public abstract class InterceptorScenario {
    static final int MOST_WAITING = 3;
    static final long TIMEOUT_SECONDS = 20;
    static final short VLAN = 100;
    public static final byte[] NO_OPTIONS = {};
    static final ConnectPoint CLIENTS = Nets.edge(1);
    static final ConnectPoint SERVERS = Nets.edge(5);
    static final ConnectPoint FARTHER = Nets.edge(4);
    public static final FiveTuple TUPLE = Bench.tuple("10.0.0.1", 40000);
    static final FiveTuple NEXT = Bench.tuple("10.0.0.1", 40001);

    final Bench bench = new Bench();
    final Hosts hosts = new Hosts();
    final Switches switches = new Switches();
    /** Takes what hosts are asked. */
    final Switches questions = new Switches();
    final Told told = new Told();
    final List<Thread> threads = new ArrayList<>();
    final Set<DeviceId> copying = new HashSet<>();
    final DeviceService devices = new Devices(copying);
    final Set<Link> links = new HashSet<>();
    final AtomicLong nanos = new AtomicLong();
    final LinkPorts linkPorts = new LinkPorts(new LinkServiceAdapter() {
        @Override
        public Iterable<Link> getLinks() {
            return links;
        }
    }, Ticker.systemTicker());
    final KnownInterfaces interfaces = new KnownInterfaces();
    Attachments attachments;
    SourceCheck sources;
    Tracking tracking;
    PacketInterceptor interceptor;

    @BeforeEach
    void start() {
        hosts.attach(TUPLE.source(), 1, VlanId.NONE, CLIENTS);
        hosts.attach(TUPLE.destination(), 2, VlanId.NONE, SERVERS);
        start(bench.tracker, MOST_WAITING);
    }

    @AfterEach
    void stop() {
        interceptor.stop();
        tracking.stop();
    }

    void start(HandshakeTracker tracker, int mostWaiting) {
        tracking = new Tracking(tracker, bench.counters, told, task -> {
            Thread thread = new Thread(task, "tracking");
            threads.add(thread);
            return thread;
        }, mostWaiting, nanos::get);
        attachments = new Attachments(hosts, port -> true, interfaces.own(), () -> { });
        FlagCopies copies = new FlagCopies(devices);
        linkPorts.start();
        sources = new SourceCheck(new SourceValidation(hosts, linkPorts), attachments, copies, tracking, bench.counters,
                                  nanos::get, questions);
        interceptor = new PacketInterceptor(switches, attachments, copies, bench.counters, sources, told, nanos::get);
        interceptor.start();
    }

    /** A further packet is forwarded, and it is the first that is: all before it have been through by then. */
    void assertNothingWasSent() {
        FiveTuple last = Bench.tuple("10.0.0.1", 65000);
        Packet packet = send(syn(last));
        assertArrayEquals(packet.octets, switches.next().data().array());
    }

    /** Waits until everything before has been tracked. */
    void awaitTracking() {
        tracking.age();
        try {
            String word;
            do {
                word = told.words.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
                if (!"age".equals(word)) {
                    told.seen.add(word);
                }
            } while (!"age".equals(word));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        told.words.addAll(told.seen);
        told.seen.clear();
    }

    Packet send(Ethernet frame) {
        ConnectPoint from = frame != null && frame.getPayload() instanceof IPv4
                && ((IPv4) frame.getPayload()).getSourceAddress() == TUPLE.destination().getIp4Address().toInt()
                ? SERVERS : CLIENTS;
        Packet packet = new Packet(from, frame);
        interceptor.process(packet);
        return packet;
    }

    static Ethernet syn(FiveTuple tuple) {
        return segment(tuple, Segment.SYN, Bench.CLIENT_ISN, 0, NO_OPTIONS);
    }

    public static Ethernet segment(FiveTuple tuple, int flags, int sequence, int acknowledgement, byte[] options) {
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

    /** A frame from the server if the packet is from its address, else from the client. */
    static Ethernet frame(IPv4 packet) {
        boolean fromServer = packet.getSourceAddress() == TUPLE.destination().getIp4Address().toInt();
        Ethernet frame = new Ethernet();
        frame.setSourceMACAddress(MacAddress.valueOf(fromServer ? 2 : 1))
                .setDestinationMACAddress(MacAddress.valueOf(fromServer ? 1 : 2))
                .setEtherType(Ethernet.TYPE_IPV4).setPayload(packet);
        return frame;
    }

    public static byte[] options(MptcpOption option) {
        return MptcpOptionEncoder.encode(List.of(option));
    }

    /** A packet on its way through ONOS's processors. */
    public static final class Packet extends DefaultPacketContext {
        final byte[] octets;

        public Packet(ConnectPoint from, Ethernet frame) {
            this(from, frame, frame == null ? NO_OPTIONS : frame.serialize());
        }

        Packet(ConnectPoint from, Ethernet frame, byte[] octets) {
            super(0, new DefaultInboundPacket(from, frame, ByteBuffer.wrap(octets)), null, false);
            this.octets = octets;
        }

        @Override
        public void send() {
            throw new UnsupportedOperationException();
        }
    }

    /** Takes packet-outs. */
    public static final class Switches extends PacketServiceAdapter {
        public final Set<PacketProcessor> processors = new HashSet<>();
        final BlockingQueue<OutboundPacket> sent = new LinkedBlockingQueue<>();

        public OutboundPacket next() {
            try {
                OutboundPacket next = sent.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
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
            sent.add(packet);
        }
    }

    /** The hosts that ONOS knows. */
    public static final class Hosts extends HostServiceAdapter {
        final Map<IpAddress, Set<Host>> known = new HashMap<>();

        public Host attach(IpAddress address, int number, VlanId vlan, ConnectPoint... ports) {
            MacAddress mac = MacAddress.valueOf(number);
            Set<HostLocation> locations = Arrays.stream(ports)
                    .map(port -> new HostLocation(port.deviceId(), port.port(), 0)).collect(Collectors.toSet());
            Host host = new DefaultHost(ProviderId.NONE, HostId.hostId(mac, vlan), mac, vlan, locations, Set.of(address),
                                        false);
            known.computeIfAbsent(address, unused -> new HashSet<>()).add(host);
            return host;
        }

        @Override
        public Host getHost(HostId id) {
            return known.values().stream().flatMap(Set::stream).filter(host -> host.id().equals(id)).findFirst()
                    .orElse(null);
        }

        @Override
        public Set<Host> getHostsByIp(IpAddress address) {
            return known.getOrDefault(address, Set.of());
        }
    }

    /** Switches, of which some copy segments with SYN, FIN or RST. */
    static final class Devices extends DeviceServiceAdapter {
        private final Set<DeviceId> copying;

        Devices(Set<DeviceId> copying) {
            this.copying = copying;
        }

        @Override
        public Device getDevice(DeviceId id) {
            return new DefaultDevice(null, id, Device.Type.SWITCH, "", "", "", "", null,
                                     DefaultAnnotations.builder().set("tcpFlags", copying.contains(id) ? "copied" : "none")
                                             .build());
        }
    }

    /** Notes what packets tell, and can keep the tracking thread busy. */
    static final class Told implements SegmentHandler {
        final CountDownLatch entered = new CountDownLatch(1);
        volatile CountDownLatch gate = new CountDownLatch(0);
        final BlockingQueue<String> words = new LinkedBlockingQueue<>();
        final BlockingQueue<Runnable> joins = new LinkedBlockingQueue<>();
        final List<String> seen = new ArrayList<>();
        volatile boolean fails;
        volatile boolean letsJoin;
        volatile boolean remembers;
        volatile boolean awaits;
        final BlockingQueue<Segment> counted = new LinkedBlockingQueue<>();

        void close() {
            gate = new CountDownLatch(1);
        }

        void open() {
            gate.countDown();
        }

        List<String> all() {
            return new ArrayList<>(words);
        }

        void note(String word) {
            words.add(word);
            if (fails) {
                throw new IllegalStateException("for the test");
            }
        }

        @Override
        public void began(FiveTuple initiators) {
            // Only what follows a SYN is noted here.
        }

        @Override
        public void plainEstablished(PlainEstablished event) {
            note("plain " + event.fiveTuple);
        }

        @Override
        public void capableEstablished(CapableEstablished event) {
            note("capable " + event.fiveTuple);
        }

        @Override
        public void joinEstablished(JoinEstablished event) {
            note("join " + event.fiveTuple);
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
        public boolean counted(Segment segment, long now) {
            counted.add(segment);
            return remembers;
        }

        @Override
        public void ended(Segment segment) {
            note("ended " + segment.fiveTuple());
        }

        @Override
        public boolean isAwaited(FiveTuple tuple) {
            return awaits;
        }

        @Override
        public void overflowed(FiveTuple tuple, ConnectPoint port) {
            note("overflowed " + tuple + " at " + port);
        }

        @Override
        public void unclaimed(FiveTuple tuple) {
            note("unclaimed " + tuple);
        }

        @Override
        public void age(long now) {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            note("age");
        }

        @Override
        public void sweep() {
            // Nothing here is left behind.
        }

        @Override
        public void midstream(Segment segment, boolean confirmed) {
            note("midstream " + segment.fiveTuple() + " " + confirmed);
        }
    }
}
