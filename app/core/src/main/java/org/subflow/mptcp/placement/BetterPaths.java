// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathInput;

/**
 * Finds better paths for a connection that has paths already.
 *
 * <p>It tries each subflow alone, as if that had no path, and makes the best move that meets three conditions:
 * <ul>
 * <li>it raises the connection's fair share in one direction by the least gain, computed with an unlimited demand;</li>
 * <li>the sum of both directions rises;</li>
 * <li>the sum over all connections does not fall.</li>
 * </ul>
 * The present demand does not count: a connection may be silent just because a link was down. For one thread at a time.
 */
public final class BetterPaths {
    /** Relative accuracy of the allocators. A smaller difference is not a loss. */
    private static final double ROUNDING = 1e-3;

    private final FairShares shares = new FairShares();

    /**
     * Looks for better paths.
     *
     * @param network     the network with all its connections, this one included, and their expected throughputs
     * @param id          the connection's name
     * @param allocator   name of the allocator
     * @param leastPercent least gain of a move, in per cent of the fair share before it
     * @return the connection on better paths; empty if there are none, or it is not on the network
     */
    public Optional<PlacedConnection> of(NetworkState network, String id, String allocator, int leastPercent) {
        PlacedConnection present = network.connection(id).orElse(null);
        if (present == null) {
            return Optional.empty();
        }
        double leastRatio = 1 + leastPercent / 100.0;
        PlacedConnection best = present;
        Gain gain = gain(network, present, allocator);
        for (int move = 0; move < present.subflows().size() && hasRoom(network.graph(), present, gain.own, leastRatio); move++) {
            PlacedConnection next = null;
            Gain most = null;
            for (PlacedConnection candidate : moves(network, best)) {
                Gain found = gain(network, candidate, allocator);
                if (found.isWorthMoreThan(gain, leastRatio) && (most == null || both(found.own) > both(most.own))) {
                    next = candidate;
                    most = found;
                }
            }
            if (next == null) {
                break;
            }
            best = next;
            gain = most;
        }
        return best == present ? Optional.empty() : Optional.of(best);
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

    /** Returns the fair shares if one connection were as given and its demand were unlimited. */
    private Gain gain(NetworkState network, PlacedConnection candidate, String allocator) {
        PlacedConnection greedy = candidate.withDemand(candidate.demand().greedy());
        Rates sum = Rates.ZERO;
        Rates own = Rates.ZERO;
        for (PlacedConnection connection : shares.of(network.with(greedy), allocator)) {
            Rates expected = connection.expected();
            sum = sum.plus(expected);
            own = connection.id().equals(candidate.id()) ? expected : own;
        }
        return new Gain(own, sum);
    }

    /** Returns whether the links at its hosts' switches could carry enough more than a connection's fair share. */
    private static boolean hasRoom(Graph graph, PlacedConnection connection, Rates own, double leastRatio) {
        Demand demand = connection.demand().greedy();
        return own.up() * leastRatio < Math.min(demand.up(), access(graph, connection, true))
                || own.down() * leastRatio < Math.min(demand.down(), access(graph, connection, false));
    }

    /** Returns an upper bound on the rate from the sender's switches to the receiver's, bit/s: their links' capacities. */
    private static double access(Graph graph, PlacedConnection connection, boolean upwards) {
        Set<Integer> senders = new HashSet<>();
        Set<Integer> receivers = new HashSet<>();
        for (PlacedSubflow subflow : connection.subflows()) {
            if (subflow.path().isPresent()) {
                senders.add(upwards == subflow.fromClient() ? subflow.source() : subflow.target());
                receivers.add(upwards == subflow.fromClient() ? subflow.target() : subflow.source());
            }
        }
        double leaves = 0;
        for (int node : senders) {
            for (int i = 0; i < graph.degree(node); i++) {
                leaves += graph.capacity(graph.arcFrom(node, i));
            }
        }
        double enters = 0;
        for (int node : receivers) {
            for (int i = 0; i < graph.degree(node); i++) {
                enters += graph.capacity(Graph.reverse(graph.arcFrom(node, i)));
            }
        }
        return Math.min(connection.terms().cap(), Math.min(leaves, enters));
    }

    private static double both(Rates rates) {
        return rates.up() + rates.down();
    }

    /** The fair share of a connection, and the sum over all connections. */
    private static final class Gain {
        private final Rates own;
        private final Rates sum;

        private Gain(Rates own, Rates sum) {
            this.own = own;
            this.sum = sum;
        }

        /** Returns whether one direction gains enough, both together gain, and the sum over all connections does not fall. */
        private boolean isWorthMoreThan(Gain other, double leastRatio) {
            boolean adds = own.up() > other.own.up() * leastRatio || own.down() > other.own.down() * leastRatio;
            return adds && both(own) > both(other.own) && both(sum) >= both(other.sum) * (1 - ROUNDING);
        }
    }
}
