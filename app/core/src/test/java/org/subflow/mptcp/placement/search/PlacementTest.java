// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.AttainableRates;

/** Placement of new subflows, JOINs and subflows that have lost a path, and the shares that follow. */
class PlacementTest {
    private static final double ROUNDING = 1e3;

    private final Graph graph = Networks.diamond();
    private final Placement placement = Networks.on(graph);

    @Test
    void eachSubflowGetsAPathOfItsOwn() {
        placement.open("c", 0, 4, Networks.terms(3, JoinPolicy.SHARE), Networks.UP);
        assertEquals(3, middles("c").size());
        assertEquals(30e6, connection("c").expected().up(), ROUNDING);
        assertEquals(0, connection("c").expected().down(), "nothing is sent that way");
    }

    @Test
    void theJoinPolicyDecidesWhatAFourthSubflowGets() {
        for (JoinPolicy policy : JoinPolicy.values()) {
            placement.open(policy.toString(), 0, 4, Networks.terms(4, policy), Networks.UP);
        }
        assertEquals(Role.SHARED, connection("share").subflows().get(3).role());
        PlacedSubflow backup = connection("backup").subflows().get(3);
        assertEquals(Role.BACKUP, backup.role());
        assertEquals(Rates.ZERO, backup.expected());
        assertEquals(Role.BLOCKED, connection("block").subflows().get(3).role());
        assertTrue(connection("block").subflows().get(3).path().isEmpty());
    }

    @Test
    void aLivingSubflowIsNeverBlocked() {
        placement.open("c", 0, 4, Networks.terms(3, JoinPolicy.BLOCK), Networks.UP);
        Graph cut = Graph.builder(5).link(0, 1, 10e6).link(1, 4, 10e6).link(0, 2, 10e6).link(2, 4, 10e6).build();
        PlacedConnection before = connection("c");
        List<PlacedSubflow> subflows = before.subflows().stream()
                .map(subflow -> subflow.path().get().node(1) == 3 ? subflow.withoutPath(Role.NONE)
                        : subflow.on(Role.OWN, Path.along(cut, subflow.path().get().nodes())))
                .collect(Collectors.toList());
        PlacedConnection lost = before.withSubflows(subflows);
        PlacedConnection repaired = Repair.repair(NetworkState.empty(cut).with(lost), lost,
                                                  i -> lost.subflows().get(i).role() == Role.NONE);
        assertEquals(1, repaired.subflows().stream().filter(subflow -> subflow.role() == Role.BACKUP).count());
        assertTrue(repaired.subflows().stream().allMatch(PlacedSubflow::isPlaced));
    }

    @Test
    void aSubflowLeavesAPathWithoutCapacityForOneWithCapacity() {
        Graph.Builder drained = Graph.builder(5).link(0, 1, 0).link(1, 4, 10e6).link(0, 2, 10e6).link(2, 4, 10e6);
        Graph now = drained.build();
        PlacedConnection connection = new PlacedConnection("c", Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(
                PlacedSubflow.unplaced(0, 4, true, false, 1).on(Role.OWN, Path.along(now, 0, 1, 4))));
        PlacedConnection repaired = Repair.repair(NetworkState.empty(now).with(connection), connection, i -> false);
        assertEquals("0-2-4", repaired.subflows().get(0).path().get().toString());

        Graph nothing = Graph.builder(5).link(0, 1, 0).link(1, 4, 10e6).build();
        PlacedConnection stuck = connection.with(0, PlacedSubflow.unplaced(0, 4, true, false, 1)
                .on(Role.OWN, Path.along(nothing, 0, 1, 4)));
        assertEquals(stuck, Repair.repair(NetworkState.empty(nothing).with(stuck), stuck, i -> false));
    }

    @Test
    void inTheLastResortALinkWithoutCapacityIsAPath() {
        Graph drained = Graph.builder(5).link(0, 1, 0).link(1, 4, 10e6).link(0, 2, 10e6).build();
        PlacedConnection newcomer = new PlacedConnection("c", Networks.terms(1, JoinPolicy.SHARE), Networks.UP, List.of(
                PlacedSubflow.unplaced(0, 4, true, false, 1)));
        PlacedSubflow placed = PathPlacement.place(NetworkState.empty(drained), newcomer, 0);
        assertEquals("0-1-4", placed.path().get().toString());
        assertTrue(placed.isActive());

        PlacedConnection repaired = Repair.repair(NetworkState.empty(drained), newcomer, i -> true);
        assertEquals("0-1-4", repaired.subflows().get(0).path().get().toString(), "a lost path");

        NetworkState oneWay = NetworkState.empty(drained).allowingOneWayLinks();
        assertEquals(Role.NONE, PathPlacement.place(oneWay, newcomer, 0).role(), "there it is a link that does not exist");
    }

    @Test
    void hostsOfOneSwitchNeedNoPath() {
        placement.open("c", 2, 2, Networks.terms(2, JoinPolicy.SHARE), Networks.UP);
        assertTrue(connection("c").subflows().stream().allMatch(PlacedSubflow::isPlaced));
        assertEquals(Rates.ZERO, connection("c").expected());
    }

