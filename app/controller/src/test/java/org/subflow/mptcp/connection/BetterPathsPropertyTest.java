// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;
import org.subflow.mptcp.topology.PortCounter;

/**
 * Connections on random networks that have chosen their paths without knowing of each other: whoever moves gains by it, all
 * together lose nothing, and there is an end to it.
 */
class BetterPathsPropertyTest {
    private static final int MOST_ROUNDS = 20;
    private static final double ROUNDING = 2e-3;

    private final Settings settings = Settings.builder().strategy("widest-disjoint").subflows(2).build();
    private final OtherTraffic others = new OtherTraffic();
    private final RoutePlanner planner = new RoutePlanner(others::on);

    @Property(tries = 200)
    void everyMoveGainsAndThereIsAnEnd(@ForAll Random random) {
        NetworkSnapshot network = network(random);
        Demands demands = new Demands();
        BetterPaths better = new BetterPaths(new Unchanging(network), () -> settings,
                                             new ExpectedThroughput(demands, others), planner);
        List<Connection> begun = better.shared(connections(network, random));
        begun.forEach(connection -> sendsAsMuchAsItMay(demands, connection));
        List<Connection> all = better.shared(begun);
        boolean moved = true;
        int rounds = 0;
        while (moved) {
            moved = false;
            for (int i = 0; i < all.size(); i++) {
                Optional<Connection> target = better.of(all.get(i), all);
                if (target.isPresent()) {
                    List<Connection> before = all;
                    List<Connection> placed = new ArrayList<>(all);
                    placed.set(i, target.get());
                    all = better.shared(placed);
                    moved = true;
                    assertUsable(network, all.get(i));
                    assertTrue(up(List.of(all.get(i))) > up(List.of(before.get(i))) * 1.09, () -> "gains: " + target.get());
                    assertTrue(up(all) >= up(before) * (1 - ROUNDING), "all together");
                }
            }
            assertTrue(++rounds <= MOST_ROUNDS, "there is an end to it");
        }
    }

    private static double up(List<Connection> connections) {
        return connections.stream().mapToDouble(connection -> connection.expected().up()).sum();
    }

    private static void assertUsable(NetworkSnapshot network, Connection connection) {
        Set<Set<ConnectPoint>> links = new HashSet<>();
        int count = 0;
        for (Subflow subflow : connection.subflows()) {
            assertTrue(RoutePlanner.isIntact(network, subflow));
            assertEquals(subflow.ingress().deviceId(), subflow.path().get(0).src().deviceId());
            assertEquals(subflow.egress().deviceId(), subflow.path().get(subflow.path().size() - 1).dst().deviceId());
            for (Link link : subflow.path()) {
                links.add(Set.of(link.src(), link.dst()));
                count++;
            }
        }
        assertEquals(count, links.size(), "disjoint: " + connection);
    }

    /** Six to ten switches in a ring, so that there are always two disjoint paths, with chords; 2 to 20 Mbit/s. */
    private static NetworkSnapshot network(Random random) {
        int switches = 6 + random.nextInt(5);
        List<int[]> pairs = new ArrayList<>();
        for (int n = 1; n <= switches; n++) {
            pairs.add(new int[] {n, n % switches + 1});
            for (int m = n + 2; m <= switches; m++) {
                if (random.nextInt(4) == 0 && !(n == 1 && m == switches)) {
                    pairs.add(new int[] {n, m});
                }
            }
        }
        List<Link> links = Nets.bothWays(pairs.toArray(new int[0][]));
        Set<DeviceId> devices = new HashSet<>();
        links.forEach(link -> devices.add(link.src().deviceId()));
        double[] capacities = new double[links.size()];
        for (int i = 0; i < capacities.length; i += 2) {
            capacities[i] = (2 + random.nextInt(19)) * 1e6;
            capacities[i + 1] = capacities[i];
        }
        return NetworkSnapshot.of(devices, links, link -> capacities[links.indexOf(link)]);
    }

    /** Three to eight with two subflows, all as if each were alone. */
    private List<Connection> connections(NetworkSnapshot network, Random random) {
        List<Connection> connections = new ArrayList<>();
        int count = 3 + random.nextInt(6);
        for (int n = 0; n < count; n++) {
            int from = 1 + random.nextInt(network.devices().size());
            int to = (from + random.nextInt(network.devices().size() - 1)) % network.devices().size() + 1;
            Connection connection = Connection.opened(
                    ConnectionId.of("0000000" + n), 1, Token.of(n), Token.of(100 + n), Terms.of(settings), n,
                    Subflow.unrouted(tuple(n, 0), true, false, Nets.edge(from), Nets.edge(to)));
            connection = connection.withSubflows(
                    List.of(planner.route(network, connection, connection.first(), List.of())));
            Subflow second = Subflow.unrouted(tuple(n, 1), true, true, Nets.edge(from), Nets.edge(to));
            connection = connection.withSubflow(planner.route(network, connection, second, List.of()));
            connections.add(connection.withState(ConnectionState.ACTIVE));
        }
        return connections;
    }

    private static FiveTuple tuple(int connection, int subflow) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0." + (connection + 1)), 1000 + subflow, IpAddress.valueOf("10.0.1.1"), 5201);
    }

    private static void sendsAsMuchAsItMay(Demands demands, Connection connection) {
        for (int sample = 1; sample <= 3; sample++) {
            demands.update(connection, new Measurement(Map.of(connection.first().tuple(),
                                                              Rates.of(connection.expected().up(), 0)), sample),
                           sample, true, link -> false);
        }
    }

    /** A network that stays as it is. */
    private static final class Unchanging implements NetworkView {
        private final NetworkSnapshot network;

        private Unchanging(NetworkSnapshot network) {
            this.network = network;
        }

        @Override
        public NetworkSnapshot snapshot() {
            return network;
        }

        @Override
        public double measured(Link link) {
            return 0;
        }

        @Override
        public Optional<PortCounter> counter(Link link) {
            return Optional.empty();
        }

        @Override
        public boolean isUp(ConnectPoint port) {
            return true;
        }

        @Override
        public void addListener(Listener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void removeListener(Listener listener) {
            throw new UnsupportedOperationException();
        }
    }
}
