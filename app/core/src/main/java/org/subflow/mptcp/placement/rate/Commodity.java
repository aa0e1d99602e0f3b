// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.search.CheapestTree;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;

/** One direction of a connection as a commodity of a {@link SplittableFlow}: end points, limit and the routes so far. */
final class Commodity {
    final int connection;
    final boolean upwards;
    final double weight;
    /** Its demand or its cap, bit/s. */
    final double limit;

    private final List<Ends> ends = new ArrayList<>();
    /** Keyed by content, so that no route comes twice. */
    private final Map<IntBuffer, int[]> routes = new LinkedHashMap<>();

    /** The nodes between which some subflow sends. */
    static final class Ends {
        final int from;
        final int to;

        private Ends(int from, int to) {
            this.from = from;
            this.to = to;
        }
    }

    private Commodity(int connection, boolean upwards, double weight, double limit) {
        this.connection = connection;
        this.upwards = upwards;
        this.weight = weight;
        this.limit = limit;
    }

    /** Lists the commodities of a network: connections as given, up before down, those that can send. */
    static List<Commodity> of(NetworkState network) {
        double[] hops = network.costs(1);
        Map<Integer, CheapestTree> trees = new HashMap<>();
        List<Commodity> commodities = new ArrayList<>();
        for (int c = 0; c < network.connections().size(); c++) {
            PlacedConnection connection = network.connections().get(c);
            for (boolean upwards : new boolean[] {true, false}) {
                double limit = Math.min(connection.terms().cap(), connection.demand().of(upwards));
                Commodity commodity = new Commodity(c, upwards, connection.terms().weight(), limit);
                for (PlacedSubflow subflow : connection.subflows()) {
                    commodity.takeEnds(network.graph(), subflow, hops, trees);
                }
                if (limit > 0 && !commodity.routes.isEmpty()) {
                    commodities.add(commodity);
                }
            }
        }
        return commodities;
    }

    /** Takes the end points and the route of a subflow, and the path with the fewest hops. */
    private void takeEnds(Graph graph, PlacedSubflow subflow, double[] hops, Map<Integer, CheapestTree> trees) {
        int from = upwards == subflow.fromClient() ? subflow.source() : subflow.target();
        int to = upwards == subflow.fromClient() ? subflow.target() : subflow.source();
        if (from < 0 || to < 0 || from == to) {
            return;
        }
        if (subflow.isActive() && subflow.path().isPresent()) {
            add(subflow.arcs(upwards));
        }
        CheapestTree tree = trees.computeIfAbsent(from, source -> CheapestTree.of(graph, hops, source));
        boolean isNew = ends.stream().noneMatch(known -> known.from == from && known.to == to);
        if (isNew && tree.cost(to) < Double.POSITIVE_INFINITY) {
            ends.add(new Ends(from, to));
            add(tree.arcs(to));
        }
    }

    /** Adds a route; returns whether it is new. */
    boolean add(int[] route) {
        return routes.putIfAbsent(IntBuffer.wrap(route), route) == null;
    }

    /** Returns the pairs of nodes between which it may send. */
    List<Ends> ends() {
        return ends;
    }

    /** Returns its routes, oldest first. */
    Collection<int[]> routes() {
        return routes.values();
    }
}
