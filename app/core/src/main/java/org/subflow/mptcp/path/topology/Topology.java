// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.subflow.mptcp.path.Graph;

/** A {@link Graph} whose nodes have names, and positions if it lies on a plane. Immutable. */
public final class Topology {
    private final String name;
    private final Graph graph;
    private final List<String> nodes;
    private final double[] x;
    private final double[] y;
    private final Map<String, Integer> byName = new HashMap<>();
    /** What its file says besides, with the keys of links; of these the last are missing if they are of hosts. */
    private final FileNotes notes;
    private String[] keys;

    /**
     * Makes a topology without positions.
     *
     * @param name  name of the topology
     * @param nodes the nodes' names, no two alike, in the order of their ids
     * @param graph the graph
     * @throws IllegalArgumentException if there are more or fewer names than nodes, or a name comes twice
     */
    public Topology(String name, List<String> nodes, Graph graph) {
        this(name, nodes, graph, null, null, FileNotes.none(graph.linkCount()));
    }

    /** Makes a topology of a file. Its nodes have further names, by which {@link #node} finds them, too: unique labels are. */
    Topology(String name, List<String> nodes, Graph graph, FileNotes notes) {
        this(name, nodes, graph, null, null, notes);
        notes.aliases(byName).forEach(byName::putIfAbsent);
    }

    Topology(String name, List<String> nodes, Graph graph, double[] x, double[] y) {
        this(name, nodes, graph, x, y, FileNotes.none(graph.linkCount()));
    }

    private Topology(String name, List<String> nodes, Graph graph, double[] x, double[] y, FileNotes notes) {
        this.name = Objects.requireNonNull(name, "name");
        this.graph = Objects.requireNonNull(graph, "graph");
        this.nodes = List.copyOf(nodes);
        this.x = x;
        this.y = y;
        this.notes = notes;
        if (nodes.size() != graph.nodeCount()) {
            throw new IllegalArgumentException(nodes.size() + " names for " + graph.nodeCount() + " nodes");
        }
        for (int i = 0; i < nodes.size(); i++) {
            if (byName.put(nodes.get(i), i) != null) {
                throw new IllegalArgumentException("two nodes are called '" + nodes.get(i) + "'");
            }
        }
    }

    /** Returns the name of the topology. */
    public String name() {
        return name;
    }

    /** Returns the graph. */
    public Graph graph() {
        return graph;
    }

    /** Returns the nodes' names in the order of their ids. */
    public List<String> nodes() {
        return nodes;
    }

    /** Returns a node's name. */
    public String name(int node) {
        return nodes.get(node);
    }

    /** Returns what people call a node, from its file: its label. Null if it has none, or one that is its name. */
    public String label(int node) {
        return notes.labels.get(node);
    }

    /** Returns a node as people may read it: its label if no other node has it, its name and label if one has, else its name. */
    public String shown(int node) {
        String label = notes.labels.get(node);
        if (label == null) {
            return name(node);
        }
        return byName.getOrDefault(label, -1) == node ? label : name(node) + " (" + label + ")";
    }

    /** Returns sentences on what its reader has left out or assumed; empty if nothing. */
    public List<String> notes() {
        return notes.sentences;
    }

    /**
     * Finds a node.
     *
     * @param nodeName its name, or its label if no other node has that
     * @return its id
     * @throws IllegalArgumentException if there is none of that name
     */
    public int node(String nodeName) {
        Integer id = byName.get(nodeName);
        if (id == null) {
            notes.refuseAmbiguous(nodeName, nodes);
            throw new IllegalArgumentException("no node '" + nodeName + "' in topology " + name + "; it has "
                    + nodes.size() + ", from '" + nodes.get(0) + "' to '" + nodes.get(nodes.size() - 1) + "'");
        }
        return id;
    }

    /**
     * Returns the key that tells a link from others between the same nodes, as in networkx: that of its file, or its number
     * among them if one of them has none.
     *
     * @param link the link's number
     * @return the key; null if no other link joins its nodes
     */
    public synchronized String key(int link) {
        if (keys == null) {
            keys = keysOfParallelLinks();
        }
        return link < keys.length ? keys[link] : null;
    }

    private String[] keysOfParallelLinks() {
        Map<Long, List<Integer>> between = new HashMap<>();
        String[] given = notes.keys;
        for (int link = 0; link < given.length; link++) {
            long one = Math.min(graph.tail(2 * link), graph.head(2 * link));
            long other = Math.max(graph.tail(2 * link), graph.head(2 * link));
            between.computeIfAbsent(one << 32 | other, nodesOfLink -> new ArrayList<>(1)).add(link);
        }
        String[] found = new String[given.length];
        for (List<Integer> parallel : between.values()) {
            boolean numbered = parallel.stream().anyMatch(link -> given[link] == null);
            for (int i = 0; i < parallel.size() && parallel.size() > 1; i++) {
                found[parallel.get(i)] = numbered ? Integer.toString(i) : given[parallel.get(i)];
            }
        }
        return found;
    }

    /**
     * Finds the node nearest to a point, of several the one with the smallest id.
     *
     * @throws IllegalStateException if the nodes have no positions
     */
    public int nearest(double px, double py) {
        if (x == null) {
            throw new IllegalStateException("the nodes of topology " + name + " have no positions");
        }
        int best = 0;
        for (int v = 1; v < x.length; v++) {
            if (Math.hypot(x[v] - px, y[v] - py) < Math.hypot(x[best] - px, y[best] - py)) {
                best = v;
            }
        }
        return best;
    }

    /** Says whether the graph is connected, whatever the capacities. */
    public boolean isConnected() {
        boolean[] seen = new boolean[graph.nodeCount()];
        int[] queue = new int[graph.nodeCount()];
        int end = 1;
        seen[0] = true;
        for (int next = 0; next < end; next++) {
            for (int i = 0; i < graph.degree(queue[next]); i++) {
                int head = graph.head(graph.arcFrom(queue[next], i));
                if (!seen[head]) {
                    seen[head] = true;
                    queue[end++] = head;
                }
            }
        }
        return end == seen.length;
    }

    /**
     * Draws new capacities, the same for both directions of a link.
     *
     * @param low  the smallest, in bit/s
     * @param high above all of them, in bit/s; more than {@code low}
     * @param seed the same seed gives the same capacities
     * @return the same topology with capacities drawn uniformly, link by link
     */
    public Topology withUniformCapacities(double low, double high, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Graph.Builder builder = Graph.builder(graph.nodeCount());
        for (int link = 0; link < graph.linkCount(); link++) {
            builder.link(graph.tail(2 * link), graph.head(2 * link), low + (high - low) * random.nextDouble());
            if (graph.hasDelays()) {
                builder.delay(link, graph.delay(2 * link), graph.delay(2 * link + 1));
            }
            if (graph.hasGroups()) {
                builder.groups(link, graph.groups(link));
            }
        }
        return new Topology(name, nodes, builder.build(), x, y, notes);
    }

    @Override
    public String toString() {
        return name + " " + graph;
    }
}
