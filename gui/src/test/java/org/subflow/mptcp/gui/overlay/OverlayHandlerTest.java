// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceDirectory;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.PortNumber;
import org.onosproject.net.host.HostService;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.ui.UiConnection;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;

/** What a browser session of ONOS's GUI receives, by the message contract of its topology view. */
class OverlayHandlerTest {
    private static final ProviderId PROVIDER = new ProviderId("of", "test");
    private static final IpAddress CLIENT = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress SERVER = IpAddress.valueOf("10.0.0.2");

    private final List<ObjectNode> received = new ArrayList<>();
    private final Map<String, Set<ConnectionId>> choices = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();
    private final TopologyView view = new TopologyView();
    private final OverlayHandler handler = new OverlayHandler();

    @BeforeEach
    void connect() {
        handler.init(session("alice"), new Services());
        connections.add(connection("c1", 1000, 2));
        connections.add(connection("c2", 2000, 3));
    }

    @Test
    void nothingIsSentThatNobodyAskedFor() {
        handler.push();
        assertTrue(received.isEmpty());
    }

    @Test
    void theChosenConnectionsLineRunsFromHostToHost() {
        choices.put("alice", Set.of(ConnectionId.of("c1")));
        handler.push();

        assertEquals("topo2Highlights", received.get(0).get("event").asText());
        assertEquals(Set.of("00:00:00:00:00:01/None~of:0000000000000001/100", "of:0000000000000001/2~of:0000000000000002/1",
                            "of:0000000000000002/5~of:0000000000000005/2", "00:00:00:00:00:02/None~of:0000000000000005/100"),
                     view.labels.keySet());
        assertEquals(Set.of("1: 9/10", ""), Set.copyOf(view.labels.values()), "none at hosts");
        assertEquals(Set.of("secondary port-traffic-green"), Set.copyOf(view.classes.values()));
    }

    @Test
    void linkIdsAreCanonicalWhicheverWayAPathRuns() {
        choices.put("alice", Set.of());
        connections.clear();
        connections.add(connection("there", 1000, 2));
        handler.push();
        connections.clear();
        connections.add(backwards("back", 2));
        handler.push();
        assertEquals(ids(received.get(0)), ids(received.get(1)));
    }

    @Test
    void hostsAreBadged() {
        choices.put("alice", Set.of(ConnectionId.of("c1")));
        handler.push();
        assertEquals(Map.of(host(CLIENT).id().toString(), "C: client of c1 (1: 9/10)",
                            host(SERVER).id().toString(), "S: server of c1 (1: 9/10)"), view.badges);
    }

    @Test
    void itIsSentAgainBecauseLinksFade() {
        choices.put("alice", Set.of());
        handler.push();
        view.fade();
        handler.push();
        assertEquals(6, view.labels.size(), "two paths of two links, and two hosts' links");
    }

    @Test
    void nothingIsLeftAfterItIsSwitchedOff() {
        choices.put("alice", Set.of());
        handler.push();
        assertFalse(view.isBare());
        choices.clear();
        handler.push();
        assertTrue(view.isBare());
        handler.push();
        assertEquals(2, received.size(), "once is enough");
    }

    @Test
    void nothingComesBackWhenTheViewIsDrawnAnew() {
        choices.put("alice", Set.of());
        handler.push();
        choices.clear();
        handler.push();
        view.fade();
        view.redraw();
        assertTrue(view.isBare());
    }

    @Test
    void nothingIsLeftAfterTheEndOfAConnection() {
        choices.put("alice", Set.of());
        handler.push();
        connections.clear();
        handler.push();
        assertTrue(view.isBare());
    }

    @Test
    void nothingIsLeftOfAConnectionThatIsIdle() {
        choices.put("alice", Set.of(ConnectionId.of("c1")));
        handler.push();
        connections.replaceAll(connection -> connection.withState(ConnectionState.IDLE));
        handler.push();
        assertTrue(view.isBare());
    }

    @Test
    void nothingIsLeftOfAnotherChoice() {
        choices.put("alice", Set.of(ConnectionId.of("c1")));
        handler.push();
        choices.put("alice", Set.of(ConnectionId.of("c2")));
        handler.push();
        assertEquals(Set.of("of:0000000000000001/3~of:0000000000000003/1", "of:0000000000000003/5~of:0000000000000005/3"),
                     linksBetweenSwitches());
    }

    @Test
    void nothingIsLeftOfAPathThatASubflowHasLeft() {
        choices.put("alice", Set.of());
        connections.remove(1);
        handler.push();
        connections.set(0, connection("c1", 1000, 4));
        handler.push();
        assertEquals(Set.of("of:0000000000000001/4~of:0000000000000004/1", "of:0000000000000004/5~of:0000000000000005/4"),
                     linksBetweenSwitches());
    }

