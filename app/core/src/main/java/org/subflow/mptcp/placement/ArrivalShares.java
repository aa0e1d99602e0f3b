// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.ShareComparer;
import org.subflow.mptcp.placement.CostBlends.Blend;
import org.subflow.mptcp.share.Allocators;

/**
 * Compares sets of paths for a subflow that begins and those that should follow it, by the shares of all connections.
 *
 * <p>Shares are those of the default allocator, {@code max-min}, whatever allocator is set. They are computed on a copy of the
 * network, with an unlimited demand of the newcomer. The best set has the largest smallest share, then the largest product of
 * all shares ({@link ShareComparison}). It never lowers the smallest share below that of the first set. For one question, and
 * one thread.
 */
final class ArrivalShares implements ShareComparer {
    /**
     * Bound on the sets compared, times the links in use, times the square of the number of connections: about so much longer
     * an allocation takes. It lets two sets be compared for some 140 connections on {@code os3e}, and 65 on a fat tree of 80
     * switches.
     */
    private static final long MOST_WORK = 2_300_000;
    private static final int ALL_SETS = 13;
    /** The best first, as measured with 24 and 64 connections; that without prices, which take time, before the others. */
    private static final List<Blend> BLENDS = List.of(Blend.LOAD_WITH_HOPS, Blend.PRICES_WITH_HOPS, Blend.PRICES_WITH_MORE_HOPS,
            Blend.PRICES, Blend.LOAD, Blend.RESIDUAL);

    private final LinkPrices prices = new LinkPrices();
    private final FairShares shares = new FairShares();
    private final NetworkState others;
    private final PlacedConnection newcomer;
    private final int index;
    private final int mostSets;
    private final CostBlends blends;

    private ArrivalShares(NetworkState others, PlacedConnection newcomer, int index, int mostSets, double[] residual) {
        this.others = others;
        this.newcomer = newcomer;
        this.index = index;
        this.mostSets = mostSets;
        this.blends = new CostBlends(others, newcomer, residual, newcomer.subflows().get(index).fromClient());
    }

    /**
     * Looks at an arrival.
     *
     * @param network    the network, with the connection or without
     * @param connection the connection, with its earlier subflows on their paths
     * @param index      place of the subflow that begins, from 0
     * @param residual   bit/s by arc that the connection finds
     * @return what compares sets of paths; empty if there are so many other connections that it would hold up a controller
     */
    static Optional<ShareComparer> of(NetworkState network, PlacedConnection connection, int index, double[] residual) {
        List<PlacedConnection> others = network.connections().stream()
                .filter(other -> !other.id().equals(connection.id())).collect(Collectors.toList());
        int sets = mostSets(others);
        return sets < 2 ? Optional.empty()
                : Optional.of(new ArrivalShares(network.withConnections(others),
                        connection.withDemand(connection.demand().greedy()), index, sets, residual));
    }

    private static int mostSets(List<PlacedConnection> others) {
        long links = others.stream().flatMap(other -> other.subflows().stream())
                .flatMapToInt(subflow -> Arrays.stream(subflow.arcs(true))).map(Graph::linkOf).distinct().count();
        long connections = others.size() + 1L;
        return (int) Math.min(ALL_SETS, MOST_WORK / (connections * connections * Math.max(1, links)));
    }

    @Override
    public int mostSets() {
        return mostSets;
    }

    @Override
    public int blends() {
        return BLENDS.size();
    }

    @Override
    public double[] costs(int blend) {
        return blends.of(BLENDS.get(blend), () -> prices.of(others));
    }

    @Override
    public int best(List<List<Path>> sets) {
        List<PlacedConnection> first = sharedOn(sets.get(0));
        ShareComparison most = ShareComparison.of(first, first);
        int best = 0;
        for (int i = 1; i < sets.size(); i++) {
            ShareComparison gain = ShareComparison.of(first, sharedOn(sets.get(i)));
            if (!gain.falls() && gain.isMoreThan(most)) {
                most = gain;
                best = i;
            }
        }
        return best;
    }

    /** Returns all connections with their shares if the newcomer had a subflow on each of these paths, beside its siblings. */
    private List<PlacedConnection> sharedOn(List<Path> paths) {
        PlacedSubflow begins = newcomer.subflows().get(index);
        List<PlacedSubflow> subflows = new ArrayList<>();
        for (int i = 0; i < newcomer.subflows().size(); i++) {
            if (i != index) {
                subflows.add(newcomer.subflows().get(i));
            }
        }
        for (Path path : paths) {
            subflows.add(begins.on(PlacedSubflow.Role.OWN, path));
        }
        return shares.of(others.with(newcomer.withSubflows(subflows)), Allocators.standard().name());
    }
}
