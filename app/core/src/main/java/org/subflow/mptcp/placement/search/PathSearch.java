// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.placement.rate.ShareComparison;

/**
 * The search for paths that leave all connections better shares (local search): for an arrival, for one connection, and for all of
 * them.
 *
 * <p>A step puts one connection on other paths, on a copy of the network, and computes the shares that follow. {@link #best}
 * takes the best of several steps, if it is worth one ({@link ShareComparison}). A connection that is beyond its limits to
 * delays, as after a failure, needs no gain: it moves to paths that are less so. No connection leaves its limits for a rate.
 *
 * <p>{@link #improve} repeats this for all connections: first one at a time, then several together where only that gains. Then one
 * connection takes a set that is worse for all. Those that lose most by it take their best sets in turn. All of that is kept if
 * it is worth it. The callers choose who may move, the sets of paths, the least gain and a bound on the work. For one thread at a
 * time.
 */
final class PathSearch {
    /** Least ratio of a step that only must not lower the smallest share. */
    static final double NO_LOSS = 0;
    /** Least ratio of a step that is free: small demands must not decide between paths. */
    static final double ANY_GAIN = 1 + ShareComparison.ALIKE;

    /** Least gain of a change while all connections are improved. */
    private static final double LEAST_RATIO = 1.01;
    private static final double WEIGHT_OF_SMALLEST = 2;
    /** Sets that a connection tries together with others, and how many others change with it. */
    private static final int MOST_TRIED = 3;
    private static final int MOST_OTHERS = 3;
    private static final double LEAST_LOSS = 0.01;
    private static final int MOST_ROUNDS = 20;
    /** Shares with a larger relative error prove no gain. */
    private static final double MOST_ERROR = 1e-3;

    private final FairShares shares;
    private final String allocator;
    private int left;

    /**
     * Makes a search.
     *
     * @param shares          computes shares
     * @param allocator       name of the allocator
     * @param mostAllocations bound on the computations of shares
     */
    PathSearch(FairShares shares, String allocator, int mostAllocations) {
        this.shares = shares;
        this.allocator = allocator;
        this.left = mostAllocations;
    }

    /** A network with the shares of all connections. Immutable. */
    static final class State {
        private final NetworkState network;
        private final PlacedConnection move;
        private final ShareComparison gain;
        /** How much all connections together are beyond their limits to delays. */
        private final int excess;
        private final boolean isProved;

        private State(NetworkState network, PlacedConnection move, NetworkState compared, double error) {
            this.network = network;
            this.move = move;
            // An allocator that states no error is taken as it is.
            this.isProved = !(error > MOST_ERROR);
            this.gain = ShareComparison.of(compared.connections(), network.connections());
            this.excess = network.connections().stream().mapToInt(PlacedConnection::excess).sum();
        }

        /** Returns the network, with shares. */
        NetworkState network() {
            return network;
        }

        /** Returns the candidate whose step led here; null if none did. */
        PlacedConnection move() {
            return move;
        }

        /** Returns whether its shares are exact enough to prove a gain. */
        boolean isProved() {
            return isProved;
        }

        private double score() {
            return gain.score(WEIGHT_OF_SMALLEST);
        }
    }

    /** Returns a network, with shares. */
    State start(NetworkState network) {
        left--;
        NetworkState first = network.withConnections(shares.of(network, allocator));
        return new State(first, null, first, shares.epsilon());
    }

    /**
     * Makes the best of several steps.
     *
     * @param from       where each step starts
     * @param candidates connections of the network, each on other paths or on its present ones, which are no step
     * @param leastRatio the least gain: see {@link ShareComparison#isWorth}
     * @return the state after it, of equally good ones the first; {@code from} if none is worth it
     */
    State best(State from, Iterable<PlacedConnection> candidates, double leastRatio) {
        return best(from, steps(from, from.network, candidates), leastRatio);
    }

    private static State best(State from, List<State> states, double leastRatio) {
        State best = null;
        for (State state : states) {
            boolean worth = state.excess < from.excess
                    || state.excess == from.excess && state.isProved && state.gain.isWorth(leastRatio);
            boolean better = best == null || state.excess < best.excess
                    || state.excess == best.excess && state.gain.isMoreThan(best.gain);
            best = worth && better ? state : best;
        }
        return best == null ? from : best;
    }

    /** Returns the states after each step from a network, compared with a state. */
    private List<State> steps(State compared, NetworkState from, Iterable<PlacedConnection> candidates) {
        List<State> states = new ArrayList<>();
        for (PlacedConnection candidate : candidates) {
            PlacedConnection now = from.connection(candidate.id()).orElseThrow();
            if (left > 0 && candidate.excess() <= now.excess() && !candidate.activePaths().equals(now.activePaths())) {
                left--;
                NetworkState then = from.with(candidate);
                NetworkState next = then.withConnections(shares.of(then, allocator));
                states.add(new State(next, candidate, compared.network, shares.epsilon()));
            }
        }
        return states;
    }

    /**
     * Improves a network.
     *
     * @param begin where to begin
     * @param sets  of each connection, in the order of the network's: the connection on each set of paths that it may take
     * @return the state after all changes
     */
    State improve(State begin, List<List<PlacedConnection>> sets) {
        State state = begin;
        boolean changed = true;
        for (int round = 0; changed && round < MOST_ROUNDS; round++) {
            State before = state;
            state = each(before, sets, false);
            state = state == before ? each(before, sets, true) : state;
            changed = state != before;
        }
        return state;
    }

    /** Lets each connection change once, in their order. */
    private State each(State begin, List<List<PlacedConnection>> sets, boolean together) {
        State state = begin;
        for (List<PlacedConnection> own : sets) {
            State from = state;
            List<State> states = steps(from, from.network, own);
            if (together) {
                states.sort(Comparator.comparingDouble((State one) -> -one.score()));
                states = states.stream().limit(MOST_TRIED).map(one -> repaired(from, one, sets)).collect(Collectors.toList());
            }
            state = best(from, states, LEAST_RATIO);
        }
        return state;
    }

    /** Lets the connections that lose most take their best sets. */
    private State repaired(State compared, State state, List<List<PlacedConnection>> sets) {
        int first = state.network.indexOf(state.move.id());
        List<Integer> losers = IntStream.range(0, sets.size())
                .filter(c -> c != first && sets.get(c).size() > 1 && growth(compared.network, state.network, c) < -LEAST_LOSS)
                .boxed().sorted(Comparator.comparingDouble(c -> growth(compared.network, state.network, c))).limit(MOST_OTHERS)
                .collect(Collectors.toList());
        State best = state;
        for (int loser : losers) {
            for (State next : steps(compared, best.network, sets.get(loser))) {
                best = next.score() > best.score() + ShareComparison.ALIKE ? next : best;
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
