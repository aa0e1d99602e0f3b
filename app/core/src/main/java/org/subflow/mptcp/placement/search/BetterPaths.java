// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.PathInput;
import org.subflow.mptcp.path.search.MaximumFlow;
import org.subflow.mptcp.placement.ArcLoads;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.LinkPrices;

/**
 * Finds better paths for a connection that has paths already: better for all connections of the network together.
 *
 * <p>It tries each subflow alone, as if that had no path, and all subflows together on cheap disjoint paths ({@code
 * DisjointMoves}). The shares that follow are computed on a copy of the network, with an unlimited demand of this connection.
 * A move must meet two conditions:
 * <ul>
 * <li>the smallest share of all does not fall;</li>
 * <li>the smallest share, or the weighted product of all shares, grows by the least gain ({@code ShareComparison}).</li>
 * </ul>
 * A connection that is beyond its limits to delays, as after a failure, needs neither: it moves to paths that are less so. No
 * connection leaves its limits for a rate. Where shares are approximate, as they take too much work, they prove no gain.
 *
 * <p>The best such move is made, and then single subflows are tried again. So one connection moves at a time, and a connection
 * may move to make room for others. The present demand does not count: a connection may be silent just because a link was
 * down. For one thread at a time.
 */
public final class BetterPaths {
    /** With more connections than this, prices and so many allocations would hold up a controller for too long. */
    private static final int MOST_CONNECTIONS = 256;
    /** Relative: shares are exact to that. */
    private static final double EXACT = 1e-9;
    private static final List<CostBlends.Blend> BLENDS = List.of(CostBlends.Blend.values());

    private final FairShares shares = FairShares.inBoundedWork();
    private final LinkPrices prices = new LinkPrices();

    /**
     * Looks for better paths.
     *
     * @param network     the network with all its connections, this one included, and their expected throughputs
     * @param id          the connection's name
     * @param allocator   name of the allocator
     * @param leastPercent least gain of a move, in per cent: of the smallest share, or of the product of all shares
     * @return the connection on better paths; empty if there are none, or it is not on the network
     */
    public Optional<PlacedConnection> of(NetworkState network, String id, String allocator, int leastPercent) {
        PlacedConnection present = network.connection(id).orElse(null);
        if (present == null) {
            return Optional.empty();
        }
        double leastRatio = 1 + leastPercent / 100.0;
        return isAtItsBest(network, present, leastRatio) ? Optional.empty() : search(network, present, allocator, leastRatio);
    }

    Optional<PlacedConnection> search(NetworkState network, PlacedConnection present, String allocator, double leastRatio) {
        PathSearch search = new PathSearch(shares, allocator, Integer.MAX_VALUE);
        PathSearch.State state = search.start(network.with(greedy(present)));
        if (!state.isProved() && present.excess() == 0) {
            return Optional.empty();
        }
        PlacedConnection best = present;
        for (int move = 0; move < present.subflows().size(); move++) {
            PathSearch.State next = search.best(state, candidates(network, best, move == 0), leastRatio);
            if (next == state) {
                break;
            }
            state = next;
            best = next.move().withDemand(present.demand());
        }
        return best == present ? Optional.empty() : Optional.of(best);
    }

    /**
     * Returns whether no other paths can be worth a move. All others then have what they demand, which is less than what is left for
     * this one. And no other paths leave it much more. Maximum flows tell that much sooner than shares.
     *
     * @param network with the connections' expected throughputs
     */
    static boolean isAtItsBest(NetworkState network, PlacedConnection connection, double leastRatio) {
        int[] clients = connection.subflows().stream().mapToInt(one -> one.fromClient() ? one.source() : one.target()).distinct().toArray();
        int[] servers = connection.subflows().stream().mapToInt(one -> one.fromClient() ? one.target() : one.source()).distinct().toArray();
        boolean areEnds = IntStream.concat(Arrays.stream(clients), Arrays.stream(servers)).distinct().filter(node -> node >= 0).count()
                == clients.length + servers.length;
        return areEnds && connection.excess() == 0
                && isAtItsBest(network, connection, true, clients, servers, leastRatio)
                && isAtItsBest(network, connection, false, servers, clients, leastRatio);
    }

