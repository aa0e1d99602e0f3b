// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

/**
 * Predicts the expected throughput of a connection that has just begun, once all its subflows are there. Changes nothing. For
 * one thread at a time.
 */
public final class Forecast {
    private final FairShares shares = new FairShares();

    /**
     * Adds the further subflows that the connection is expected to open, between the hosts of its first one. Then it computes
     * all fair shares.
     *
     * @param network   the network as it is
     * @param begun     the connection with its first subflow on a path
     * @param allocator name of the allocator
     * @return the connection with all its subflows and their expected throughputs
     */
    public PlacedConnection of(NetworkState network, PlacedConnection begun, String allocator) {
        PlacedConnection connection = begun;
        PlacedSubflow first = begun.subflows().get(0);
        for (int i = begun.subflows().size(); i < begun.terms().subflows(); i++) {
            connection = connection.plus(PlacedSubflow.unplaced(first.source(), first.target(), true, true, first.flowKey() + i));
            connection = connection.with(i, PathPlacement.place(network, connection, i));
        }
        NetworkState with = network.with(connection);
        return shares.of(with, allocator).get(with.indexOf(begun.id()));
    }
}
