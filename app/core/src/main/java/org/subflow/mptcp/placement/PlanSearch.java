// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Improves a {@link BackgroundPlan}: connections change their sets of paths, first one at a time, then several together where
 * only that gains.
 *
 * <p>Together: one connection takes a set that is worse for all. Those that lose most by it take their best sets in turn. All
 * of that is kept if it is worth it. The number of allocations is bounded. For one thread at a time.
 */
final class PlanSearch {
    /** Least gain of a change. */
    private static final double LEAST_RATIO = 1.01;
    private static final double WEIGHT_OF_SMALLEST = 2;
    /** Sets that a connection tries together with others, and how many others change with it. */
    private static final int MOST_TRIED = 3;
    private static final int MOST_OTHERS = 3;
    private static final double LEAST_LOSS = 0.01;
    private static final int MOST_ROUNDS = 20;
    /** Bound on the allocations, times the connections in each. */
    private static final int MOST_WORK = 64_000;

    private final FairShares shares = new FairShares();
    private final List<List<PlacedConnection>> sets;
    private final String allocator;
    private int left;

    /**
     * Makes a search.
     *
     * @param sets      of each connection, in the order of the network's
     * @param allocator name of the allocator
     */
    PlanSearch(List<List<PlacedConnection>> sets, String allocator) {
        this.sets = sets;
        this.allocator = allocator;
        this.left = MOST_WORK / Math.max(1, sets.size());
    }

    /** A state that the search has reached, and its gain over the state where it began. */
    private static final class State {
        private final NetworkState network;
        private final ShareComparison gain;

        private State(NetworkState network, ShareComparison gain) {
            this.network = network;
            this.gain = gain;
        }

        private double score() {
            return gain.score(WEIGHT_OF_SMALLEST);
        }
    }

    /** Returns the network with shares. */
    NetworkState shared(NetworkState network) {
        left--;
        return network.withConnections(shares.of(network, allocator));
    }

    /**
     * Improves a network.
     *
     * @param begin the network, each connection on one of its sets, with shares
     * @return the network after all changes, with shares
     */
    NetworkState improve(NetworkState begin) {
        NetworkState network = begin;
        boolean changed = true;
        for (int round = 0; changed && round < MOST_ROUNDS; round++) {
            NetworkState before = network;
            network = each(network, false);
            network = network == before ? each(network, true) : network;
            changed = network != before;
        }
        return network;
    }

    /** Lets each connection change once, in their order. */
    private NetworkState each(NetworkState begin, boolean together) {
        NetworkState network = begin;
        for (int c = 0; c < sets.size() && left > 0; c++) {
            List<State> states = changes(network, network, c);
            if (together) {
                states.sort(Comparator.comparingDouble((State state) -> -state.score()));
                NetworkState from = network;
                int first = c;
                states = states.stream().limit(MOST_TRIED).map(state -> repaired(from, state, first))
                        .collect(Collectors.toList());
            }
            State best = null;
            for (State state : states) {
                if (state.gain.isWorth(LEAST_RATIO) && (best == null || state.gain.isMoreThan(best.gain))) {
                    best = state;
                }
            }
            network = best == null ? network : best.network;
        }
        return network;
    }

    /** Returns the states in which one connection is on another of its sets, compared with an earlier state. */
    private List<State> changes(NetworkState compared, NetworkState network, int connection) {
        List<State> states = new ArrayList<>();
        for (PlacedConnection set : sets.get(connection)) {
            if (left > 0 && !DisjointMoves.areOnSamePaths(network.connections().get(connection), set)) {
                NetworkState changed = shared(network.with(set));
                states.add(new State(changed, ShareComparison.of(compared.connections(), changed.connections())));
            }
        }
        return states;
    }

    /** Lets the connections that lose most take their best sets. */
    private State repaired(NetworkState compared, State state, int first) {
        State best = state;
        List<Integer> losers = IntStream.range(0, sets.size())
                .filter(c -> c != first && sets.get(c).size() > 1 && growth(compared, state.network, c) < -LEAST_LOSS).boxed()
                .sorted(Comparator.comparingDouble(c -> growth(compared, state.network, c))).limit(MOST_OTHERS)
                .collect(Collectors.toList());
        for (int loser : losers) {
            for (State next : changes(compared, best.network, loser)) {
                best = next.score() > best.score() + 1e-3 ? next : best;
            }
        }
        return best;
    }

    /** Returns the growth of the logarithm of a connection's rate. */
    private static double growth(NetworkState before, NetworkState after, int connection) {
        return Math.log(Math.max(1, after.connections().get(connection).expected().larger())
                / Math.max(1, before.connections().get(connection).expected().larger()));
    }
}
