// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.subflow.mptcp.path.Path;

/**
 * Sets of disjoint paths that cost the other connections little, for {@link BetterPaths} to compare: the cheapest ones under
 * {@link CostBlends}.
 *
 * <p>Only connections whose strategy has an alternative are asked about: other strategies promise which paths they take. For
 * one thread at a time.
 */
final class PricedPaths {
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
        boolean tooMany = network.connections().size() > MOST_CONNECTIONS;
        DisjointMoves moves = tooMany ? null : DisjointMoves.of(network, connection).orElse(null);
        if (moves == null) {
            return List.of();
        }
        boolean fromClient = moves.fromClient();
        double[] residual = ResidualBandwidth.of(network, connection, fromClient);
        Map<Set<Path>, PlacedConnection> found = new LinkedHashMap<>();
        found.put(DisjointMoves.paths(connection), connection);
        CostBlends blends = new CostBlends(network, connection, residual, fromClient);
        for (CostBlends.Blend blend : CostBlends.Blend.values()) {
            double[] costs = blends.of(blend, () -> prices.of(network));
            for (int count = moves.most(); count > 0 && count >= moves.most() - 1; count--) {
                moves.cheapest(count, residual, costs)
                        .ifPresent(moved -> found.putIfAbsent(DisjointMoves.paths(moved), moved));
            }
        }
        return new ArrayList<>(found.values()).subList(1, found.size());
    }
}