    private static boolean isAtItsBest(NetworkState network, PlacedConnection connection, boolean upwards, int[] from, int[] to,
                                       double leastRatio) {
        if (!connection.demand().sends(upwards)) {
            return hasItsDemand(connection, upwards);
        }
        ArcLoads others = network.loadsWithout(connection.id());
        double[] residual = new double[network.graph().arcCount()];
        Arrays.setAll(residual, arc -> !network.isUsable(arc) ? 0
                : Math.max(0, network.graph().capacity(arc) - network.otherTraffic(arc) - others.expected(arc)));
        double here = Math.min(connection.terms().cap(), leftOnItsPaths(connection, upwards, residual));
        double level = here / connection.terms().weight();
        if (!network.connections().stream().allMatch(other -> other == connection || hasItsDemand(other, level))) {
            return false;
        }
        double most = Math.min(connection.terms().cap(), MaximumFlow.value(network.graph(), residual, from, to));
        return Math.max(1, connection.terms().weight()) * Math.log(most / here) < Math.log(leastRatio);
    }

    /** Returns what is left on its paths in one direction, bit/s; 0 if subflows share an arc. */
    private static double leftOnItsPaths(PlacedConnection connection, boolean upwards, double[] residual) {
        Set<Integer> crossed = new HashSet<>();
        double sum = 0;
        for (PlacedSubflow subflow : connection.subflows()) {
            if (subflow.isActive() && subflow.path().isPresent()) {
                int[] arcs = subflow.arcs(upwards);
                if (!Arrays.stream(arcs).allMatch(crossed::add)) {
                    return 0;
                }
                sum += Arrays.stream(arcs).mapToDouble(arc -> residual[arc]).min().orElse(0);
            }
        }
        return sum;
    }

    /** Returns whether a connection has all that it demands, which is no more than a level; so has one that takes no part. */
    private static boolean hasItsDemand(PlacedConnection connection, double level) {
        double most = Math.max(connection.limit(true), connection.limit(false)) / connection.terms().weight();
        return !connection.isOnNetwork() || most <= level && hasItsDemand(connection, true) && hasItsDemand(connection, false);
    }

    private static boolean hasItsDemand(PlacedConnection connection, boolean upwards) {
        double expected = upwards ? connection.expected().up() : connection.expected().down();
        return expected >= connection.limit(upwards) * (1 - EXACT);
    }

    private static PlacedConnection greedy(PlacedConnection connection) {
        return connection.withDemand(connection.demand().greedy());
    }

    /** Returns the connection on other paths: one subflow alone, and at first also all of them by prices. */
    private List<PlacedConnection> candidates(NetworkState network, PlacedConnection connection, boolean byPrices) {
        List<PlacedConnection> candidates = moves(network, connection);
        if (byPrices && network.connections().size() <= MOST_CONNECTIONS) {
            DisjointMoves.of(network, connection)
                    .ifPresent(moves -> candidates.addAll(moves.cheap(prices, BLENDS, DisjointMoves.MOST_SETS)));
        }
        candidates.replaceAll(BetterPaths::greedy);
        return candidates;
    }

    /** Returns the connection with one of its subflows on another path, for each such path. */
    private static List<PlacedConnection> moves(NetworkState network, PlacedConnection connection) {
        List<PlacedConnection> moves = new ArrayList<>();
        Set<List<Object>> tried = new HashSet<>();
        boolean alike = !connection.terms().strategy().needs().contains(PathInput.FLOW_KEY);
        for (int i = 0; i < connection.subflows().size(); i++) {
            PlacedSubflow subflow = connection.subflows().get(i);
            // Subflows on the same path have the same moves, unless the strategy looks at the five-tuple.
            if (subflow.path().isPresent() && (!alike || tried.add(List.of(subflow.path().get(), subflow.isActive())))) {
                for (PlacedSubflow moved : PathPlacement.alternatives(network, connection, i)) {
                    if (moved.isPlaced() && !moved.isPlacedLike(subflow)) {
                        moves.add(connection.with(i, moved));
                    }
                }
            }
        }
        return moves;
    }
}
