// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.placement.Rates;

/** What a browser session of ONOS's GUI receives, by the message contract of its topology view. */
class OverlayHandlerTest {
    private static final ProviderId PROVIDER = new ProviderId("of", "test");
    private static final IpAddress CLIENT = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress SERVER = IpAddress.valueOf("10.0.0.2");

    private final List<ObjectNode> received = new ArrayList<>();
    private final Map<String, Set<ConnectionId>> choices = new HashMap<>();
    private final List<Connection> connections = new ArrayList<>();
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
    void theChosenConnectionsLinksAreColouredAndLabelled() {
        choices.put("alice", Set.of(ConnectionId.of("c1")));
        handler.push();

        assertEquals("topo2Highlights", received.get(0).get("event").asText());
        JsonNode links = received.get(0).at("/payload/links");
        assertEquals(2, links.size());
        for (JsonNode link : links) {
            assertEquals("1: 9.0 of 10.0 Mbit/s", link.get("label").asText());
            assertEquals("secondary port-traffic-green", link.get("css").asText());
        }
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
        JsonNode hosts = received.get(0).at("/payload/hosts");
        assertEquals(2, hosts.size());
        Map<String, String> badges = new HashMap<>();
        hosts.forEach(host -> badges.put(host.at("/badge/txt").asText(), host.get("id").asText()));
        assertEquals(Map.of("C", host(CLIENT).id().toString(), "S", host(SERVER).id().toString()), badges);
    }

    @Test
    void noNameMeansAllThatHaveAShare() {
        choices.put("alice", Set.of());
        connections.add(connection("idle", 3000, 4).mapSubflows(subflow -> subflow.withExpected(Rates.ZERO)));
        handler.push();
        assertEquals(4, received.get(0).at("/payload/links").size());
    }

    @Test
    void itIsSentAgainAndAgainAndClearedOnce() {
        choices.put("alice", Set.of());
        handler.push();
        handler.push();
        choices.clear();
        handler.push();
        handler.push();

        assertEquals(3, received.size());
        assertEquals(0, received.get(2).at("/payload/links").size());
        assertEquals(0, received.get(2).at("/payload/hosts").size());
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

    private static List<String> ids(ObjectNode message) {
        List<String> ids = new ArrayList<>();
        message.at("/payload/links").forEach(link -> ids.add(link.get("id").asText()));
        ids.sort(null);
        return ids;
    }

    private UiConnection session(String user) {
        return proxy(UiConnection.class, Map.of("userName", user), message -> {
            received.add((ObjectNode) message);
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
        return Connection.opened(ConnectionId.of(id), 1, null, null, Terms.of(Settings.builder().build()), 0, subflow);
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
