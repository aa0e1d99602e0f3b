// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.LeastShared;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacedSubflow.Role;

/**
 * Chooses the path of one subflow beside its siblings, on the residual bandwidth of the network.
 *
 * <p>The strategy searches for as many paths as the connection still needs, disjoint from the siblings' paths. The subflow
 * takes the first one. So a first subflow does not block the disjoint paths of the next. If no disjoint path exists,
 * {@link LeastShared} finds the path that has least in common with the siblings'. Then the JOIN policy decides.
 *
 * <p>A subflow that begins takes the first path of another set if its strategy needs {@link PathInput#SHARES}, and all
 * connections have better shares then ({@code ArrivalPaths}). For a living one that is not compared: many of those may need
 * another path at once.
 *
 * <p>In the last resort a link counts that has no capacity, or whose capacity nobody knows: it forwards packets all the same.
 *
 * <p>The connection may be on the network or not; its own expected throughput there counts as free. Stateless.
 */
public final class PathPlacement {
    private PathPlacement() {
    }

    /**
     * Chooses the path of a subflow that begins.
     *
     * @param network    the network as it is
     * @param connection the connection; its other active subflows are the siblings
     * @param index      place of the subflow among the connection's subflows, from 0
     * @return the subflow on its path, or without one: {@link Role#BLOCKED} by the policy, or {@link Role#NONE} if nothing
     *         joins its hosts
     * @throws IllegalArgumentException if the strategy cannot do what the connection's terms ask of it
     */
    public static PlacedSubflow place(NetworkState network, PlacedConnection connection, int index) {
        return choose(network, connection, connection.terms().strategy(), index, otherwise(connection, index), true);
    }

    /**
     * Chooses the paths of subflows that begin together, one after the other, each as {@link #place} does. What the network has left
     * for them is computed once.
     *
     * @param network    the network as it is
     * @param connection the connection; its active subflows are siblings
     * @param begin      the subflows that begin, without paths; not null
     * @return the connection with these subflows at the end
     * @throws IllegalArgumentException as for {@link #place}
     */
    public static PlacedConnection placeAll(NetworkState network, PlacedConnection connection, List<PlacedSubflow> begin) {
        Map<Boolean, double[]> residuals = new HashMap<>();
        PlacedConnection placed = connection;
        for (PlacedSubflow subflow : begin) {
            double[] residual = residuals.computeIfAbsent(subflow.fromClient(),
                    fromClient -> ResidualBandwidth.of(network, connection, fromClient));
            placed = placed.plus(subflow);
            int index = placed.subflows().size() - 1;
            placed = placed.with(index, choose(network, placed, placed.terms().strategy(), index, otherwise(placed, index), true,
                    residual));
        }
        return placed;
    }

    /** As {@link #place}, but for a subflow that has a path: many may need another at once, so shares are not compared. */
    static PlacedSubflow placeAgain(NetworkState network, PlacedConnection connection, int index) {
        return choose(network, connection, connection.terms().strategy(), index, otherwise(connection, index), false);
    }

    private static Role otherwise(PlacedConnection connection, int index) {
        JoinPolicy policy = connection.subflows().get(index).isJoin() ? connection.terms().joinPolicy() : JoinPolicy.SHARE;
        return policy == JoinPolicy.BLOCK ? Role.BLOCKED : policy == JoinPolicy.BACKUP ? Role.BACKUP : Role.SHARED;
    }

    /**
     * Chooses the path of a living subflow that has lost its path, or may have a better one. Such a subflow is never blocked,
     * because its hosts use it already. Where the policy blocks a newcomer, it becomes a backup.
     *
     * @param network    the network as it is
     * @param connection the connection; its other active subflows are the siblings
     * @param index      place of the subflow among the connection's subflows, from 0
     * @return the subflow on its path; {@link Role#NONE} if nothing joins its hosts
     * @throws IllegalArgumentException if the strategy cannot do what the connection's terms ask of it
     */
    public static PlacedSubflow move(NetworkState network, PlacedConnection connection, int index) {
        boolean shares = connection.terms().joinPolicy() == JoinPolicy.SHARE;
        return choose(network, connection, connection.terms().strategy(), index, shares ? Role.SHARED : Role.BACKUP, false);
    }

