// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Gabriel;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/**
 * A pair of nodes of a network, between which both ours and the peer find paths or a maximum flow.
 *
 * @param graph  the network, capacities in bit/s
 * @param source a node
 * @param target another node
 */
public record Query(Graph graph, int source, int target) {
    private static final double MEGABIT = 1e6;
    private static final long SEED = 20200713;

    /**
     * Draws queries between edge switches in different pods of a fat tree, as in S-MPTCP, Table 4: hosts are vertices,
     * capacities uniform from 0 to 10 Mbit/s for each link.
     *
     * @param k     ports of a switch
     * @param count how many
     * @param seeds of capacities, each for a graph of its own; queries take them in turn
     * @return the queries
     */
    public static List<Query> acrossPods(int k, int count, int seeds) {
        return betweenEdgeSwitches(k, count, graphs(seeds, seed ->
                FatTree.of(k, MEGABIT).withUniformCapacities(0, 10 * MEGABIT, seed).graph()));
    }

    /**
     * Draws queries between edge switches in different pods of a fat tree without its hosts. That is the controller's view: a
     * host is attached to a switch, and no path leads through it. Capacities are uniform from 0 to 10 Mbit/s, drawn for each
     * direction, as reservations differ by direction.
     *
     * @param k     ports of a switch
     * @param count how many
     * @param seeds of capacities, each for a graph of its own; queries take them in turn
     * @return the queries
     */
    public static List<Query> amongSwitches(int k, int count, int seeds) {
        Graph tree = withoutHosts(k, FatTree.of(k, MEGABIT).graph());
        return betweenEdgeSwitches(k, count, graphs(seeds, seed -> perDirection(tree, 0, 10 * MEGABIT, seed)));
    }

    private static List<Graph> graphs(int count, LongFunction<Graph> draw) {
        return LongStream.range(SEED, SEED + count).mapToObj(draw).collect(Collectors.toList());
    }

    private static List<Query> betweenEdgeSwitches(int k, int count, List<Graph> graphs) {
        int firstEdge = 3 * k * k / 4;
        SplittableRandom random = new SplittableRandom(SEED);
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] pods = twoOf(k, random);
            queries.add(new Query(graphs.get(i % graphs.size()), firstEdge + pods[0] * k / 2 + random.nextInt(k / 2),
                    firstEdge + pods[1] * k / 2 + random.nextInt(k / 2)));
        }
        return queries;
    }

    /**
     * Draws queries on Waxman graphs of 50 nodes as Sheu et al. have them. Capacities are uniform from 1 to 100 Mbit/s.
     *
     * @param count     how many
     * @param symmetric whether a link has the same capacity both ways; otherwise they are drawn for each direction, as
     *                  reservations differ by direction
     * @return the queries, each on a graph of its own
     */
    public static List<Query> waxman50(int count, boolean symmetric) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Topology topology = Waxman.sheu(50, MEGABIT, SEED + i);
            Graph graph = symmetric ? topology.withUniformCapacities(MEGABIT, 100 * MEGABIT, SEED + i).graph()
                    : perDirection(topology.graph(), MEGABIT, 100 * MEGABIT, SEED + i);
            int[] ends = twoOf(graph.nodeCount(), random);
            queries.add(new Query(graph, ends[0], ends[1]));
        }
        return queries;
    }

    /**
     * Draws queries between any nodes of Gabriel graphs, with capacities as {@link #waxman50}, by direction.
     *
     * @param nodes number of nodes of each graph
     * @param count how many
     * @param seeds of graphs; queries take them in turn
     * @return the queries
     */
    static List<Query> gabriel(int nodes, int count, int seeds) {
        List<Graph> graphs = graphs(seeds, seed ->
                perDirection(Gabriel.draw(nodes, MEGABIT, seed).graph(), MEGABIT, 100 * MEGABIT, seed));
        SplittableRandom random = new SplittableRandom(SEED);
        List<Query> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int[] ends = twoOf(nodes, random);
            queries.add(new Query(graphs.get(i % seeds), ends[0], ends[1]));
        }
        return queries;
    }

    private static int[] twoOf(int count, SplittableRandom random) {
        int first = random.nextInt(count);
        int second = (first + 1 + random.nextInt(count - 1)) % count;
        return new int[] {first, second};
    }

    private static Graph perDirection(Graph graph, double low, double high, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Graph.Builder builder = Graph.builder(graph.nodeCount());
        for (int arc = 0; arc < graph.arcCount(); arc += 2) {
            builder.link(graph.tail(arc), graph.head(arc), low + (high - low) * random.nextDouble(),
                    low + (high - low) * random.nextDouble());
        }
        return builder.build();
    }

    /** Hosts have the largest ids, so the switches keep theirs. */
    private static Graph withoutHosts(int k, Graph tree) {
        int switches = 5 * k * k / 4;
        Graph.Builder builder = Graph.builder(switches);
        for (int arc = 0; arc < tree.arcCount(); arc += 2) {
            if (tree.tail(arc) < switches && tree.head(arc) < switches) {
                builder.link(tree.tail(arc), tree.head(arc), tree.capacity(arc), tree.capacity(arc ^ 1));
            }
        }
        return builder.build();
    }
}
