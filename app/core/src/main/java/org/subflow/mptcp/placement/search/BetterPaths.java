// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.path.PathInput;
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
 * connection leaves its limits for a rate.
 *
 * <p>The best such move is made, and then single subflows are tried again. So one connection moves at a time, and a connection
 * may move to make room for others. The present demand does not count: a connection may be silent just because a link was
 * down. For one thread at a time.
 */
public final class BetterPaths {
    /** With more connections than this, prices and so many allocations would hold up a controller for too long. */
    private static final int MOST_CONNECTIONS = 256;
    private static final List<CostBlends.Blend> BLENDS = List.of(CostBlends.Blend.values());

    private final FairShares shares = new FairShares();
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
        PathSearch search = new PathSearch(shares, allocator, Integer.MAX_VALUE);
        PathSearch.State state = search.start(network.with(greedy(present)));
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
