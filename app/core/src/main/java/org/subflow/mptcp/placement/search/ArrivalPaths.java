// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.strategy.WidestDisjoint;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.LinkPrices;
import org.subflow.mptcp.placement.search.CostBlends.Blend;
import org.subflow.mptcp.share.Allocators;

/**
 * Compares sets of paths for a subflow that begins and those that should follow it, by the shares of all connections:
 * <ul>
 * <li>that of its strategy;</li>
 * <li>the cheapest ones under {@link CostBlends}, as many as exist, and one fewer with a further one beside them;</li>
 * <li>that of the strategy's alternative.</li>
 * </ul>
 * All sets have as many paths as the strategy's: no disjoint path is given up for a rate. The best one has the largest smallest
 * share, then the largest product of all shares. It never lowers the smallest share below that of the first set.
 *
 * <p>Shares are those of the default allocator, {@code max-min}, whatever allocator is set, with an unlimited demand of the
 * newcomer. Stateless.
 */
final class ArrivalPaths {
    /**
     * Bound on the sets compared, times the links in use, times the square of the number of connections: about so much longer
     * an allocation takes. It lets two sets be compared for some 140 connections on {@code os3e}, and 65 on a fat tree of 80
     * switches.
     */
    private static final long MOST_WORK = 2_300_000;
    /** The best first, as measured with 24 and 64 connections; that without prices, which take time, before the others. */
    private static final List<Blend> BLENDS = List.of(Blend.LOAD_WITH_HOPS, Blend.PRICES_WITH_HOPS, Blend.PRICES_WITH_MORE_HOPS,
            Blend.PRICES, Blend.LOAD, Blend.RESIDUAL);

    private ArrivalPaths() {
    }

    /**
     * Compares.
     *
     * @param network    the network, with the connection or without
     * @param connection the connection, with its earlier subflows on their paths
     * @param index      place of the subflow that begins, from 0
     * @param own        the paths of its strategy, one at least
     * @return the best set, the widest path first; that of the strategy if there are so many other connections that comparing
     *         would hold up a controller
     */
    static List<Path> best(NetworkState network, PlacedConnection connection, int index, List<Path> own) {
        NetworkState others = network.without(connection.id());
        int mostSets = mostSets(others);
        PlacedConnection greedy = connection.withDemand(connection.demand().greedy());
        PlacedConnection begun = on(own, greedy, index);
        if (mostSets < 2 || !begun.subflows().get(index).isActive()) {
            return own;
        }
        int[] begins = IntStream.range(0, begun.subflows().size())
                .filter(i -> i == index || i >= connection.subflows().size()).toArray();
        List<PlacedConnection> sets = new DisjointMoves(others, begun, begins).cheap(new LinkPrices(), BLENDS, mostSets);
        connection.terms().strategy().alternative().filter(strategy -> sets.size() < mostSets)
                .map(strategy -> PathPlacement.paths(network, connection, strategy, index))
                .filter(paths -> paths.size() == own.size()).ifPresent(paths -> sets.add(on(paths, greedy, index)));
        PathSearch search = new PathSearch(new FairShares(), Allocators.standard().name(), Integer.MAX_VALUE);
        PathSearch.State best = search.best(search.start(others.with(begun)), sets, PathSearch.ANY_GAIN);
        List<PlacedSubflow> subflows = best.network().connection(connection.id()).orElseThrow().subflows();
        return Arrays.stream(begins).mapToObj(i -> subflows.get(i).path().orElseThrow())
                .sorted(WidestDisjoint.WIDEST_FIRST).collect(Collectors.toList());
    }

    /** Returns a connection with a subflow on the first of these paths, and further ones beside it on the others. */
    private static PlacedConnection on(List<Path> paths, PlacedConnection connection, int index) {
        PlacedSubflow begins = connection.subflows().get(index);
        List<PlacedSubflow> subflows = new ArrayList<>(connection.subflows());
        subflows.set(index, begins.on(PlacedSubflow.Role.OWN, paths.get(0)));
        paths.subList(1, paths.size()).forEach(path -> subflows.add(begins.on(PlacedSubflow.Role.OWN, path)));
        return connection.withSubflows(subflows);
    }

    private static int mostSets(NetworkState others) {
        long connections = others.connections().size() + 1L;
        if (connections * connections > MOST_WORK) {
            return 0;
        }
        long links = others.connections().stream().flatMap(other -> other.subflows().stream())
                .flatMapToInt(subflow -> Arrays.stream(subflow.arcs(true))).map(Graph::linkOf).distinct().count();
        return (int) Math.min(DisjointMoves.MOST_SETS, MOST_WORK / (connections * connections * Math.max(1, links)));
    }
}
