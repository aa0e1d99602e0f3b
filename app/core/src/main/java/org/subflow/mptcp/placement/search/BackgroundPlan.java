// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.List;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.ShareComparison;

/**
 * Paths for all connections of a network at once, and the moves that lead to them, one connection at a time.
 *
 * <p>{@link BetterPaths} moves a connection if that alone gains. Here all connections are considered together:
 * <ol>
 * <li>column generation gives each connection sets of disjoint paths that are cheap under common prices ({@code PathSets});
 * <li>each connection gets one of them ({@code PathSetRounding});
 * <li>connections change their sets, one at a time and several together ({@code PathSearch}). If that leads to nothing better,
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
    /** Bound on the allocations of a search, times the connections in each. */
    private static final int MOST_WORK = 64_000;

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
        double leastRatio = 1 + leastPercent / 100.0;
        BackgroundPlan plan = found(network, PathSetRounding.of(network, sets), sets, allocator);
        if (!plan.gain().isWorth(leastRatio)) {
            plan = found(network, network, sets, allocator);
        }
        return plan.gain().isWorth(leastRatio) ? plan : none;
    }

    private static BackgroundPlan found(NetworkState present, NetworkState from, List<List<PlacedConnection>> sets,
                                        String allocator) {
        PathSearch search = new PathSearch(new FairShares(), allocator, MOST_WORK / sets.size());
        return inSteps(present, search.improve(search.start(from), sets).network().connections(), allocator);
    }

    /** Orders the moves to the ends so that none lowers the smallest share, as far as that is possible. */
    private static BackgroundPlan inSteps(NetworkState begin, List<PlacedConnection> ends, String allocator) {
        PathSearch search = new PathSearch(new FairShares(), allocator, Integer.MAX_VALUE);
        List<PlacedConnection> left = new ArrayList<>(ends);
        List<PlacedConnection> moves = new ArrayList<>();
        List<NetworkState> states = new ArrayList<>();
        PathSearch.State now = null;
        for (PathSearch.State next = search.start(begin); next != now; next = search.best(now, left, PathSearch.NO_LOSS)) {
            now = next;
            states.add(now.network());
            if (now.move() != null) {
                left.remove(now.move());
                moves.add(now.move());
            }
        }
        return bestPrefix(moves, states);
    }

    /** Returns the plan up to the state that gains most. */
    private static BackgroundPlan bestPrefix(List<PlacedConnection> moves, List<NetworkState> states) {
        int best = 0;
        for (int i = 1; i < states.size(); i++) {
            best = gain(states.get(0), states.get(i)).isMoreThan(gain(states.get(0), states.get(best))) ? i : best;
        }
        return new BackgroundPlan(moves.subList(0, best), states.subList(0, best + 1));
    }

    private static ShareComparison gain(NetworkState before, NetworkState after) {
        return ShareComparison.of(before.connections(), after.connections());
    }

    private ShareComparison gain() {
        return gain(states.get(0), network());
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