    @Test
    void nothingIsLeftWhenTheApplicationStops() {
        choices.put("alice", Set.of());
        handler.push();
        handler.end();
        assertTrue(view.isBare());
        handler.push();
        assertTrue(view.isBare(), "a push under way changes nothing");
    }

    @Test
    void anotherUsersChoiceIsTheirs() {
        choices.put("bob", Set.of());
        handler.push();
        assertTrue(received.isEmpty());
    }

    @Test
    void aSessionThatHasEndedIsLeftAlone() {
        choices.put("alice", Set.of());
        handler.destroy();
        handler.push();
        assertTrue(received.isEmpty());
        assertTrue(handler.isEnded());
    }

    private Set<String> linksBetweenSwitches() {
        return view.labels.keySet().stream().filter(id -> id.startsWith("of:")).collect(Collectors.toSet());
    }

    private static List<String> ids(ObjectNode message) {
        List<String> ids = new ArrayList<>();
        message.at("/payload/links").forEach(link -> ids.add(link.get("id").asText()));
        ids.sort(null);
        return ids;
    }

    private UiConnection session(String user) {
        return proxy(UiConnection.class, Map.of("userName", user), message -> {
            received.add((ObjectNode) message);
            view.receive((ObjectNode) message);
            return null;
        });
    }

    private static Connection connection(String id, int port, int middle) {
        return opened(id, subflow(port, true, path(middle), back(middle)));
    }

    private static Connection backwards(String id, int middle) {
        return opened(id, subflow(4000, true, back(middle), path(middle)));
    }

    private static Connection opened(String id, Subflow subflow) {
        return Connection.opened(ConnectionId.of(id), 1, null, null, Settings.DEFAULTS.terms(), 0, subflow);
    }

    private static Subflow subflow(int port, boolean fromClient, List<Link> path, List<Link> back) {
        return Subflow.unrouted(FiveTuple.of(CLIENT, port, SERVER, 5201), fromClient, false, port(1, 100), port(5, 100))
                .withRoute(SubflowState.ACTIVE, path, back, 10e6)
                .withExpected(Rates.of(10e6, 0.3e6));
    }

    private static List<Link> path(int middle) {
        return List.of(link(1, middle), link(middle, 5));
    }

    private static List<Link> back(int middle) {
        return List.of(link(5, middle), link(middle, 1));
    }

    private static Link link(int from, int to) {
        return DefaultLink.builder().providerId(PROVIDER).src(port(from, to)).dst(port(to, from))
                .type(Link.Type.DIRECT).build();
    }

    private static ConnectPoint port(int device, int number) {
        return new ConnectPoint(DeviceId.deviceId(String.format("of:%016x", device)), PortNumber.portNumber(number));
    }

    private static Host host(IpAddress address) {
        MacAddress mac = MacAddress.valueOf(address.equals(CLIENT) ? 1 : 2);
        ConnectPoint port = port(address.equals(CLIENT) ? 1 : 5, 100);
        return new DefaultHost(PROVIDER, HostId.hostId(mac), mac, VlanId.NONE, new HostLocation(port, 0), Set.of(address));
    }

    /** The services that the handler asks for. */
    private final class Services implements ServiceDirectory {
        @Override
        public <T> T get(Class<T> service) {
            Map<Class<?>, Object> services = new HashMap<>();
            services.put(OverlayService.class, new Choices());
            Rates rates = Rates.of(9e6, 0.2e6);
            services.put(MptcpService.class, proxy(MptcpService.class, Map.of("connections", connections),
                    id -> new Measurement(Map.of(tupleOf((ConnectionId) id), rates), 0)));
            services.put(HostService.class, proxy(HostService.class, Map.of(),
                                                  ip -> Set.of(host((IpAddress) ip))));
            return service.cast(services.get(service));
        }

        private FiveTuple tupleOf(ConnectionId id) {
            return connections.stream().filter(c -> c.id().equals(id)).findFirst().get().first().tuple();
        }
    }

    private final class Choices implements OverlayService {
        @Override
        public void show(String user, Set<ConnectionId> ids) {
            choices.put(user, ids);
        }

        @Override
        public void hide(String user) {
            choices.remove(user);
        }

        @Override
        public Optional<Set<ConnectionId>> shown(String user) {
            return Optional.ofNullable(choices.get(user));
        }
    }

    private interface Answerer {
        Object answer(Object argument);
    }

    /** An interface with many methods of which few matter: fixed answers by name, the others by their one argument. */
    private static <T> T proxy(Class<T> type, Map<String, ?> answers, Answerer answerer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (answers.containsKey(method.getName())) {
                return answers.get(method.getName());
            }
            return arguments == null || arguments.length != 1 ? null : answerer.answer(arguments[0]);
        }));
    }
}
