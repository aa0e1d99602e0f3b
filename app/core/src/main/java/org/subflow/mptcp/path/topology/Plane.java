// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoublePredicate;
import org.subflow.mptcp.path.Graph;

/** Nodes at random places on a square, joined by distance. */
final class Plane {
    private static final int MOST_DRAWS = 1_000_000;

    private Plane() {
    }

    static Topology drawConnected(String name, int nodes, double side, double capacity, SplittableRandom random,
                                  DoublePredicate joins) {
        List<String> names = new ArrayList<>();
        for (int v = 0; v < nodes; v++) {
            names.add("n" + v);
        }
        for (int draw = 0; draw < MOST_DRAWS; draw++) {
            Topology topology = draw(name, names, side, capacity, random, joins);
            if (topology.isConnected()) {
                return topology;
            }
        }
        throw new IllegalArgumentException("none of " + MOST_DRAWS + " draws of " + name
                + " is connected: take more nodes or more links");
    }

    private static Topology draw(String name, List<String> names, double side, double capacity, SplittableRandom random,
                                 DoublePredicate joins) {
        int nodes = names.size();
        double[] x = new double[nodes];
        double[] y = new double[nodes];
        for (int v = 0; v < nodes; v++) {
            x[v] = side * random.nextDouble();
            y[v] = side * random.nextDouble();
        }
        Graph.Builder builder = Graph.builder(nodes);
        for (int v = 0; v < nodes; v++) {
            for (int w = v + 1; w < nodes; w++) {
                if (joins.test(Math.hypot(x[v] - x[w], y[v] - y[w]))) {
                    builder.link(v, w, capacity);
                }
            }
        }
        return new Topology(name, names, builder.build(), x, y);
    }
}
