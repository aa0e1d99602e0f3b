// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.Rates;

/**
 * What a network keeps of its connections, against a list and sums made anew: after arrivals, departures, moves, other shares and
 * other orders, residual bandwidth, names and places are those of a network that has never changed.
 */
class KeptLoadsPropertyTest {
    private static final int CHANGES = 150;
    private static final int STEPS = 20;

    @Property(tries = 60)
    void answersAsIfMadeAnew(@ForAll long seed) {
        Random random = new Random(seed);
        Graph graph = Networks.random(random);
        double[] otherTraffic = random.doubles(graph.arcCount()).map(value -> value < 0.7 ? 0 : 2e6 * value).toArray();
        NetworkState kept = NetworkState.of(graph, otherTraffic, List.of());
        List<PlacedConnection> model = new ArrayList<>();
        NetworkState before = kept;
        List<PlacedConnection> modelBefore = List.of();
        for (int change = 0; change < CHANGES; change++) {
            kept = changed(kept, model, graph, random, "c" + change);
            if (random.nextInt(3) > 0) {
                check(kept, model, graph, otherTraffic, random);
            }
            if (random.nextInt(20) == 0) {
                check(before, modelBefore, graph, otherTraffic, random);
                before = kept;
                modelBefore = new ArrayList<>(model);
            }
        }
    }

    /** Makes a random change to both. */
    private static NetworkState changed(NetworkState kept, List<PlacedConnection> model, Graph graph, Random random, String id) {
        int at = model.isEmpty() ? -1 : random.nextInt(model.size());
        switch (at < 0 ? 0 : random.nextInt(11)) {
            case 0: case 1: case 2:
                model.add(connection(id, graph, random));
                return kept.with(model.get(model.size() - 1));
            case 3:
                return kept.without(model.remove(at).id());
            case 4:
                model.set(at, connection(model.get(at).id(), graph, random));
                return kept.with(model.get(at));
            case 5:
                model.replaceAll(one -> random.nextBoolean() ? one : shared(one, random));
                return kept.withConnections(model);
            case 6:
                model.remove(at);
                return kept.withConnections(model);
            case 7:
                model.remove(at);
                model.add(connection(id, graph, random));
                return kept.withConnections(model);
            case 8: case 9:
                // Mostly near the end, as those that came first need not be the first to get paths.
                model.add(model.size() - Math.min(model.size(), random.nextInt(3)), connection(id, graph, random));
                return kept.withConnections(model);
            default:
                model.add(0, model.remove(at));
                return kept.withConnections(model);
        }
    }

    private static void check(NetworkState kept, List<PlacedConnection> model, Graph graph, double[] otherTraffic, Random random) {
        assertEquals(model, kept.connections());
        assertEquals(-1, kept.indexOf("nobody"));
        PlacedConnection newcomer = model.isEmpty() || random.nextBoolean() ? connection("nobody", graph, random)
                : model.get(random.nextInt(model.size()));
        if (!newcomer.id().equals("nobody")) {
            assertEquals(model.indexOf(newcomer), kept.indexOf(newcomer.id()));
            assertEquals(newcomer, kept.connection(newcomer.id()).orElseThrow());
        }
        NetworkState anew = NetworkState.of(graph, otherTraffic, model);
        double[] residual = ResidualBandwidth.of(kept, newcomer, true);
        assertArrayEquals(ResidualBandwidth.of(anew, newcomer, true), residual, "to the last bit");
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            assertEquals(Math.min(summed(graph, otherTraffic, model, newcomer, arc),
                                  summed(graph, otherTraffic, model, newcomer, Graph.reverse(arc))), residual[arc], 1e-3, "arc " + arc);
        }
    }

    /** Returns what the class says, from the connections one by one. */
    private static double summed(Graph graph, double[] otherTraffic, List<PlacedConnection> model, PlacedConnection newcomer, int arc) {
        double unused = graph.capacity(arc) - otherTraffic[arc];
        int users = otherTraffic[arc] > 0 ? 1 : 0;
        int begun = 0;
        for (PlacedConnection other : model) {
            boolean uses = false;
            boolean isActive = false;
            boolean shares = false;
            for (PlacedSubflow subflow : other.subflows()) {
                for (boolean upwards : new boolean[] {true, false}) {
                    for (int crossed : subflow.arcs(upwards)) {
                        boolean isThere = Graph.linkOf(crossed) == Graph.linkOf(arc) && !other.id().equals(newcomer.id());
                        isActive |= isThere && subflow.isActive();
                        shares |= isThere && subflow.expected().larger() > 0;
                        if (crossed == arc && !other.id().equals(newcomer.id())) {
                            uses = true;
                            unused -= upwards ? subflow.expected().up() : subflow.expected().down();
                        }
                    }
                }
            }
            users += uses ? 1 : 0;
            begun += isActive && !shares ? 1 : 0;
        }
        double step = graph.capacity(arc) / STEPS;
        double rate = Math.max(unused / (begun + 1), graph.capacity(arc) / (users + 1));
        return rate <= step ? rate : Math.rint(rate / step) * step;
    }

    private static PlacedConnection connection(String id, Graph graph, Random random) {
        int from = random.nextInt(graph.nodeCount());
        int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
        List<Path> paths = PathStrategies.named("shortest").findPaths(PathRequest.on(graph).from(from).to(to).k(2).build()).paths();
        List<PlacedSubflow> subflows = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            PlacedSubflow begun = PlacedSubflow.unplaced(from, to, random.nextBoolean(), i > 0, i);
            subflows.add(random.nextInt(8) == 0 ? begun : begun.on(random.nextInt(4) == 0 ? Role.BACKUP : Role.OWN, paths.get(i % paths.size())));
        }
        PlacedConnection connection = new PlacedConnection(id, Networks.terms(3, JoinPolicy.SHARE), Demand.UNLIMITED, subflows);
        return random.nextBoolean() ? connection : shared(connection, random);
    }

    private static PlacedConnection shared(PlacedConnection connection, Random random) {
        PlacedConnection shared = connection;
        for (int i = 0; i < connection.subflows().size(); i++) {
            Rates rates = random.nextInt(4) == 0 ? Rates.ZERO
                    : Rates.of(5e6 * random.nextDouble(), random.nextInt(3) == 0 ? 0 : 3e6 * random.nextDouble());
            shared = shared.with(i, shared.subflows().get(i).withExpected(rates));
        }
        return shared;
    }
}
