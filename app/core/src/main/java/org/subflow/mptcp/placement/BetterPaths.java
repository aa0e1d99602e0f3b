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
 * Finds better paths for a connection that has some.
 *
 * <p>Each of its subflows is tried alone as if it had no path, and the best move is taken, as long as
 * <ul>
 * <li>it adds enough to what the connection could get in one direction if its demand were unlimited, and takes no more from
 * the other direction;</li>
 * <li>all connections together get no less.</li>
 * </ul>
 * The present demand is not asked: a connection may stand still just because a link was down. For one thread at a time.
 */
public final class BetterPaths {
    /** Allocators answer to within this part of the optimum or better: less is no loss. */
    private static final double ROUNDING = 1e-3;

    private final FairShares shares = new FairShares();

    /**
     * Looks for them.
     *
     * @param network     the network with all connections on it, the one in question among them, with their expected throughputs
     * @param id          the connection's name
     * @param allocator   name of the allocator
     * @param leastPercent by how many per cent of what it could get before a move must gain
     * @return the connection on better paths; empty if there are none, or it is not on the network
     */
    public Optional<PlacedConnection> of(NetworkState network, String id, String allocator, int leastPercent) {
        PlacedConnection present = network.connection(id).orElse(null);
        if (present == null) {
            return Optional.empty();
        }
        double enough = 1 + leastPercent / 100.0;
        PlacedConnection best = present;
        Gain gain = gain(network, present, allocator);
        for (int move = 0; move < present.subflows().size() && hasRoom(network.graph(), present, gain.own, enough); move++) {
            PlacedConnection next = null;
            Gain most = null;
            for (PlacedConnection candidate : moves(network, best)) {
                Gain found = gain(network, candidate, allocator);
                if (found.isWorthMoreThan(gain, enough) && (most == null || both(found.own) > both(most.own))) {
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
            // Of several subflows on the same path one is enough, unless the strategy looks at the five-tuple.
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

    /** Returns what all connections could get if one of them were as given and sent all that it can. */
    private Gain gain(NetworkState network, PlacedConnection candidate, String allocator) {
        PlacedConnection greedy = candidate.withDemand(candidate.demand().greedy());
        Rates everybody = Rates.ZERO;
        Rates own = Rates.ZERO;
        for (PlacedConnection connection : shares.of(network.with(greedy), allocator)) {
            Rates expected = connection.expected();
            everybody = everybody.plus(expected);
            own = connection.id().equals(candidate.id()) ? expected : own;
        }
        return new Gain(own, everybody);
    }

    /** Returns whether the links at its hosts' switches could carry enough more than a connection would get. */
    private static boolean hasRoom(Graph graph, PlacedConnection connection, Rates own, double enough) {
        Demand demand = connection.demand().greedy();
        return own.up() * enough < Math.min(demand.up(), access(graph, connection, true))
                || own.down() * enough < Math.min(demand.down(), access(graph, connection, false));
    }

    /** Returns the most that could leave the sender's switches and enter the receiver's, bit/s. */
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

    /** What a connection and all together get. */
    private static final class Gain {
        private final Rates own;
        private final Rates everybody;

        private Gain(Rates own, Rates everybody) {
            this.own = own;
            this.everybody = everybody;
        }

        /** Returns whether it adds enough to one direction without taking more from the other, or anything from all together. */
        private boolean isWorthMoreThan(Gain other, double enough) {
            boolean adds = own.up() > other.own.up() * enough || own.down() > other.own.down() * enough;
            return adds && both(own) > both(other.own) && both(everybody) >= both(other.everybody) * (1 - ROUNDING);
        }
    }
}
