// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.List;

/**
 * Paths for all connections of a network at once, and the moves that lead to them, one connection at a time.
 *
 * <p>{@link BetterPaths} moves a connection if that alone gains. Here all connections are considered together:
 * <ol>
 * <li>column generation gives each connection sets of disjoint paths that are cheap under common prices ({@code PathSets});
 * <li>each connection gets one of them ({@code PathSetRounding});
 * <li>connections change their sets, one at a time and several together ({@code PlanSearch}). If that leads to nothing better,
 * they do so from the present paths;
 * <li>moves are ordered so that none lowers the smallest share. Connections for which there is no such order stay.
 * </ol>
 * Silent connections stay, and demands count as they are. All steps are bounded by numbers, never by the clock: the same
 * network gives the same plan. Immutable.
 *
 * <p>L. Ford, D. Fulkerson, "A suggested computation for maximal multi-commodity network flows", 1958 (columns); F. Kelly,
 * "Charging and rate control for elastic traffic", 1997 (prices).
 */
public final class BackgroundPlan {
    private static final int MOST_CONNECTIONS = 128;

    private final List<PlacedConnection> moves;
    private final List<NetworkState> states;

    private BackgroundPlan(List<PlacedConnection> moves, List<NetworkState> states) {
        this.moves = List.copyOf(moves);
        this.states = List.copyOf(states);
    }

    /**
     * Plans.
     *
     * @param network      the network with its connections and their expected throughputs; not null
     * @param allocator    name of the allocator; not null
     * @param leastPercent least gain of the whole plan, in per cent: of the smallest share, or of the product of all shares
     * @return the plan; without moves if none is worth it, or there are more than 128 connections
     */
    public static BackgroundPlan of(NetworkState network, String allocator, int leastPercent) {
        BackgroundPlan none = new BackgroundPlan(List.of(), List.of(network));
        int count = network.connections().size();
        if (count < 2 || count > MOST_CONNECTIONS) {
            return none;
        }
        List<List<PlacedConnection>> sets = PathSets.of(network);
        PlanSearch search = new PlanSearch(sets, allocator);
        NetworkState begin = search.shared(network);
        double leastRatio = 1 + leastPercent / 100.0;
        BackgroundPlan plan = inSteps(begin, search.improve(search.shared(PathSetRounding.of(network, sets))), search);
        if (!plan.gain().isWorth(leastRatio)) {
            PlanSearch fromHere = new PlanSearch(sets, allocator);
            plan = inSteps(begin, fromHere.improve(begin), fromHere);
        }
        return plan.gain().isWorth(leastRatio) ? plan : none;
    }

    /** Orders the moves from one network to another so that none lowers the smallest share, as far as that is possible. */
    private static BackgroundPlan inSteps(NetworkState begin, NetworkState end, PlanSearch search) {
        List<PlacedConnection> left = new ArrayList<>();
        for (int c = 0; c < end.connections().size(); c++) {
            if (!DisjointMoves.areOnSamePaths(begin.connections().get(c), end.connections().get(c))) {
                left.add(end.connections().get(c));
            }
        }
        List<PlacedConnection> moves = new ArrayList<>();
        List<NetworkState> states = new ArrayList<>(List.of(begin));
        NetworkState now = begin;
        while (!left.isEmpty()) {
            NetworkState next = null;
            ShareComparison most = null;
            PlacedConnection move = null;
            for (PlacedConnection candidate : left) {
                NetworkState then = search.shared(now.with(candidate));
                ShareComparison gain = ShareComparison.of(now.connections(), then.connections());
                if (!gain.falls() && (most == null || gain.isMoreThan(most))) {
                    next = then;
                    most = gain;
                    move = candidate;
                }
            }
            if (next == null) {
                break;
            }
            left.remove(move);
            moves.add(move);
            states.add(next);
            now = next;
        }
        return bestPrefix(moves, states);
    }

    /** Returns the plan up to the state that gains most. */
    private static BackgroundPlan bestPrefix(List<PlacedConnection> moves, List<NetworkState> states) {
        int best = 0;
        ShareComparison most = ShareComparison.of(states.get(0).connections(), states.get(0).connections());
        for (int i = 1; i < states.size(); i++) {
            ShareComparison gain = ShareComparison.of(states.get(0).connections(), states.get(i).connections());
            if (gain.isMoreThan(most)) {
                best = i;
                most = gain;
            }
        }
        return new BackgroundPlan(moves.subList(0, best), states.subList(0, best + 1));
    }

    private ShareComparison gain() {
        return ShareComparison.of(states.get(0).connections(), network().connections());
    }

    /** Returns the moves in their order: each a connection on its new paths. Its expected throughputs do not count. */
    public List<PlacedConnection> moves() {
        return moves;
    }

    /** Returns the network after all moves, with the expected throughputs of all connections. */
    public NetworkState network() {
        return states.get(states.size() - 1);
    }
}
