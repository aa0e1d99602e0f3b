// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/** What has failed is remembered until it is back, or until ONOS forgets it. */
class NetworkFailuresTest {
    private long now = 1000;
    private final NetworkFailures failures = new NetworkFailures(() -> now);
    private final Set<DeviceId> known = IntStream.rangeClosed(1, 5).mapToObj(Nets::device).collect(Collectors.toSet());
    private final Set<ConnectPoint> forgottenPorts = new HashSet<>();
    private final List<Link> inactive = new ArrayList<>();
    private NetworkSnapshot network = Nets.diamond();
    private NetworkView.Listener listener;

    @BeforeEach
    void start() throws ReflectiveOperationException {
        set("network", view());
        set("devices", new DeviceServiceAdapter() {
            @Override
            public Iterable<Device> getDevices() {
                return known.stream().map(NetworkFailuresTest::device).collect(Collectors.toList());
            }

            @Override
            public Device getDevice(DeviceId id) {
                return known.contains(id) ? device(id) : null;
            }

            @Override
            public Port getPort(ConnectPoint point) {
                return forgottenPorts.contains(point) ? null
                        : new DefaultPort(device(point.deviceId()), point.port(), false, DefaultAnnotations.EMPTY);
            }

            @Override
            public long getLastUpdatedInstant(DeviceId id) {
                return 70;
            }
        });
        set("links", new LinkServiceAdapter() {
            @Override
            public Iterable<Link> getLinks() {
                return inactive;
            }
        });
    }

    @Test
    void aLinkThatOnosRemovesIsToldOnceUntilItIsBack() {
        failures.activate();
        now = 2000;
        becomes(1, 3, 1, 4, 2, 5, 3, 5, 4, 5);
        assertEquals(List.of("of:1/2-of:2/1 at 2000 with 10 Mbit/s"), told());
        now = 3000;
        becomes(1, 4, 2, 5, 3, 5, 4, 5);
        assertEquals(List.of("of:1/2-of:2/1 at 2000 with 10 Mbit/s", "of:1/3-of:3/1 at 3000 with 10 Mbit/s"), told());
        becomes(1, 2, 1, 4, 2, 5, 3, 5, 4, 5);
        assertEquals(List.of("of:1/3-of:3/1 at 3000 with 10 Mbit/s"), told());
    }

    @Test
    void aLinkIsForgottenWithItsPortItsSwitchOrWhenAnotherIsThere() {
        failures.activate();
        becomes(2, 5, 3, 5, 4, 5);
        assertEquals(3, failures.links().size());
        forgottenPorts.add(Nets.port(1, 2));
        listener.networkChanged();
        assertEquals(2, failures.links().size(), "ONOS has forgotten its port");
        List<Link> links = new ArrayList<>(network.links());
        Link other = DefaultLink.builder().providerId(ProviderId.NONE).type(Link.Type.DIRECT)
                .src(Nets.port(1, 3)).dst(Nets.edge(2)).build();
        links.add(other);
        links.add(DefaultLink.builder().providerId(ProviderId.NONE).type(Link.Type.DIRECT).src(other.dst()).dst(other.src()).build());
        becomes(Nets.snapshot(links));
        assertEquals(List.of("of:1/4-of:4/1 at 1000 with 10 Mbit/s"), told(), "the cable leads elsewhere now");
        known.remove(Nets.device(4));
        listener.networkChanged();
        assertEquals(List.of(), told());
    }

    @Test
    void aSwitchIsToldUntilItIsBackOrRemoved() {
        failures.activate();
        becomes(1, 2, 1, 3, 2, 5, 3, 5);
        assertEquals(List.of("of:4"), switches());
        assertEquals(2, failures.links().size(), "and the links that lead to it");
        becomes(Nets.diamond());
        assertEquals(List.of(), switches());
        becomes(1, 2, 1, 3, 2, 5, 3, 5);
        known.remove(Nets.device(4));
        listener.networkChanged();
        assertEquals(List.of(), switches());
        assertEquals(0, failures.links().size());
    }

