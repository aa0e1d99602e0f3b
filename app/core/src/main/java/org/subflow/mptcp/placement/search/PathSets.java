// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.PathSetPrices;

/**
 * The sets of disjoint paths that each connection may take in a {@link BackgroundPlan}: the columns of column generation.
 *
 * <p>Scheme: the present sets have prices ({@link PathSetPrices}). Under these, the cheapest sets are found, at several costs
 * of a hop and least widths of a link. They join, and prices are computed anew, until no set is new. Then each link of the
 * best set is left out once, which gives its neighbours. The sets that are worth most at the last prices stay. For one thread
 * at a time.
 */
final class PathSets {
    private static final int MOST_ROUNDS = 6;
    /** What a hop costs beside prices, whose mean is 1. */
    private static final double[] HOPS = {0.02, 0.3};
    /** Least widths of a link, as parts of a connection's rate in the master problem. A wide path is rarely the cheapest. */
    private static final double[] WIDTHS = {0, 0.16, 0.24, 0.32, 0.48};
    private static final double HOP_OF_NEIGHBOURS = 0.1;
    private static final int MOST_SETS = 16;
    /** Bound on the sets of all connections together. */
    private static final int MOST_SETS_IN_ALL = 768;

    private final NetworkState network;
    private final List<Column> columns = new ArrayList<>();

    /** The sets of one connection. */
    private static final class Column {
        /** Null if the connection cannot move. */
        private final DisjointMoves moves;
        private final double[] residual;
        private final Map<Set<Path>, PlacedConnection> sets = new LinkedHashMap<>();

        private Column(NetworkState network, PlacedConnection connection) {
            this.moves = connection.demand().isSilent() ? null : DisjointMoves.of(network, connection).orElse(null);
            this.residual = moves == null ? new double[0]
                    : ResidualBandwidth.of(network.withConnections(List.of(connection)), connection, moves.fromClient());
            this.sets.put(connection.activePaths(), connection);
        }

        private boolean add(double[] usable, double[] costs) {
            int before = sets.size();
            moves.addCheapest(usable, costs, Integer.MAX_VALUE, sets);
            return sets.size() > before;
        }
    }

    private PathSets(NetworkState network) {
        this.network = network;
        network.connections().forEach(connection -> columns.add(new Column(network, connection)));
    }

    /**
     * Finds the sets.
     *
     * @param network the network with its connections
     * @return of each connection, in their order: the connection on each set; the first is its present one
     */
    static List<List<PlacedConnection>> of(NetworkState network) {
        PathSets sets = new PathSets(network);
        PathSetPrices prices = new PathSetPrices(network, sets.all());
        boolean grown = true;
        for (int round = 0; grown && round < MOST_ROUNDS; round++) {
            grown = sets.grow(prices);
            prices = new PathSetPrices(network, sets.all());
        }
        sets.addNeighbours(prices);
        return sets.best(prices);
    }

    private List<Collection<PlacedConnection>> all() {
        List<Collection<PlacedConnection>> all = new ArrayList<>();
        columns.forEach(column -> all.add(column.sets.values()));
        return all;
    }

    private boolean grow(PathSetPrices prices) {
        double[] ofArcs = prices.inSteps();
        boolean grown = false;
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            if (column.moves != null) {
                for (double width : WIDTHS) {
                    double least = width * prices.rate(c);
                    double[] usable = Arrays.stream(column.residual).map(rate -> rate < least ? 0 : rate).toArray();
                    for (double hop : HOPS) {
                        grown |= column.add(usable, costs(c, ofArcs, hop));
                    }
                }
            }
        }
        return grown;
    }

    private double[] costs(int connection, double[] prices, double hop) {
        PlacedConnection placed = network.connections().get(connection);
        double[] inUse = CostBlends.inUse(placed, prices, columns.get(connection).moves.fromClient());
        return Arrays.stream(inUse).map(price -> price + hop).toArray();
    }

    private void addNeighbours(PathSetPrices prices) {
        double[] ofArcs = prices.inSteps();
        for (int c = 0; c < columns.size(); c++) {
            Column column = columns.get(c);
            if (column.moves != null) {
                double[] costs = costs(c, ofArcs, HOP_OF_NEIGHBOURS);
                PlacedConnection best = byWorth(column, prices).get(0);
                for (Path path : best.activePaths()) {
                    for (int arc : path.arcs()) {
                        double[] usable = column.residual.clone();
                        usable[arc] = 0;
                        usable[Graph.reverse(arc)] = 0;
                        column.add(usable, costs);
                    }
                }
            }
        }
    }

    private static List<PlacedConnection> byWorth(Column column, PathSetPrices prices) {
        Map<PlacedConnection, Double> worth = new LinkedHashMap<>();
        column.sets.values().forEach(set -> worth.put(set, prices.worth(set)));
        List<PlacedConnection> sorted = new ArrayList<>(column.sets.values());
        sorted.sort(Comparator.comparingDouble((PlacedConnection set) -> -worth.get(set)));
        return sorted;
    }

    private List<List<PlacedConnection>> best(PathSetPrices prices) {
        int most = Math.max(2, Math.min(MOST_SETS, MOST_SETS_IN_ALL / Math.max(1, columns.size())));
        List<List<PlacedConnection>> best = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            PlacedConnection present = network.connections().get(c);
            List<PlacedConnection> sets = byWorth(columns.get(c), prices);
            sets.remove(present);
            sets.add(0, present);
            best.add(List.copyOf(sets.subList(0, Math.min(most, sets.size()))));
        }
        return best;
    }
}
