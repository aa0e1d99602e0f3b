// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
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
import org.onosproject.net.provider.ProviderId;
import org.onosproject.ui.topo.TopoJson;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;

/** Colours, dashes and labels of links; switches 2, 3 and 4 join 1 and 5. */
class SubflowHighlightsTest {
    private static final String CLIENTS_LINK = "00:00:00:00:00:01/None~of:0000000000000001/100";
    private static final String CLIENT_HOST = "00:00:00:00:00:01/None";
    private static final String SERVER_HOST = "00:00:00:00:00:02/None";
    private static final IpAddress CLIENT = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress SERVER = IpAddress.valueOf("10.0.0.2");

    /** What ONOS knows of the host at switch 5. */
    private IpAddress serversAddress = SERVER;
    private final List<Connection> connections = new ArrayList<>();
    private final Map<FiveTuple, Rates> measured = new HashMap<>();

    @Test
    void subflowsHaveColoursOfTheirOwn() {
        connections.add(connection("c1", routed(1, 2, 10), routed(2, 3, 10), routed(3, 4, 10)));
        Map<String, String> classes = shown().classes;
        assertEquals("secondary port-traffic-green", classes.get(first(2)));
        assertEquals("primary optical", classes.get(first(3)));
        assertEquals("secondary port-traffic-orange", classes.get(first(4)));
    }

    @Test
    void aLabelHasMeasuredAndExpectedRateInTheDirectionThatCarriesMore() {
        connections.add(connection("c1", routed(1, 2, 10)));
        measured.put(tuple(1), Rates.of(0.2e6, 9.54e6));
        assertEquals("1: 9.5/1", shown().labels.get(first(2)));
        measured.put(tuple(1), Rates.of(9.96e6, 0.2e6));
        assertEquals("1: 10/10", shown().labels.get(first(2)));
        measured.put(tuple(1), Rates.ZERO);
        assertEquals("1: 0/10", shown().labels.get(first(2)), "it was read, and has sent nothing");
        measured.clear();
        assertEquals("1: -/10", shown().labels.get(first(2)), "no counter has been read twice");
    }

    @Test
    void moreThanTwoSubflowsOnALinkAreSummedUp() {
        connections.add(connection("c1", routed(1, 2, 10), routed(2, 2, 5)));
        assertEquals("1: -/10 | 2: -/5", shown().labels.get(first(2)));
        connections.set(0, connection("c1", routed(1, 2, 10), routed(2, 2, 5), routed(3, 2, 2.5)));
        assertEquals("3 subflows -/17.5", shown().labels.get(first(2)));
        measured.put(tuple(1), Rates.of(4e6, 0));
        measured.put(tuple(3), Rates.of(1.2e6, 0));
        assertEquals("3 subflows 5.2/17.5", shown().labels.get(first(2)));
        assertEquals("C: client of c1 (3 subflows 5.2/17.5)", shown().badges.get(CLIENT_HOST), "they share their host's link, too");
    }

    @Test
    void aBackupIsDashedUnlessAnActiveSubflowTakesTheSameLink() {
        Subflow backup = routed(2, 3, 0).withRoute(SubflowState.BACKUP, path(3), back(3), 10e6);
        connections.add(connection("c1", routed(1, 2, 10), backup));
        assertEquals("primary inactive optical", shown().classes.get(first(3)));
        assertEquals("2: backup", shown().labels.get(first(3)));
        assertEquals("secondary port-traffic-green", shown().classes.get(CLIENTS_LINK));
    }

    @Test
    void aSubflowWithoutAPathIsRedAtItsHosts() {
        connections.add(connection("c1", routed(1, 2, 10).withoutRoute(SubflowState.DOWN)).withState(ConnectionState.DOWN));
        assertEquals("plain not-permitted", shown().classes.get(CLIENTS_LINK));
        assertEquals("C: client of c1 (1: down)", shown().badges.get(CLIENT_HOST));
        assertEquals(2, shown().classes.size());
    }

    @Test
    void whatExpectsAlmostNothingIsLeftOut() {
        connections.add(connection("control", routed(1, 2, 0.05)));
        connections.add(connection("data", routed(2, 3, 10), routed(3, 4, 0.05)));
        assertEquals(Set.of("1: -/10"), labels(shown()));
        assertEquals(Set.of("1: -/0.1"), labels(shown("control")), "unless somebody asks for it");
    }

    @Test
    void withoutNamesTheLargestFewAreShown() {
        for (int number = 1; number <= 8; number++) {
            connections.add(connection("c" + number, routed(number, 2, number)));
        }
        assertEquals(List.of("c8", "c7", "c6", "c5", "c4"), ShownConnections.of(connections, Set.of()).shown().stream()
                .map(connection -> connection.id().value()).collect(Collectors.toList()));
    }

