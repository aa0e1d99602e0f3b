// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.rate.FairShares;

/**
 * Places connections on a network one after the other, as a controller does when they arrive in that order.
 *
 * <pre>{@code
 * Graph graph = Graph.builder(4)
 *         .link(0, 1, 10e6).link(1, 3, 10e6).link(0, 2, 8e6).link(2, 3, 8e6).build();
 * Placement placement = new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
 * PlacementTerms terms = PlacementTerms.of("widest-disjoint", 2, JoinPolicy.SHARE);
 * placement.open("c1", 0, 3, terms, Demand.of(Double.POSITIVE_INFINITY, 0));
 * placement.open("c2", 0, 3, terms, Demand.of(4e6, 0));
 * placement.settle();
 * placement.network().connections().forEach(System.out::println);
 * }</pre>
 * For one thread at a time.
 */
public final class Placement {
    /** The default least gain of a move to better paths, in per cent of the smallest share or of the product of all. */
    public static final int LEAST_GAIN_PERCENT = 10;

    /** Bound on the rounds of {@link #settleOneByOne}. Random networks in tests needed four at most. */
    private static final int MOST_ROUNDS = 64;

    private final FairShares shares;
    private final BetterPaths betterPaths = new BetterPaths();
    private final String allocator;
    private final int leastGainPercent;
    private NetworkState network;

    /**
     * Starts from a network.
     *
     * @param network          the network, with connections on it or without; not null
     * @param allocator        name of the allocator; not null
     * @param leastGainPercent the least gain of a move to better paths, in per cent
     */
    public Placement(NetworkState network, String allocator, int leastGainPercent) {
        this(network, allocator, leastGainPercent, new FairShares());
    }

    /** Starts from a network, with shares that are computed by the last argument. */
    public Placement(NetworkState network, String allocator, int leastGainPercent, FairShares shares) {
        this.shares = Objects.requireNonNull(shares, "shares");
        this.network = Objects.requireNonNull(network, "network");
        this.allocator = Objects.requireNonNull(allocator, "allocator");
        this.leastGainPercent = leastGainPercent;
    }

    /** Returns the network as it is now: every connection with its paths and expected throughputs. */
    public NetworkState network() {
        return network;
    }

    /**
     * Opens a connection with all its subflows, one after the other, and computes all fair shares after each.
     *
     * @param id     its name; not null
     * @param client node of the client
     * @param server node of the server
     * @param terms strategy, number of subflows, JOIN policy, weight and cap; not null
     * @param demand its demand in each direction; not null
     * @throws IllegalArgumentException if the strategy cannot do what the terms ask, or the allocator is unknown
     */
    public void open(String id, int client, int server, PlacementTerms terms, Demand demand) {
        begin(id, terms, demand);
        for (int i = 0; i < terms.subflows(); i++) {
            place(id, PlacedSubflow.unplaced(client, server, true, i > 0, id.hashCode() + (long) i));
            share();
        }
    }

    /** Begins a connection without subflows; {@link #place} adds them. */
    public void begin(String id, PlacementTerms terms, Demand demand) {
        network = network.with(new PlacedConnection(id, terms, demand, List.of()));
    }

    /**
     * Sets the demand of a connection, once it is known. Shares stay as they are until {@link #share}.
     *
     * @param id     its name; not null
     * @param demand its demand in each direction; not null
     * @throws IllegalArgumentException if there is no such connection
     */
    public void setDemand(String id, Demand demand) {
        network = network.with(connection(id).withDemand(demand));
    }

    /**
     * Takes a connection off the network. Shares stay as they are until {@link #share}.
     *
     * @param id its name; not null
     * @throws IllegalArgumentException if there is no such connection
     */
    public void close(String id) {
        network = network.without(connection(id).id());
    }

    /** Adds a subflow to a connection and chooses its path. Shares stay as they are until {@link #share}. */
    public void place(String id, PlacedSubflow next) {
        PlacedConnection connection = connection(id).plus(next);
        int index = connection.subflows().size() - 1;
        network = network.with(connection.with(index, PathPlacement.place(network, connection, index)));
    }

    private PlacedConnection connection(String id) {
        return network.connection(id)
                .orElseThrow(() -> new IllegalArgumentException("no connection '" + id + "' on the network"));
    }

    /** Computes the expected throughputs of all connections. */
    public void share() {
        network = network.withConnections(shares.of(network, allocator));
    }

    /**
     * Moves connections that are not silent to better paths, one after the other. Each is tried again until it finds no
     * better paths. Then the moves of a {@link BackgroundPlan} follow, if it has any, and single connections are tried again.
     * No move lowers the smallest share, and all is bounded by numbers, so it ends.
     *
     * @return how many moves there were
     */
    public int settle() {
        int moves = settleOneByOne();
        List<PlacedConnection> planned = BackgroundPlan.of(network, allocator, leastGainPercent).moves();
        for (PlacedConnection move : planned) {
            network = network.with(move);
            share();
        }
        return planned.isEmpty() ? moves : moves + planned.size() + settleOneByOne();
    }

    /**
     * Moves connections that are not silent to better paths, one after the other, without a {@link BackgroundPlan}.
     *
     * @return how many moves there were
     */
    public int settleOneByOne() {
        int moves = 0;
        Set<String> waiting = new LinkedHashSet<>();
        network.connections().stream().filter(connection -> !connection.demand().isSilent())
                .forEach(connection -> waiting.add(connection.id()));
        for (int round = 0; round < MOST_ROUNDS && !waiting.isEmpty(); round++) {
            for (String id : new ArrayList<>(waiting)) {
                Optional<PlacedConnection> better = betterPaths.of(network, id, allocator, leastGainPercent);
                if (better.isPresent()) {
                    network = network.with(better.get());
                    share();
                    moves++;
                } else {
                    waiting.remove(id);
                }
            }
        }
        return moves;
    }
}
