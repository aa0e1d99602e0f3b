// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.SplittableRandom;

/**
 * Waxman random graphs: nodes anywhere on the unit square, two of them joined with probability
 * β·exp(−d/(α·√2)), where d is their distance (Waxman, IEEE JSAC 6(9), 1988).
 */
public final class Waxman {
    /** The α with which Sheu et al. are reproduced. */
    public static final double SHEU_ALPHA = 0.6;
    private static final double[] SHEU_BETA = {0.985, 0.467, 0.306, 0.227, 0.181};

    private Waxman() {
    }

    /**
     * Draws until a graph is connected.
     *
     * @param nodes    number of nodes, at least 1
     * @param alpha    above 0; the larger, the more long links
     * @param beta     above 0, at most 1; the larger, the more links
     * @param capacity of each direction of each link, in bit/s
     * @param seed     the same seed gives the same graph
     * @return a connected topology with nodes {@code n0}, {@code n1}, …
     * @throws IllegalArgumentException if a parameter is out of range, or no connected graph comes up
     */
    public static Topology draw(int nodes, double alpha, double beta, double capacity, long seed) {
        if (!(alpha > 0) || !(beta > 0 && beta <= 1)) {
            throw new IllegalArgumentException("a Waxman graph needs alpha > 0 and 0 < beta <= 1, not " + alpha + " and "
                    + beta);
        }
        double scale = alpha * Math.sqrt(2);
        SplittableRandom random = new SplittableRandom(seed);
        return Plane.drawConnected("waxman" + nodes, nodes, 1, capacity, random,
                distance -> random.nextDouble() < beta * Math.exp(-distance / scale));
    }

    /**
     * Draws a graph as in the evaluation of Sheu et al.: α = 0.6, and β such that the mean degree is about 5.
     *
     * @param nodes    10, 20, 30, 40 or 50
     * @param capacity of each direction of each link, in bit/s
     * @param seed     the same seed gives the same graph
     * @return a connected topology
     * @throws IllegalArgumentException if it is another number of nodes
     */
    public static Topology sheu(int nodes, double capacity, long seed) {
        if (nodes < 10 || nodes > 50 || nodes % 10 != 0) {
            throw new IllegalArgumentException("Sheu et al. have Waxman graphs of 10, 20, 30, 40 and 50 nodes, not "
                    + nodes);
        }
        return draw(nodes, SHEU_ALPHA, SHEU_BETA[nodes / 10 - 1], capacity, seed);
    }
}
