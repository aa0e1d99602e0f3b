// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.CheapestDisjoint;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.rate.LinkPrices;

/**
 * Moves subflows of one connection together to disjoint paths that are cheap under given costs. Its other subflows stay.
 *
 * <p>Only connections whose strategy has an alternative can be moved so: other strategies promise which paths they take.
 * Immutable.
 */
final class DisjointMoves {
    /** The most sets of {@link #cheap}: the present one, and two for each blend. */
    static final int MOST_SETS = 1 + 2 * CostBlends.Blend.values().length;

    private final NetworkState network;
    private final PlacedConnection connection;
    private final int[] moving;
    private final int disjoint;

    /**
     * Looks at subflows.
     *
     * @param network    the network; its state of this connection does not matter
     * @param connection the connection
     * @param moving     the subflows that move, by index, one at least: active ones from one node to one other
     */
    DisjointMoves(NetworkState network, PlacedConnection connection, int[] moving) {
        this.network = network;
        this.connection = connection;
        this.moving = moving;
        this.disjoint = disjoint(new ArrayList<>(new LinkedHashSet<>(paths(moving))), 0, new HashSet<>());
    }

    /**
     * Looks at all active subflows of a connection. Backups stay.
     *
     * @param network    the network with all its connections, this one included
     * @param connection the connection
     * @return its moves; empty if it cannot be moved so
     */
    static Optional<DisjointMoves> of(NetworkState network, PlacedConnection connection) {
        int[] active = IntStream.range(0, connection.subflows().size()).filter(i -> isOnPath(connection.subflows().get(i)))
                .toArray();
        long ends = Arrays.stream(active).mapToObj(connection.subflows()::get)
                .map(subflow -> List.of(subflow.source(), subflow.target())).distinct().count();
        return ends == 1 && connection.terms().strategy().alternative().isPresent()
                ? Optional.of(new DisjointMoves(network, connection, active)) : Optional.empty();
    }

    private static boolean isOnPath(PlacedSubflow subflow) {
        return subflow.isActive() && subflow.path().isPresent();
    }

    private List<Path> paths(int[] subflows) {
        return Arrays.stream(subflows).mapToObj(i -> connection.subflows().get(i).path().orElseThrow())
                .collect(Collectors.toList());
    }

    /** Returns whether the subflows that move lead from the connection's client to its server, or back. */
    boolean fromClient() {
        return connection.subflows().get(moving[0]).fromClient();
    }

    /**
     * Returns the connection on its present paths and on disjoint ones that cost the other connections little: the cheapest
     * ones under {@link CostBlends}.
     *
     * @param prices   of the network's links
     * @param blends   the most useful one first
     * @param mostSets the most sets of paths
     * @return the connection on each set, without repetition
     */
    List<PlacedConnection> cheap(LinkPrices prices, List<CostBlends.Blend> blends, int mostSets) {
        double[] residual = ResidualBandwidth.of(network, connection, fromClient());
        CostBlends costs = new CostBlends(network, connection, residual, fromClient());
        Map<Set<Path>, PlacedConnection> found = new LinkedHashMap<>();
        found.put(connection.activePaths(), connection);
        for (CostBlends.Blend blend : blends) {
            if (found.size() < mostSets) {
                addCheapest(residual, costs.of(blend, () -> prices.of(network)), mostSets, found);
            }
        }
        return new ArrayList<>(found.values());
    }

    /**
     * Adds the connection on the cheapest disjoint paths: on as many as subflows move, and on one fewer. Then one subflow gets its
     * path by the connection's strategy. A set does not count if fewer subflows would have disjoint paths than now.
     *
     * @param residual bit/s by arc; an arc without it is not used
     * @param costs    by arc, in the direction of the first subflow that moves, 0 or more
     * @param mostSets nothing is added to so many sets
     * @param found    where to add it, by its active paths
     */
    void addCheapest(double[] residual, double[] costs, int mostSets, Map<Set<Path>, PlacedConnection> found) {
        for (int count = moving.length; count >= Math.max(1, moving.length - 1); count--) {
            List<Path> cheapest = found.size() < mostSets ? cheapestPaths(count, residual, costs) : List.of();
            if (!cheapest.isEmpty()) {
                PlacedConnection moved = moved(cheapest);
                // Disjoint paths carry a connection through a failure: none is given up for a rate.
                boolean keeps = own(moved).count() >= disjoint
                        && Arrays.stream(moving).allMatch(i -> moved.subflows().get(i).isActive());
                if (keeps) {
                    found.putIfAbsent(moved.activePaths(), moved);
                }
            }
        }
    }

    private IntStream own(PlacedConnection moved) {
        return Arrays.stream(moving).filter(i -> moved.subflows().get(i).role() == Role.OWN);
    }

    /** Returns the largest number of paths that have no link in common. */
    private static int disjoint(List<Path> paths, int first, Set<Integer> taken) {
        int most = 0;
        for (int i = first; i < paths.size() && paths.size() - i > most; i++) {
            List<Integer> links = Arrays.stream(paths.get(i).arcs()).mapToObj(Graph::linkOf).collect(Collectors.toList());
            if (links.stream().noneMatch(taken::contains)) {
                taken.addAll(links);
                most = Math.max(most, 1 + disjoint(paths, i + 1, taken));
                taken.removeAll(links);
            }
        }
        return most;
    }

    private List<Path> cheapestPaths(int count, double[] residual, double[] costs) {
        PlacedSubflow first = connection.subflows().get(moving[0]);
        int[] others = IntStream.range(0, connection.subflows().size())
                .filter(i -> isOnPath(connection.subflows().get(i)) && Arrays.binarySearch(moving, i) < 0).toArray();
        PathRequest.Builder request = PathRequest.on(network.graph());
        connection.terms().apply(request, connection.terms().strategy());
        PathRequest built = request.from(first.source()).to(first.target()).k(count).residual(residual).used(paths(others))
                .build();
        Disjointness kind = built.disjointness().orElse(connection.terms().strategy().disjointness().get(0));
        return CheapestDisjoint.find(built, kind, costs);
    }

    /**
     * Puts the subflows on paths. One whose path is one of them keeps it. What is left gets a path by the connection's strategy.
     */
    private PlacedConnection moved(List<Path> paths) {
        List<Path> free = new ArrayList<>(paths);
        List<Integer> leaving = new ArrayList<>();
        PlacedConnection moved = connection;
        for (int i : moving) {
            PlacedSubflow subflow = connection.subflows().get(i);
            if (free.remove(subflow.path().get())) {
                moved = moved.with(i, subflow.on(Role.OWN, subflow.path().get()));
            } else {
                leaving.add(i);
                moved = moved.with(i, subflow.withoutPath(Role.NONE));
            }
        }
        for (int i : leaving) {
            PlacedSubflow subflow = connection.subflows().get(i);
            moved = moved.with(i, free.isEmpty() ? PathPlacement.move(network, moved, i)
                    : subflow.on(Role.OWN, free.remove(0)));
        }
        return inOrder(moved, leaving);
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
