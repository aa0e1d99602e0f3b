// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.List;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;

/**
 * The prices of a network's links: those of its proportionally fair shares (Kelly). A price says how much the sum of the
 * logarithms of all shares would grow with one bit/s more on that arc. Those of {@code max-min} would do, too, but many sets
 * of them prove the same shares, and they jump from one set to another.
 *
 * <p>The last answer is kept, as one network is asked about for each connection on it. For one thread at a time.
 */
public final class LinkPrices {
    private Graph graph;
    private List<PlacedConnection> connections = List.of();
    private double[] prices = {};

    /**
     * Returns the price of each arc, divided by the mean of those above 0.
     *
     * @param network the network with the connections on it
     * @return prices by arc, 0 or more; not to be changed
     */
    public double[] of(NetworkState network) {
        if (network.graph() != graph || !network.connections().equals(connections)) {
            prices = new PathSetPrices(network, network.connections().stream().map(List::of).collect(Collectors.toList()))
                    .inSteps();
            graph = network.graph();
            connections = network.connections();
        }
        return prices;
    }
}
