// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.CheapestDisjoint;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.placement.PlacedSubflow.Role;

/**
 * Sets of disjoint paths that cost the other connections little, for {@link BetterPaths} to compare: the cheapest ones under
 * blends of {@link LinkPrices}, load, residual bandwidth and hops.
 *
 * <p>No blend is the best on all networks. Prices know links that are full now, and not those that would be next; the load
 * knows these. Only connections whose strategy has an alternative are asked about: other strategies promise which paths they
 * take. For one thread at a time.
 */
final class PricedPaths {
    /** What a hop costs beside prices, whose mean is 1. */
    private static final double[] HOP_BESIDE_PRICES = {0.01, 0.1, 0.5};
    /** What a hop costs beside the cube of the load, which is at most 1. */
    private static final double[] HOP_BESIDE_LOAD = {0.05, 0.3};

    private static final double LOAD_STEPS = 64;
    /** With more connections than this, prices and so many allocations would hold up a controller for too long. */
    private static final int MOST_CONNECTIONS = 256;

    private final LinkPrices prices = new LinkPrices();

    /**
     * Returns a connection on other paths.
     *
     * @param network    the network with all its connections, this one included
     * @param connection the connection
     * @return the connection with all its active subflows on each set of paths, without repetition; backups stay. None if
     *         there are more than 256 connections
     */
    List<PlacedConnection> of(NetworkState network, PlacedConnection connection) {
        List<Integer> active = active(connection);
        boolean tooMany = network.connections().size() > MOST_CONNECTIONS;
        if (tooMany || active.isEmpty() || !connection.terms().strategy().alternative().isPresent()) {
            return List.of();
        }
        double[] residual = ResidualBandwidth.of(network, connection.id());
        Map<Set<Path>, PlacedConnection> found = new LinkedHashMap<>();
        found.put(paths(connection, active), connection);
        for (double[] costs : costs(network, connection, residual)) {
            for (int count = active.size(); count > 0 && count >= active.size() - 1; count--) {
                List<Path> cheapest = cheapest(network.graph(), connection, active, count, residual, costs);
                if (!cheapest.isEmpty()) {
                    PlacedConnection moved = moved(network, connection, active, cheapest);
                    // Paths of their own carry a connection through a failure: none is given up for a rate.
                    if (own(moved) >= own(connection) && active.stream().allMatch(i -> moved.subflows().get(i).isActive())) {
                        found.putIfAbsent(paths(moved, active), moved);
                    }
                }
            }
        }
        return new ArrayList<>(found.values()).subList(1, found.size());
    }

    /** Returns the active subflows, if all lead from one node to one other; else none. */
    private static List<Integer> active(PlacedConnection connection) {
        List<Integer> active = new ArrayList<>();
        Set<List<Integer>> ends = new HashSet<>();
        for (int i = 0; i < connection.subflows().size(); i++) {
            PlacedSubflow subflow = connection.subflows().get(i);
            if (subflow.isActive() && subflow.path().isPresent()) {
                active.add(i);
                ends.add(List.of(subflow.source(), subflow.target()));
            }
        }
        return ends.size() == 1 ? active : List.of();
    }

    private static Set<Path> paths(PlacedConnection connection, List<Integer> active) {
        return active.stream().map(i -> connection.subflows().get(i).path().orElse(null)).collect(Collectors.toSet());
    }

    private static long own(PlacedConnection connection) {
        return connection.subflows().stream().filter(subflow -> subflow.role() == Role.OWN).count();
    }

    /** Returns the blends: the cost of each arc in the direction of the connection's first active subflow. */
    private List<double[]> costs(NetworkState network, PlacedConnection connection, double[] residual) {
        double[] price = inUse(connection, prices.of(network));
        double[] load = inUse(connection, load(network, connection.id()));
        List<double[]> costs = new ArrayList<>();
        for (double hop : HOP_BESIDE_PRICES) {
            costs.add(each(price.length, arc -> price[arc] + hop));
        }
        for (double hop : HOP_BESIDE_LOAD) {
            costs.add(each(load.length, arc -> load[arc] * load[arc] * load[arc] + hop));
        }
        // An arc without residual bandwidth is not used, whatever it costs.
        costs.add(each(residual.length, arc -> residual[arc] > 0 ? 1 / residual[arc] : 0));
        return costs;
    }

