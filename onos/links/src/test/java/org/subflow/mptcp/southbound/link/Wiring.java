// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.link.LinkDescription;
import org.onosproject.net.link.LinkProvider;
import org.onosproject.net.link.LinkProviderRegistry;
import org.onosproject.net.link.LinkProviderService;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.packet.OutboundPacket;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.southbound.fixtures.Devices;
import org.subflow.mptcp.southbound.fixtures.Packets;

/** ONOS around the link provider: switches with ports, packets that it sends, and the links that it tells of. */
final class Wiring {
    static final int TIMEOUT_SECONDS = 30;

    final Switches switches = new Switches();
    final SentPackets packets = new SentPackets();
    final Links links = new Links();

    private static <T> T next(BlockingQueue<T> queue) {
        try {
            T next = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("nothing happened");
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The switches with their ports, which a test takes up and down. */
    static final class Switches extends Devices {
        /** Whether the next round of probes fails, once. */
        volatile boolean failsOnce;
        private final Map<DeviceId, Map<PortNumber, Port>> ports = new ConcurrentHashMap<>();
        private final Set<DeviceId> available = ConcurrentHashMap.newKeySet();

        void add(DeviceId id) {
            ports.put(id, new ConcurrentHashMap<>());
            available.add(id);
        }

        void setAvailable(DeviceId id, boolean isAvailable) {
            if (isAvailable) {
                available.add(id);
            } else {
                available.remove(id);
            }
        }

        Port set(ConnectPoint point, boolean enabled) {
            Port port = new DefaultPort(getDevice(point.deviceId()), point.port(), enabled);
            ports.get(point.deviceId()).put(point.port(), port);
            return port;
        }

        @Override
        public Iterable<Device> getDevices() {
            return ports.keySet().stream().map(this::getDevice).collect(Collectors.toList());
        }

        @Override
        public Iterable<Device> getAvailableDevices() {
            if (failsOnce) {
                failsOnce = false;
                throw new IllegalStateException("for the test");
            }
            return available.stream().map(this::getDevice).collect(Collectors.toList());
        }

        @Override
        public List<Port> getPorts(DeviceId id) {
            return new ArrayList<>(ports.get(id).values());
        }

        @Override
        public Port getPort(DeviceId id, PortNumber number) {
            return ports.get(id).get(number);
        }

        @Override
        public boolean isAvailable(DeviceId id) {
            return available.contains(id);
        }
    }

    /** Waits for what is sent next. */
    static final class SentPackets extends Packets {
        private final BlockingQueue<OutboundPacket> waiting = new LinkedBlockingQueue<>();

        OutboundPacket next() {
            return Wiring.next(waiting);
        }

        @Override
        public void emit(OutboundPacket packet) {
            waiting.add(packet);
        }
    }

    /** ONOS's core of links; notes what it is told, one line each. */
    static final class Links extends LinkServiceAdapter implements LinkProviderRegistry, LinkProviderService {
        final Set<LinkProvider> registered = new CopyOnWriteArraySet<>();
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final Map<LinkKey, Link> known = new ConcurrentHashMap<>();

        /** Lets ONOS know a link of this state and type. */
        void know(ConnectPoint from, ConnectPoint to, Link.State state, Link.Type type) {
            known.put(LinkKey.linkKey(from, to), DefaultLink.builder().providerId(new ProviderId("lldp", "test"))
                    .src(from).dst(to).type(type).state(state).build());
        }

        @Override
        public Link getLink(ConnectPoint from, ConnectPoint to) {
            return known.get(LinkKey.linkKey(from, to));
        }

        String next() {
            return Wiring.next(told);
        }

        @Override
        public LinkProviderService register(LinkProvider provider) {
            registered.add(provider);
            return this;
        }

        @Override
        public void unregister(LinkProvider provider) {
            registered.remove(provider);
        }

        @Override
        public Set<ProviderId> getProviders() {
            return Set.of();
        }

        @Override
        public LinkProvider provider() {
            return registered.iterator().next();
        }

        @Override
        public void linkDetected(LinkDescription link) {
            told.add("detected " + link.src() + " > " + link.dst());
        }

        @Override
        public void linkVanished(LinkDescription link) {
            told.add("vanished " + link.src() + " > " + link.dst());
        }

        @Override
        public void linksVanished(ConnectPoint point) {
            told.add("vanished at " + point);
        }

        @Override
        public void linksVanished(DeviceId device) {
            told.add("vanished at " + device);
        }
    }
}
