// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.List;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.ArcPrices;

/**
 * The prices of a network's links: those of its proportionally fair shares (Kelly). A price says how much the sum of the
 * logarithms of all shares would grow with one bit/s more on that arc. Those of {@code max-min} would do, too, but many sets
 * of them prove the same shares, and they jump from one set to another.
 *
 * <p>The last answer is kept, as one network is asked about for each connection on it. For one thread at a time.
 */
final class LinkPrices {
    /** Steps in which prices are given, so that rounding and small demands do not decide between paths of equal price. */
    private static final double STEPS = 256;

    private Graph graph;
    private List<PlacedConnection> connections = List.of();
    private double[] prices = {};

    /**
     * Returns the price of each arc, divided by the mean of those above 0.
     *
     * @param network the network with the connections on it
     * @return prices by arc, 0 or more; not to be changed
     */
    double[] of(NetworkState network) {
        if (network.graph() != graph || !network.connections().equals(connections)) {
            prices = compute(network);
            graph = network.graph();
            connections = network.connections();
        }
        return prices;
    }

    private static double[] compute(NetworkState network) {
        double[] computed = new double[network.graph().arcCount()];
        ArcPrices found = Allocators.byName("proportional").allocate(Competition.of(network).problem()).prices().orElse(null);
        if (found == null || found.arcs().length == 0) {
            return computed;
        }
        int[] arcs = found.arcs();
        double[] ofArcs = found.arcPrices();
        double sum = 0;
        for (double price : ofArcs) {
            sum += price;
        }
        for (int i = 0; i < arcs.length; i++) {
            computed[arcs[i]] = Math.rint(STEPS * ofArcs[i] * arcs.length / sum) / STEPS;
        }
        return computed;
    }
}