    /** Returns what the other connections and other traffic send over each arc, as a part of its capacity. */
    private static double[] load(NetworkState network, String id) {
        double[] load = each(network.graph().arcCount(), network::otherTraffic);
        for (PlacedConnection other : network.connections()) {
            if (!other.id().equals(id)) {
                for (PlacedSubflow subflow : other.subflows()) {
                    add(load, subflow.arcs(true), subflow.expected().up());
                    add(load, subflow.arcs(false), subflow.expected().down());
                }
            }
        }
        return each(load.length, arc -> load[arc] == 0 ? 0
                : Math.min(1, Math.rint(LOAD_STEPS * load[arc] / network.graph().capacity(arc)) / LOAD_STEPS));
    }

    private static void add(double[] load, int[] arcs, double rate) {
        for (int arc : arcs) {
            load[arc] += rate;
        }
    }

    /** Returns the sum of an arc's value and that of its reverse, of those directions in which the connection sends. */
    private static double[] inUse(PlacedConnection connection, double[] ofArc) {
        Demand demand = connection.demand().greedy();
        boolean fromClient = connection.subflows().get(0).fromClient();
        boolean there = demand.of(fromClient) == Double.POSITIVE_INFINITY;
        boolean back = demand.of(!fromClient) == Double.POSITIVE_INFINITY;
        return each(ofArc.length, arc -> (there ? ofArc[arc] : 0) + (back ? ofArc[Graph.reverse(arc)] : 0));
    }

    private static double[] each(int arcs, IntToDoubleFunction cost) {
        double[] costs = new double[arcs];
        Arrays.setAll(costs, cost);
        return costs;
    }

    private static List<Path> cheapest(Graph graph, PlacedConnection connection, List<Integer> active, int count,
                                       double[] residual, double[] costs) {
        PlacedSubflow first = connection.subflows().get(active.get(0));
        PathRequest.Builder request = PathRequest.on(graph);
        connection.terms().apply(request);
        PathRequest built = request.from(first.source()).to(first.target()).k(count).residual(residual).build();
        Disjointness kind = built.disjointness().orElse(connection.terms().strategy().disjointness().get(0));
        return CheapestDisjoint.find(built, kind, costs);
    }

    /**
     * Puts the active subflows on paths. A subflow whose path is one of them keeps it. What is left gets a path by the
     * connection's strategy.
     */
    private static PlacedConnection moved(NetworkState network, PlacedConnection connection, List<Integer> active,
                                          List<Path> paths) {
        List<Path> free = new ArrayList<>(paths);
        List<Integer> moving = new ArrayList<>();
        PlacedConnection moved = connection;
        for (int i : active) {
            PlacedSubflow subflow = connection.subflows().get(i);
            if (free.remove(subflow.path().get())) {
                moved = moved.with(i, subflow.on(Role.OWN, subflow.path().get()));
            } else {
                moving.add(i);
                moved = moved.with(i, subflow.withoutPath(Role.NONE));
            }
        }
        for (int i : moving) {
            PlacedSubflow subflow = connection.subflows().get(i);
            moved = moved.with(i, free.isEmpty() ? PathPlacement.move(network, moved, i)
                    : subflow.on(Role.OWN, free.remove(0)));
        }
        return inOrder(moved, moving);
    }

    /** Gives the subflows that move their new paths in one order, whatever search found which: short paths first. */
    private static PlacedConnection inOrder(PlacedConnection connection, List<Integer> moving) {
        List<Integer> own = moving.stream().filter(i -> connection.subflows().get(i).role() == Role.OWN)
                .collect(Collectors.toList());
        List<Path> paths = own.stream().map(i -> connection.subflows().get(i).path().get())
                .sorted(Comparator.comparingInt(Path::hops).thenComparing(Path::nodes, Arrays::compare))
                .collect(Collectors.toList());
        PlacedConnection ordered = connection;
        for (int i = 0; i < own.size(); i++) {
            ordered = ordered.with(own.get(i), connection.subflows().get(own.get(i)).on(Role.OWN, paths.get(i)));
        }
        return ordered;
    }
}