    @Test
    void atItsStartItTellsWhatOnosSaysToBeDown() {
        known.add(Nets.device(9));
        inactive.add(DefaultLink.builder().providerId(ProviderId.NONE).type(Link.Type.DIRECT).state(Link.State.INACTIVE)
                             .src(Nets.port(1, 9)).dst(Nets.port(9, 1)).build());
        failures.activate();
        assertEquals(List.of("of:1/9-of:9/1 at 1000 with 0 Mbit/s"), told());
        assertEquals(List.of("of:9"), switches());
        assertEquals(70, failures.switches().get(0).sinceMillis(), "ONOS knows since when");
    }

    @Test
    void whatHasLeftAFailedLinkIsTold() {
        failures.activate();
        Connection before = connection(Nets.link(1, 2), Nets.link(2, 5));
        Connection after = connection(Nets.link(1, 3), Nets.link(3, 5));
        failures.changed(before, after);
        network = Nets.snapshot(Nets.bothWays(new int[][] {{1, 3}, {1, 4}, {2, 5}, {3, 5}, {4, 5}}));
        failures.changed(before, after);
        assertEquals(Set.of(before.id()), failures.links().get(0).moved(), "also before anybody tells of the network");
        failures.changed(after, before);
        assertEquals(1, failures.links().size(), "2-5 has not failed");
        failures.changed(before, after);
        assertEquals(1, failures.links().get(0).moved().size());
    }

    @Test
    void theOldestAreForgottenBeyondALimit() {
        List<Link> many = Nets.bothWays(IntStream.rangeClosed(1, NetworkFailures.MOST + 5)
                .mapToObj(n -> new int[] {n, n + 1}).toArray(int[][]::new));
        IntStream.rangeClosed(1, NetworkFailures.MOST + 6).mapToObj(Nets::device).forEach(known::add);
        network = Nets.snapshot(many);
        failures.activate();
        becomes(1, 2);
        assertEquals(NetworkFailures.MOST, failures.links().size());
        assertEquals(NetworkFailures.MOST, failures.switches().size());
    }

    private void becomes(int... ends) {
        becomes(Nets.snapshot(Nets.bothWays(IntStream.range(0, ends.length / 2)
                .mapToObj(i -> new int[] {ends[2 * i], ends[2 * i + 1]}).toArray(int[][]::new))));
    }

    private void becomes(NetworkSnapshot next) {
        network = next;
        listener.networkChanged();
    }

    private List<String> told() {
        return failures.links().stream().map(NetworkFailuresTest::text).collect(Collectors.toList());
    }

    private static String text(FailedLink failed) {
        return failed.link().src() + "-" + failed.link().dst() + " at " + failed.sinceMillis() + " with "
                + (int) (failed.capacity() / 1e6) + " Mbit/s";
    }

    private List<String> switches() {
        return failures.switches().stream().map(failed -> failed.device().toString()).collect(Collectors.toList());
    }

    private static Connection connection(Link... path) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 40000, IpAddress.valueOf("10.0.0.2"), 5201);
        Subflow subflow = Subflow.unrouted(tuple, true, false, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(path), List.of(), Nets.CAPACITY);
        return Connection.opened(ConnectionId.of("c1"), 1, null, null, Settings.DEFAULTS.terms(), 0, subflow);
    }

    private NetworkView view() {
        return (NetworkView) Proxy.newProxyInstance(NetworkView.class.getClassLoader(),
                new Class<?>[] {NetworkView.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("addListener")) {
                        listener = (NetworkView.Listener) arguments[0];
                        return null;
                    }
                    return network;
                });
    }

    private static Device device(DeviceId id) {
        return new DefaultDevice(ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", null);
    }

    private void set(String field, Object value) throws ReflectiveOperationException {
        Field declared = NetworkFailures.class.getDeclaredField(field);
        declared.setAccessible(true);
        declared.set(failures, value);
    }
}
