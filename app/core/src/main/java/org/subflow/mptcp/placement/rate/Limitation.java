// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jgrapht.alg.flow.EdmondsKarpMFImpl;
import org.jgrapht.graph.DirectedWeightedMultigraph;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.share.Allocators;

/**
 * Why a connection gets what it gets in one direction: the links that limit it, and why it has no further disjoint path.
 * Immutable, as long as nobody writes to the array.
 */
public final class Limitation {
    /** What one more of capacity is, for {@link Link#gain}, bit/s. */
    public static final double MORE_BPS = 1e6;
    /** A link is full up to this part of its capacity: allocators round. */
    private static final double NEGLIGIBLE = 1e-4;

    private final boolean byDemand;
    private final List<Link> links;
    private final int[] cut;

    private Limitation(boolean byDemand, List<Link> links, int[] cut) {
        this.byDemand = byDemand;
        this.links = List.copyOf(links);
        this.cut = cut;
    }

    /** A full arc on a path of the connection. Immutable. */
    public static final class Link {
        private final int arc;
        private final List<String> connections;
        private final double gain;

        Link(int arc, List<String> connections, double gain) {
            this.arc = arc;
            this.connections = List.copyOf(connections);
            this.gain = gain;
        }

        /** Returns the arc. */
        public int arc() {
            return arc;
        }

        /** Returns the connections that use the arc in this direction, oldest first, the limited one among them. */
        public List<String> connections() {
            return connections;
        }

        /**
         * Returns how much more the connection would get if the arc alone had {@link #MORE_BPS} more, bit/s: 0 where another
         * full link lies on the same path.
         */
        public double gain() {
            return gain;
        }
    }

    /**
     * Explains the share of a connection. It allocates anew once, and once for each full arc on the connection's paths.
     *
     * @param network   the network with its connections and their expected throughputs; not null
     * @param id        the connection; not null
     * @param upwards   in which direction
     * @param allocator name of the allocator that shares the network; not null
     * @return the explanation
     * @throws NoSuchElementException   if there is no such connection
     * @throws IllegalArgumentException if there is no such allocator
     */
    public static Limitation of(NetworkState network, String id, boolean upwards, String allocator) {
        PlacedConnection connection = network.connection(id).orElseThrow();
        double expected = rate(connection, upwards);
        double most = Math.min(connection.terms().cap(), connection.demand().of(upwards));
        int index = network.indexOf(id);
        double now = rate(allocated(network, network.graph().capacities(), allocator).get(index), upwards);
        List<Link> links = new ArrayList<>();
        for (int arc : fullArcs(network, connection, upwards)) {
            double[] capacities = network.graph().capacities();
            capacities[arc] += MORE_BPS;
            double then = rate(allocated(network, capacities, allocator).get(index), upwards);
            links.add(new Link(arc, users(network, arc), Math.max(0, then - now)));
        }
        return new Limitation(expected >= most * (1 - NEGLIGIBLE), links, minimumCut(network, connection, upwards));
    }

    private static List<PlacedConnection> allocated(NetworkState network, double[] capacities, String allocator) {
        Competition competition = Competition.of(network, capacities);
        return competition.shared(Allocators.byName(allocator).boundedSession().allocate(competition.problem()).rates());
    }

    private static double rate(PlacedConnection connection, boolean upwards) {
        return upwards ? connection.expected().up() : connection.expected().down();
    }

    /** Returns the arcs of the active subflows' paths that are full, each once, path by path. */
    private static Set<Integer> fullArcs(NetworkState network, PlacedConnection connection, boolean upwards) {
        double[] loads = new double[network.graph().arcCount()];
        Arrays.setAll(loads, network::otherTraffic);
        for (PlacedConnection any : network.connections()) {
            for (PlacedSubflow subflow : sending(any)) {
                add(loads, subflow.arcs(true), subflow.expected().up());
                add(loads, subflow.arcs(false), subflow.expected().down());
            }
        }
        Set<Integer> full = new LinkedHashSet<>();
        for (PlacedSubflow subflow : sending(connection)) {
            for (int arc : subflow.arcs(upwards)) {
                if (loads[arc] >= network.graph().capacity(arc) * (1 - NEGLIGIBLE)) {
                    full.add(arc);
                }
            }
        }
        return full;
    }

    /** Returns the subflows that take part in sharing: active ones with a path. */
    private static List<PlacedSubflow> sending(PlacedConnection connection) {
        return connection.subflows().stream().filter(subflow -> subflow.isActive() && subflow.path().isPresent())
                .collect(Collectors.toList());
    }

    private static void add(double[] loads, int[] arcs, double rate) {
        for (int arc : arcs) {
            loads[arc] += rate;
        }
    }

    private static List<String> users(NetworkState network, int arc) {
        List<String> users = new ArrayList<>();
        for (PlacedConnection any : network.connections()) {
            if (sending(any).stream().anyMatch(subflow -> uses(subflow, true, arc, any) || uses(subflow, false, arc, any))) {
                users.add(any.id());
            }
        }
        return users;
    }

    private static boolean uses(PlacedSubflow subflow, boolean upwards, int arc, PlacedConnection of) {
        return of.demand().of(upwards) > 0 && Arrays.stream(subflow.arcs(upwards)).anyMatch(other -> other == arc);
    }

    /** Returns the arcs of a smallest set of links without which the connection's ends would not be joined. */
    private static int[] minimumCut(NetworkState network, PlacedConnection connection, boolean upwards) {
        if (connection.subflows().isEmpty()) {
            return new int[0];
        }
        PlacedSubflow first = connection.subflows().get(0);
        boolean forwards = first.fromClient() == upwards;
        int source = forwards ? first.source() : first.target();
        int target = forwards ? first.target() : first.source();
        if (source == target) {
            return new int[0];
        }
        Graph graph = network.graph();
        DirectedWeightedMultigraph<Integer, Integer> links = new DirectedWeightedMultigraph<>(null, null);
        for (int node = 0; node < graph.nodeCount(); node++) {
            links.addVertex(node);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            if (network.isUsable(arc)) {
                links.addEdge(graph.tail(arc), graph.head(arc), arc);
            }
        }
        EdmondsKarpMFImpl<Integer, Integer> flow = new EdmondsKarpMFImpl<>(links);
        flow.calculateMinCut(source, target);
        return flow.getCutEdges().stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    /** Returns whether the connection gets all that it demands, or all that its cap allows. */
    public boolean isByDemand() {
        return byDemand;
    }

    /** Returns the full arcs on its paths, each once, path by path. */
    public List<Link> links() {
        return links;
    }

    /**
     * Returns a minimum cut between the connection's ends: no more paths than this has arcs can be disjoint by links. Empty if the
     * ends are one node.
     */
    public int[] cut() {
        return cut.clone();
    }
}