    /**
     * Returns the paths that a living subflow may move to, for {@link BetterPaths} to compare. The first is the one that
     * {@link #move} chooses. If the strategy has an {@link PathStrategy#alternative() alternative}, a disjoint path of that
     * one follows.
     *
     * @param network    the network as it is
     * @param connection the connection
     * @param index      place of the subflow among the connection's subflows, from 0
     * @return the subflow on each path, without repetition
     */
    static Set<PlacedSubflow> alternatives(NetworkState network, PlacedConnection connection, int index) {
        Set<PlacedSubflow> places = new LinkedHashSet<>();
        places.add(move(network, connection, index));
        Optional<PathStrategy> alternative = connection.terms().strategy().alternative();
        if (alternative.isPresent()) {
            PlacedSubflow other = choose(network, connection, alternative.get(), index, Role.NONE, false);
            if (other.isPlaced()) {
                places.add(other);
            }
        }
        return places;
    }

    /** Puts the subflow on a path disjoint from its siblings', or gives it the other role if there is none. */
    private static PlacedSubflow choose(NetworkState network, PlacedConnection connection, PathStrategy strategy, int index,
                                        Role otherwise, boolean arrives) {
        return choose(network, connection, strategy, index, otherwise, arrives, null);
    }

    /** As above, on a residual bandwidth that is known; null if it is to be computed. */
    private static PlacedSubflow choose(NetworkState network, PlacedConnection connection, PathStrategy strategy, int index,
                                        Role otherwise, boolean arrives, double[] residual) {
        PlacedSubflow subflow = connection.subflows().get(index);
        if (subflow.source() < 0 || subflow.target() < 0) {
            return subflow.withoutPath(Role.NONE);
        }
        if (subflow.source() == subflow.target()) {
            return subflow.on(Role.OWN, null);
        }
        PathRequest request = request(network, connection, strategy, index, residual);
        List<Path> disjoint = strategy.findPaths(request).paths();
        if (!disjoint.isEmpty()) {
            boolean compares = arrives && strategy.needs().contains(PathInput.SHARES);
            return subflow.on(Role.OWN, (compares ? ArrivalPaths.best(network, connection, index, disjoint) : disjoint).get(0));
        }
        Optional<Path> shared = otherwise == Role.NONE ? Optional.empty() : leastShared(network, request);
        if (!shared.isPresent()) {
            return subflow.withoutPath(Role.NONE);
        }
        return otherwise == Role.BLOCKED ? subflow.withoutPath(Role.BLOCKED) : subflow.on(otherwise, shared.get());
    }

    private static Optional<Path> leastShared(NetworkState network, PathRequest request) {
        Optional<Path> found = LeastShared.find(request);
        // Where links may be one-way, a direction without capacity is one that does not exist.
        return found.isPresent() || network.allowsOneWayLinks() ? found : LeastShared.findWithoutCapacity(request);
    }

    /** Returns the paths that a strategy finds for a subflow and those that should follow it. */
    static List<Path> paths(NetworkState network, PlacedConnection connection, PathStrategy strategy, int index) {
        return strategy.findPaths(request(network, connection, strategy, index, null)).paths();
    }

    private static PathRequest request(NetworkState network, PlacedConnection connection, PathStrategy strategy, int index,
                                       double[] residual) {
        PlacedSubflow subflow = connection.subflows().get(index);
        List<Path> siblings = new ArrayList<>();
        for (int i = 0; i < connection.subflows().size(); i++) {
            PlacedSubflow sibling = connection.subflows().get(i);
            if (i != index && sibling.isActive()) {
                sibling.path().ifPresent(siblings::add);
            }
        }
        PathRequest.Builder request = PathRequest.on(network.graph());
        connection.terms().apply(request, strategy);
        request.from(subflow.source())
                .to(subflow.target())
                .residual(residual != null ? residual : ResidualBandwidth.of(network, connection, subflow.fromClient()))
                .used(siblings)
                .k(Math.max(1, connection.terms().subflows() - siblings.size()));
        if (strategy.needs().contains(PathInput.FLOW_KEY)) {
            request.flowKey(subflow.flowKey());
        }
        if (strategy.needs().contains(PathInput.COMPETITORS)) {
            request.competitors(competitors(network, connection.id()));
        }
        return request.build();
    }

    /** Returns the other connections with the larger of their two directions and the paths of both. */
    private static List<Competitor> competitors(NetworkState network, String newcomer) {
        List<Competitor> competitors = new ArrayList<>();
        for (PlacedConnection other : network.connections()) {
            List<Path> paths = new ArrayList<>();
            for (PlacedSubflow subflow : other.subflows()) {
                subflow.path().ifPresent(path -> {
                    paths.add(path);
                    paths.add(Path.of(network.graph(), path.reverseArcs()));
                });
            }
            if (!paths.isEmpty() && !other.id().equals(newcomer)) {
                competitors.add(new Competitor(other.expected().larger(), paths));
            }
        }
        return competitors;
    }
}
