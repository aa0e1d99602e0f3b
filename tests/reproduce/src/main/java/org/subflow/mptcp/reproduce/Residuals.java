// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;

/** Residual bandwidths of a network with other traffic. Sheu et al. say only that the traffic is random. */
enum Residuals {
    /** Uniform from 1 to 100 Mbit/s, drawn for each link. */
    UNIFORM {
        @Override
        double[] draw(Graph graph, SplittableRandom random) {
            return perLink(graph, () -> 1 + 99 * random.nextDouble());
        }
    },
    /** 10, 20 and so on to 100 Mbit/s, drawn for each link: many paths are equally wide. */
    STEPS {
        @Override
        double[] draw(Graph graph, SplittableRandom random) {
            return perLink(graph, () -> 10 * (1 + random.nextInt(10)));
        }
    },
    /** 100 Mbit/s in each direction, less half as many flows as links, on shortest paths, 1 to 20 Mbit/s each. */
    LIGHT_TRAFFIC {
        @Override
        double[] draw(Graph graph, SplittableRandom random) {
            return underTraffic(graph, graph.linkCount() / 2, random);
        }
    },
    /** The same with three times as many flows. */
    HEAVY_TRAFFIC {
        @Override
        double[] draw(Graph graph, SplittableRandom random) {
            return underTraffic(graph, 3 * graph.linkCount() / 2, random);
        }
    };

    private static final double MEGABIT = 1e6;
    private static final double CAPACITY = 100;
    private static final int LARGEST_FLOW = 20;
    /** A full link still has a little residual bandwidth for a new subflow. */
    private static final double LEAST = 1;

    /** A bandwidth in Mbit/s. */
    private interface Draw {
        double next();
    }

    /** Draws the residual bandwidth of each arc in bit/s. */
    abstract double[] draw(Graph graph, SplittableRandom random);

    private static double[] perLink(Graph graph, Draw draw) {
        double[] residual = new double[graph.arcCount()];
        for (int arc = 0; arc < residual.length; arc += 2) {
            residual[arc] = draw.next() * MEGABIT;
            residual[arc + 1] = residual[arc];
        }
        return residual;
    }

    private static double[] underTraffic(Graph graph, int flows, SplittableRandom random) {
        PathStrategy shortest = PathStrategies.named("shortest");
        double[] residual = new double[graph.arcCount()];
        Arrays.fill(residual, CAPACITY * MEGABIT);
        for (int flow = 0; flow < flows; flow++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            double rate = 1 + random.nextInt(LARGEST_FLOW);
            for (int arc : shortest.findPaths(PathRequest.on(graph).from(from).to(to).build()).get(0).arcs()) {
                residual[arc] = Math.max(LEAST * MEGABIT, residual[arc] - rate * MEGABIT);
            }
        }
        return residual;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
