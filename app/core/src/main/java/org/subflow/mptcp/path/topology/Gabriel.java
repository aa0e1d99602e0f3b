// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;

/**
 * Gabriel graphs: nodes anywhere on the unit square, two of them joined if no third node lies in the circle that has them at
 * both ends of a diameter. They are planar and connected, and resemble the maps of backbones (K. Gabriel, R. Sokal, "A new
 * statistical approach to geographic variation analysis", 1969).
 */
public final class Gabriel {
    private Gabriel() {
    }

    /**
     * Draws a graph.
     *
     * @param nodes    number of nodes, at least 1
     * @param capacity of each direction of each link, in bit/s
     * @param seed     the same seed gives the same graph
     * @return a connected topology with nodes {@code n0}, {@code n1}, …; not null
     * @throws IllegalArgumentException if there is no node
     */
    public static Topology draw(int nodes, double capacity, long seed) {
        Graph.Builder graph = Graph.builder(nodes);
        SplittableRandom random = new SplittableRandom(seed);
        double[] x = random.doubles(nodes).toArray();
        double[] y = random.doubles(nodes).toArray();
        for (int a = 0; a < nodes; a++) {
            for (int b = a + 1; b < nodes; b++) {
                if (isFree(x, y, a, b)) {
                    graph.link(a, b, capacity);
                }
            }
        }
        return new Topology("gabriel" + nodes, IntStream.range(0, nodes).mapToObj(n -> "n" + n).collect(Collectors.toList()),
                graph.build(), x, y);
    }

    private static boolean isFree(double[] x, double[] y, int a, int b) {
        for (int c = 0; c < x.length; c++) {
            // A node in the circle sees the diameter under an obtuse angle.
            if (c != a && c != b && (x[a] - x[c]) * (x[b] - x[c]) + (y[a] - y[c]) * (y[b] - y[c]) < 0) {
                return false;
            }
        }
        return true;
    }
}
