// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.SplittableRandom;

/** Random geometric graphs: nodes anywhere on a square, joined if they are in range of each other. */
public final class RandomGeometric {
    private RandomGeometric() {
    }

    /**
     * Draws until a graph is connected. Gómez et al. have 100 m × 100 m and a range of 20 m. There about one graph of 32
     * nodes in a hundred is connected.
     *
     * @param nodes    number of nodes, at least 1
     * @param side     of the square, above 0
     * @param range    largest distance between nodes that a link joins, above 0
     * @param capacity of each direction of each link, in bit/s
     * @param seed     the same seed gives the same graph
     * @return a connected topology with nodes {@code n0}, {@code n1}, …
     * @throws IllegalArgumentException if a parameter is out of range, or no connected graph comes up
     */
    public static Topology draw(int nodes, double side, double range, double capacity, long seed) {
        if (!(side > 0) || !(range > 0)) {
            throw new IllegalArgumentException("side and range must be above 0, not " + side + " and " + range);
        }
        return Plane.drawConnected("geometric" + nodes, nodes, side, capacity, new SplittableRandom(seed),
                distance -> distance <= range);
    }
}
