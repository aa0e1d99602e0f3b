// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.search.CheapestDisjoint;
import org.subflow.mptcp.placement.PlacedSubflow.Role;

/**
 * Moves all active subflows of one connection together to disjoint paths that are cheap under given costs. Backups stay.
 *
 * <p>Only connections whose strategy has an alternative can be moved so: other strategies promise which paths they take.
 * Immutable.
 */
final class DisjointMoves {
    private final NetworkState network;
    private final PlacedConnection connection;
    private final List<Integer> active;
    private final int disjoint;

    private DisjointMoves(NetworkState network, PlacedConnection connection, List<Integer> active) {
        this.network = network;
        this.connection = connection;
        this.active = active;
        this.disjoint = disjoint(connection);
    }

    /**
     * Looks at a connection.
     *
     * @param network    the network with all its connections, this one included
     * @param connection the connection
     * @return its moves; empty if it cannot be moved so
     */
    static Optional<DisjointMoves> of(NetworkState network, PlacedConnection connection) {
        List<Integer> active = active(connection);
        boolean movable = !active.isEmpty() && connection.terms().strategy().alternative().isPresent();
        return movable ? Optional.of(new DisjointMoves(network, connection, active)) : Optional.empty();
    }

    /** Returns the number of subflows that move. */
    int most() {
        return active.size();
    }

    /** Returns whether the subflows that move lead from the connection's client to its server, or back. */
    boolean fromClient() {
        return connection.subflows().get(active.get(0)).fromClient();
    }

    /**
     * Returns the connection on the cheapest disjoint paths. Subflows beyond them get a path by the connection's strategy.
     *
     * @param count    number of disjoint paths at most
     * @param residual bit/s by arc; an arc without it is not used
     * @param costs    by arc, in the direction of the first active subflow, 0 or more
     * @return the connection; empty if no path exists, or fewer subflows would have disjoint paths than now
     */
    Optional<PlacedConnection> cheapest(int count, double[] residual, double[] costs) {
        List<Path> cheapest = cheapestPaths(count, residual, costs);
        if (cheapest.isEmpty()) {
            return Optional.empty();
        }
        PlacedConnection moved = moved(cheapest);
        // Disjoint paths carry a connection through a failure: none is given up for a rate.
        boolean keeps = own(moved) >= disjoint && active.stream().allMatch(i -> moved.subflows().get(i).isActive());
        return keeps ? Optional.of(moved) : Optional.empty();
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

    /** Returns the paths of a connection's active subflows, in their order. */
    static Set<Path> paths(PlacedConnection connection) {
        return connection.subflows().stream().filter(PlacedSubflow::isActive).flatMap(subflow -> subflow.path().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns whether the subflows of two states of a connection are on the same paths, whichever is on which. */
    static boolean areOnSamePaths(PlacedConnection one, PlacedConnection other) {
        return paths(one).equals(paths(other));
    }

    private static long own(PlacedConnection connection) {
        return connection.subflows().stream().filter(subflow -> subflow.role() == Role.OWN).count();
    }

    /** Returns the largest number of active subflows whose paths have no link in common, whatever their roles say. */
    private static int disjoint(PlacedConnection connection) {
        return disjoint(new ArrayList<>(paths(connection)), 0, new HashSet<>());
    }

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
        PlacedSubflow first = connection.subflows().get(active.get(0));
        PathRequest.Builder request = PathRequest.on(network.graph());
        connection.terms().apply(request, connection.terms().strategy());
        PathRequest built = request.from(first.source()).to(first.target()).k(count).residual(residual).build();
        Disjointness kind = built.disjointness().orElse(connection.terms().strategy().disjointness().get(0));
        return CheapestDisjoint.find(built, kind, costs);
    }

    /**
     * Puts the active subflows on paths. A subflow whose path is one of them keeps it. What is left gets a path by the
     * connection's strategy.
     */
    private PlacedConnection moved(List<Path> paths) {
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