    @Test
    void badgesTellHowManyMoreThereAre() {
        for (int number = 1; number <= ShownConnections.MOST; number++) {
            connections.add(connection("c" + number, routed(number, 2, 10)));
        }
        assertFalse(shown().badges.get(CLIENT_HOST).contains("more"), () -> shown().badges.toString());
        connections.add(connection("c6", routed(6, 3, 10)));
        connections.add(connection("control", routed(7, 3, 0.01)));
        assertTrue(shown().badges.get(CLIENT_HOST).startsWith("C+1: client of c1 (1: -/10) and c2 "), () -> shown().badges.toString());
        assertTrue(shown().badges.get(SERVER_HOST).endsWith(", 1 more connection not shown"), () -> shown().badges.toString());
        assertFalse(shown().classes.containsKey(first(3)));
        String[] names = connections.stream().map(connection -> connection.id().value()).toArray(String[]::new);
        assertFalse(shown(names).badges.get(CLIENT_HOST).contains("more"), "nothing is left out that was asked for");
    }

    @Test
    void linksOfHostsHaveNoLabelsThatWouldLieOnTheirNames() {
        connections.add(connection("c1", routed(1, 2, 10)));
        assertEquals("secondary port-traffic-green", shown().classes.get(CLIENTS_LINK));
        assertEquals("", shown().labels.get(CLIENTS_LINK));
    }

    @Test
    void whatIsIdleHasNoLine() {
        connections.add(connection("c1", routed(1, 2, 10).withoutRoute(SubflowState.IDLE), routed(2, 3, 10)));
        connections.add(connection("c2", routed(3, 4, 10)).withState(ConnectionState.IDLE));
        assertFalse(shown("c1", "c2").labels.containsKey(first(2)));
        assertFalse(shown("c1", "c2").labels.containsKey(first(4)));
    }

    @Test
    void aHostInSeveralConnectionsHasOneBadge() {
        connections.add(connection("c1", routed(1, 2, 10)));
        connections.add(connection("c2", Subflow.unrouted(FiveTuple.of(SERVER, 7, CLIENT, 80), true, false, port(5, 100), port(1, 100))
                .withRoute(SubflowState.ACTIVE, back(3), path(3), 10e6).withExpected(Rates.of(1e6, 1e6))));
        assertEquals(Map.of(CLIENT_HOST, "CS: client of c1 (1: -/10), server of c2 (2: -/1)",
                            SERVER_HOST, "CS: client of c2 (2: -/1), server of c1 (1: -/10)"), shown().badges);
    }

    /** The labels that the view shows. */
    private static Set<String> labels(TopologyView view) {
        return view.labels.values().stream().filter(label -> !label.isEmpty()).collect(Collectors.toSet());
    }

    @Test
    void theEndOfALegAtARouterIsNoServer() {
        connections.add(connection("near", routed(1, 2, 10)));
        serversAddress = IpAddress.valueOf("10.0.255.254");
        assertEquals(Map.of(CLIENT_HOST, "C: client of near (1: -/10)", SERVER_HOST, "R: router of near (1: -/10)"), shown().badges);
    }

    private TopologyView shown(String... names) {
        Set<ConnectionId> ids = List.of(names).stream().map(ConnectionId::of).collect(Collectors.toSet());
        TopologyView view = new TopologyView();
        view.receive(TopoJson.topo2HighlightsMessage(SubflowHighlights.of(
                ShownConnections.of(connections, ids), connection -> new Measurement(measured, 0), this::hosts)));
        return view;
    }

    private Set<Host> hosts(FiveTuple from) {
        IpAddress address = from.source();
        boolean isClient = address.equals(CLIENT);
        MacAddress mac = MacAddress.valueOf(isClient ? 1 : 2);
        return Set.of(new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE,
                                      new HostLocation(port(isClient ? 1 : 5, 100), 0),
                                      Set.of(isClient ? address : serversAddress)));
    }

    private static Connection connection(String name, Subflow first, Subflow... others) {
        Connection connection = Connection.opened(ConnectionId.of(name), 1, null, null,
                                                  Settings.DEFAULTS.terms(), 0, first);
        for (Subflow other : others) {
            connection = connection.withSubflow(other);
        }
        return connection.withState(ConnectionState.ACTIVE);
    }

    private static FiveTuple tuple(int number) {
        return FiveTuple.of(CLIENT, number, SERVER, 80);
    }

    /** Returns a subflow by a switch in the middle, with so many Mbit/s up and a tenth of it down. */
    private static Subflow routed(int number, int middle, double mbps) {
        return Subflow.unrouted(tuple(number), true, false, port(1, 100), port(5, 100))
                .withRoute(SubflowState.ACTIVE, path(middle), back(middle), 10e6)
                .withExpected(Rates.of(mbps * 1e6, mbps * 0.1e6));
    }

    private static String first(int middle) {
        return String.format("of:%016x/%d~of:%016x/1", 1, middle, middle);
    }

    private static List<Link> path(int middle) {
        return List.of(link(1, middle), link(middle, 5));
    }

    private static List<Link> back(int middle) {
        return List.of(link(5, middle), link(middle, 1));
    }

    private static Link link(int from, int to) {
        return DefaultLink.builder().providerId(ProviderId.NONE).src(port(from, to)).dst(port(to, from))
                .type(Link.Type.DIRECT).build();
    }

    private static ConnectPoint port(int device, int number) {
        return new ConnectPoint(DeviceId.deviceId(String.format("of:%016x", device)), PortNumber.portNumber(number));
    }
}
