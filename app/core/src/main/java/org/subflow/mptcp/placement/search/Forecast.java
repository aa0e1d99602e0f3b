// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.Competition;
import org.subflow.mptcp.placement.rate.FairShares;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Predicts the expected throughput of a connection that has just begun, once all its subflows are there. Changes nothing. For
 * one thread at a time.
 *
 * <p>Strategies often choose the same paths. So answers are remembered as long as the network and its other connections stay as
 * they are.
 */
public final class Forecast {
    private static final int MOST_REMEMBERED = 64;

    private final FairShares shares = FairShares.inBoundedWork();
    /** Expected throughputs of a newcomer's subflows by all that they depend on, beside {@link #others} and {@link #allocator}. */
    private final Map<List<Object>, List<Rates>> remembered = new HashMap<>();
    private SharingProblem others;
    private String allocator;

    /**
     * Adds the further subflows that the connection is expected to open, between the hosts of its first one. Then it computes
     * all fair shares.
     *
     * @param network       the network as it is
     * @param begun         the connection with its first subflow on a path
     * @param allocatorName name of the allocator
     * @return the connection with all its subflows and their expected throughputs
     */
    public PlacedConnection of(NetworkState network, PlacedConnection begun, String allocatorName) {
        PlacedConnection connection = begun;
        PlacedSubflow first = begun.subflows().get(0);
        for (int i = begun.subflows().size(); i < begun.terms().subflows(); i++) {
            connection = connection.plus(PlacedSubflow.unplaced(first.source(), first.target(), true, true, first.flowKey() + i));
            connection = connection.with(i, PathPlacement.place(network, connection, i));
        }
        forgetUnlessStill(Competition.of(network).problem(), allocatorName);
        List<Object> newcomer = newcomer(connection);
        List<Rates> rates = remembered.get(newcomer);
        if (rates == null) {
            rates = computed(network, connection);
            remembered.put(newcomer, rates);
        }
        for (int i = 0; i < rates.size(); i++) {
            connection = connection.with(i, connection.subflows().get(i).withExpected(rates.get(i)));
        }
        return connection;
    }

    private List<Rates> computed(NetworkState network, PlacedConnection connection) {
        NetworkState with = network.with(connection);
        return shares.of(with, allocator).get(with.indexOf(connection.id())).subflows().stream()
                .map(PlacedSubflow::expected).collect(Collectors.toList());
    }

    private void forgetUnlessStill(SharingProblem now, String allocatorName) {
        if (!now.equals(others) || !allocatorName.equals(allocator) || remembered.size() >= MOST_REMEMBERED) {
            remembered.clear();
        }
        others = now;
        allocator = allocatorName;
    }

    /** Returns all of a newcomer that its share depends on. */
    private static List<Object> newcomer(PlacedConnection connection) {
        List<Object> all = new ArrayList<>(List.of(connection.id(), connection.terms().weight(), connection.terms().cap(),
                                                   connection.demand()));
        for (PlacedSubflow subflow : connection.subflows()) {
            boolean shares = subflow.isActive() && subflow.path().isPresent();
            all.add(shares ? List.of(IntBuffer.wrap(subflow.arcs(true)), IntBuffer.wrap(subflow.arcs(false))) : List.of());
        }
        return all;
    }
}
