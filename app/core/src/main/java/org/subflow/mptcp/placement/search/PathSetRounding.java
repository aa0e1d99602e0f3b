// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.PathSetPrices;

/**
 * Gives every connection one of its sets of paths. A connection sends over all its sets in the master problem
 * ({@link PathSetPrices}). The connections that send nearly everything over one set take that, a sixth of those that are left
 * at a time. Then the problem is solved again for the others. Stateless.
 */
final class PathSetRounding {
    private static final int PARTS = 6;

    private PathSetRounding() {
    }

    /**
     * Rounds.
     *
     * @param network the network
     * @param sets    of each connection, in the order of the network's
     * @return the network with each connection on one of its sets; shares as before
     */
    static NetworkState of(NetworkState network, List<List<PlacedConnection>> sets) {
        List<List<PlacedConnection>> left = new ArrayList<>(sets);
        List<Integer> open = new ArrayList<>();
        for (int c = 0; c < left.size(); c++) {
            if (left.get(c).size() > 1) {
                open.add(c);
            }
        }
        while (!open.isEmpty()) {
            PathSetPrices prices = new PathSetPrices(network, left);
            List<Choice> choices = open.stream().map(c -> Choice.of(c, left.get(c), prices))
                    .sorted(Comparator.comparingDouble((Choice choice) -> -choice.part)).collect(Collectors.toList());
            for (Choice choice : choices.subList(0, Math.max(1, choices.size() / PARTS))) {
                left.set(choice.connection, List.of(choice.set));
                open.remove((Integer) choice.connection);
            }
        }
        return network.withConnections(left.stream().map(one -> one.get(0)).collect(Collectors.toList()));
    }

    /** The set over which a connection sends most. */
    private static final class Choice {
        private final int connection;
        private final PlacedConnection set;
        private final double part;

        private Choice(int connection, PlacedConnection set, double part) {
            this.connection = connection;
            this.set = set;
            this.part = part;
        }

        static Choice of(int connection, List<PlacedConnection> sets, PathSetPrices prices) {
            PlacedConnection most = sets.get(0);
            double rate = -1;
            for (PlacedConnection set : sets) {
                double ofSet = prices.rate(connection, set);
                // Of two sets with the same rate but for rounding, the first is as good.
                if (ofSet > rate * (1 + 1e-6)) {
                    most = set;
                    rate = ofSet;
                }
            }
            return new Choice(connection, most, rate / Math.max(1, prices.rate(connection)));
        }
    }
}