    @Test
    void anUnknownSwitchGivesNoPath() {
        placement.open("c", -1, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        assertEquals(Role.NONE, connection("c").subflows().get(0).role());
    }

    @Test
    void newSubflowsAvoidOtherTrafficAndItTakesPartInSharing() {
        double[] others = new double[graph.arcCount()];
        others[graph.arcBetween(0, 1)] = 6e6;
        NetworkState network = NetworkState.of(graph, others, List.of());
        Placement busy = new Placement(network, "max-min", 10);
        busy.open("one", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        busy.open("two", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        busy.open("three", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        Set<Integer> middles = new HashSet<>();
        busy.network().connections().forEach(one -> middles.add(one.subflows().get(0).path().get().node(1)));
        assertEquals(Set.of(1, 2, 3), middles, "the busy one last");
        assertEquals(5e6, busy.network().connection("three").get().expected().up(), ROUNDING);
        assertEquals(10e6, busy.network().connection("one").get().expected().up(), ROUNDING);
    }

    @Test
    void aForecastEqualsTheLaterExpectedThroughput() {
        placement.open("busy", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        NetworkState network = placement.network();
        PlacedConnection begun = new PlacedConnection("new", Networks.terms(3, JoinPolicy.SHARE), Networks.UP,
                                                      List.of(PlacedSubflow.unplaced(0, 4, true, false, 1)));
        begun = begun.with(0, PathPlacement.place(network, begun, 0));
        PlacedConnection forecast = new Forecast().of(network, begun, "max-min");
        assertEquals(network, placement.network(), "asking leaves no trace");
        placement.open("new", 0, 4, Networks.terms(3, JoinPolicy.SHARE), Networks.UP);
        assertEquals(connection("new").expected().up(), forecast.expected().up(), ROUNDING);
    }

    @Test
    void rememberedForecastsAreForgottenWhenSomethingChanges() {
        Forecast forecast = new Forecast();
        for (int k : new int[] {1, 3, 3, 1}) {
            assertForecast(forecast, placement.network(), k, "max-min");
        }
        placement.open("busy", 0, 4, Networks.terms(2, JoinPolicy.SHARE), Networks.UP);
        assertForecast(forecast, placement.network(), 3, "max-min");
        assertForecast(forecast, placement.network(), 3, "smptcp");
        double[] others = new double[graph.arcCount()];
        others[graph.arcBetween(0, 1)] = 6e6;
        assertForecast(forecast, NetworkState.of(graph, others, placement.network().connections()), 3, "smptcp");
        assertForecast(forecast, placement.network().withConnections(List.of()), 3, "smptcp");
    }

    /** Asserts that somebody who remembers answers as somebody who does not. */
    private static void assertForecast(Forecast forecast, NetworkState network, int k, String allocator) {
        PlacedConnection begun = new PlacedConnection("new", Networks.terms(k, JoinPolicy.SHARE), Networks.UP,
                                                      List.of(PlacedSubflow.unplaced(0, 4, true, false, 1)));
        begun = begun.with(0, PathPlacement.place(network, begun, 0));
        PlacedConnection known = forecast.of(network, begun, allocator);
        PlacedConnection fresh = new Forecast().of(network, begun, allocator);
        for (int i = 0; i < k; i++) {
            assertEquals(fresh.subflows().get(i).expected().up(), known.subflows().get(i).expected().up(), ROUNDING);
            assertEquals(fresh.subflows().get(i).path(), known.subflows().get(i).path());
        }
        assertEquals(fresh.subflows().size(), known.subflows().size());
    }

    @Test
    void availableIsTheResidualBandwidthAndFairIsNotLarger() {
        placement.open("one", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        placement.open("all", 0, 4, Networks.terms(3, JoinPolicy.SHARE), Networks.UP);
        AttainableRates rates = new AttainableRates();
        rates.now(placement.network());
        AttainableRate one = rates.of(0);
        // Its own path only: the other connection leaves no residual bandwidth on the two others.
        assertEquals(10e6, one.available().up(), ROUNDING);
        assertTrue(one.fair().up() <= one.available().up() + ROUNDING);
        assertEquals(0, one.available().down());
    }

    @Test
    void badArgumentsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> PlacementTerms.of("nonsense", 1, JoinPolicy.SHARE));
        assertThrows(IllegalArgumentException.class, () -> PlacementTerms.of("shortest", 0, JoinPolicy.SHARE));
        assertThrows(IllegalArgumentException.class, () -> Demand.of(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> NetworkState.of(graph, new double[1], List.of()));
        assertThrows(IllegalArgumentException.class, () -> JoinPolicy.parse("perhaps"));
        PlacedSubflow subflow = PlacedSubflow.unplaced(0, 4, true, true, 1);
        assertThrows(IllegalArgumentException.class, () -> placement.place("unknown", subflow));
    }

    private PlacedConnection connection(String id) {
        return placement.network().connection(id).get();
    }

    private Set<Integer> middles(String id) {
        return connection(id).subflows().stream().map(subflow -> subflow.path().get().node(1)).collect(Collectors.toSet());
    }
}
