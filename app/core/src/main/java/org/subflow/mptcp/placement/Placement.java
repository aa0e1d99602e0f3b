// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Places connections on a network one after the other, as a controller does that sees them come in that order.
 *
 * <pre>{@code
 * Placement placement = new Placement(NetworkState.empty(graph), "max-min", Placement.LEAST_GAIN_PERCENT);
 * PlacementTerms terms = PlacementTerms.of("widest-disjoint", 3, JoinPolicy.SHARE);
 * placement.open("c1", client, server, terms, Demand.of(Double.POSITIVE_INFINITY, 0));
 * placement.settle();
 * placement.network().connections().forEach(System.out::println);
 * }</pre>
 * For one thread at a time.
 */
public final class Placement {
    /** By how many per cent a move must gain, unless it is said otherwise. */
    public static final int LEAST_GAIN_PERCENT = 10;

    /** No random network has needed more than four. */
    private static final int MOST_ROUNDS = 64;

    private final FairShares shares = new FairShares();
    private final BetterPaths betterPaths = new BetterPaths();
    private final String allocator;
    private final int leastGainPercent;
    private NetworkState network;

    /**
     * Starts from a network.
     *
     * @param network          the network, with connections on it or without; not null
     * @param allocator        name of the allocator; not null
     * @param leastGainPercent by how many per cent a move to better paths must gain
     */
    public Placement(NetworkState network, String allocator, int leastGainPercent) {
        this.network = Objects.requireNonNull(network, "network");
        this.allocator = Objects.requireNonNull(allocator, "allocator");
        this.leastGainPercent = leastGainPercent;
    }

    /** Returns the network as it is now: every connection with its paths and expected throughputs. */
    public NetworkState network() {
        return network;
    }

    /**
     * A connection opens all its subflows, one after the other; after each everybody's share is worked out anew.
     *
     * @param id     its name; not null
     * @param client node of the client
     * @param server node of the server
     * @param terms  how it is placed, and how many subflows it opens; not null
     * @param demand what it would send; not null
     * @throws IllegalArgumentException if the strategy cannot do what the terms ask, or the allocator is unknown
     */
    public void open(String id, int client, int server, PlacementTerms terms, Demand demand) {
        begin(id, terms, demand);
        for (int i = 0; i < terms.subflows(); i++) {
            place(id, PlacedSubflow.unplaced(client, server, true, i > 0, id.hashCode() + (long) i));
            share();
        }
    }

    /** A connection begins, without subflows yet: for {@link #place}. */
    public void begin(String id, PlacementTerms terms, Demand demand) {
        network = network.with(new PlacedConnection(id, terms, demand, List.of()));
    }

    /** A connection's next subflow gets its path; shares stay as they are until {@link #share}. */
    public void place(String id, PlacedSubflow next) {
        PlacedConnection connection = network.connection(id)
                .orElseThrow(() -> new IllegalArgumentException("no connection '" + id + "' on the network"))
                .plus(next);
        int index = connection.subflows().size() - 1;
        network = network.with(connection.with(index, PathPlacement.place(network, connection, index)));
    }

    /** Everybody's expected throughput is worked out anew. */
    public void share() {
        network = network.withConnections(shares.of(network, allocator));
    }

    /**
     * Connections that send something move to better paths, one after the other. Each has its turn again until it finds
     * nothing better; as all together never get less, there is an end to it.
     *
     * @return how many moves there were
     */
    public int settle() {
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
