// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Connections between edge switches in different pods of a fat tree. Its links have 1 Gbit/s, or capacities drawn uniformly from a
 * tenth of that up to it. Their subflows have link-disjoint
 * paths: each over another aggregation switch and then any core switch above it.
 */
final class FatTreeConnections {
    private static final double GIGABIT = 1e9;
    private static final double LEAST_PART = 0.1;

    private final int k;
    private final Topology tree;
    private final List<List<int[]>> routes = new ArrayList<>();

    /**
     * Draws connections.
     *
     * @param k           ports of a switch
     * @param connections how many
     * @param subflows    of each connection, at most k / 2
     * @param seed        the same seed gives the same connections, however many
     */
    FatTreeConnections(int k, int connections, int subflows, long seed) {
        this(FatTree.of(k, GIGABIT), k, connections, subflows, seed);
    }

    private FatTreeConnections(Topology tree, int k, int connections, int subflows, long seed) {
        this.k = k;
        this.tree = tree;
        SplittableRandom random = new SplittableRandom(seed);
        while (routes.size() < connections) {
            routes.add(connection(subflows, random));
        }
    }

    /** Draws the same connections on links with capacities drawn by the same seed. */
    static FatTreeConnections uneven(int k, int connections, int subflows, long seed) {
        Topology drawn = FatTree.of(k, GIGABIT).withUniformCapacities(LEAST_PART * GIGABIT, GIGABIT, seed);
        return new FatTreeConnections(drawn, k, connections, subflows, seed);
    }

    private List<int[]> connection(int subflows, SplittableRandom random) {
        int pod = random.nextInt(k);
        int otherPod = (pod + 1 + random.nextInt(k - 1)) % k;
        int edge = random.nextInt(k / 2);
        int otherEdge = random.nextInt(k / 2);
        Set<Integer> aggregations = new HashSet<>();
        List<int[]> paths = new ArrayList<>();
        while (paths.size() < subflows) {
            int aggregation = random.nextInt(k / 2);
            int core = aggregation * k / 2 + random.nextInt(k / 2);
            if (aggregations.add(aggregation)) {
                paths.add(route("e" + pod + "-" + edge, "a" + pod + "-" + aggregation, "c" + core,
                        "a" + otherPod + "-" + aggregation, "e" + otherPod + "-" + otherEdge));
            }
        }
        return paths;
    }

    private int[] route(String... switches) {
        int[] nodes = new int[switches.length];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = tree.node(switches[i]);
        }
        return Path.along(tree.graph(), nodes).arcs();
    }

    /** Returns the problem of the first connections, all of weight 1 and without a cap. */
    SharingProblem first(int connections) {
        return problem(routes.subList(0, connections));
    }

    /** Returns the problem of the first connections and one of the others. */
    SharingProblem firstAnd(int connections, int another) {
        List<List<int[]>> present = new ArrayList<>(routes.subList(0, connections));
        present.add(routes.get(another));
        return problem(present);
    }

    /** Returns the problem of the first connections with other paths for one of them. */
    SharingProblem firstWith(int connections, int one, List<int[]> others) {
        List<List<int[]>> present = new ArrayList<>(routes.subList(0, connections));
        present.set(one, others);
        return problem(present);
    }

    /** Returns widest disjoint paths between the ends of a connection, at most a given number. */
    List<int[]> widestDisjoint(int connection, int most) {
        int[] route = routes.get(connection).get(0);
        PathRequest request = PathRequest.on(tree.graph())
                .from(tree.graph().tail(route[0])).to(tree.graph().head(route[route.length - 1])).k(most).build();
        return PathStrategies.named("widest-disjoint").findPaths(request).paths().stream()
                .map(Path::arcs).collect(Collectors.toList());
    }

    private SharingProblem problem(List<List<int[]>> present) {
        SharingProblem.Builder problem = SharingProblem.builder(tree.graph().capacities());
        for (List<int[]> paths : present) {
            problem.connection();
            paths.forEach(problem::subflow);
        }
        return problem.build();
    }
}
