// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Arrays;

/**
 * A network as the path strategies see it: nodes {@code 0..n-1}, links that join two of them, and a capacity for each
 * direction of each link.
 *
 * <p>Link {@code i} from {@code a} to {@code b} consists of two <em>arcs</em>: {@code 2i} leads from {@code a} to
 * {@code b}, {@code 2i + 1} back. So {@code arc ^ 1} is the other direction of an arc and {@code arc >> 1} its link. The
 * two arcs of a link have capacities of their own, in bit/s; capacity 0 says that this direction cannot be used. Several
 * links may join the same two nodes; a link from a node to itself is refused.
 *
 * <p>The arcs that leave a node stand side by side in one array (compressed sparse rows). They are sorted by the node they
 * lead to, then by number. So the first arc that fits is always the one with the smallest id. Immutable.
 *
 * <p>An arc may have a delay in milliseconds, and a link may belong to shared-risk link groups (RFC 4202): whatever ends one
 * link of a group may end all of them. Both are unknown unless the builder is told.
 */
public final class Graph {
    /** The longest delay of an arc in milliseconds: a day. */
    public static final double MOST_DELAY = 86_400_000;

    /** Node to its first place in {@link #out}; has one entry more than there are nodes. */
    private final int[] offsets;
    /** The arcs that leave the nodes, node by node. */
    private final int[] out;
    /** For each of these arcs the node it leads to, so that a search reads its neighbours in a row. */
    private final int[] neighbours;
    /** Arc to the node it leads to. */
    final int[] heads;
    /** Arc to its capacity in bit/s. */
    final double[] capacities;
    /** Arc to its delay in milliseconds, not a number where it is unknown; null if all are unknown. */
    final double[] delays;
    /** Link to the groups that it belongs to; null if none does. */
    final int[][] groups;
    /** Group to its links. */
    private final int[][] members;

    private final int nodes;
    private volatile Graph split;

    private Graph(int nodes, int[] heads, double[] capacities, double[] delays, int[][] groups) {
        this.nodes = nodes;
        this.heads = heads;
        this.capacities = capacities;
        this.delays = delays;
        this.groups = groups;
        this.members = groups == null ? new int[0][] : members(groups);
        this.offsets = new int[nodes + 1];
        this.out = new int[heads.length];
        sortArcs();
        this.neighbours = new int[heads.length];
        for (int i = 0; i < out.length; i++) {
            neighbours[i] = heads[out[i]];
        }
    }

    private static int[][] members(int[][] groups) {
        int most = Arrays.stream(groups).flatMapToInt(Arrays::stream).max().orElse(-1);
        int[][] members = new int[most + 1][0];
        for (int link = 0; link < groups.length; link++) {
            for (int group : groups[link]) {
                members[group] = Arrays.copyOf(members[group], members[group].length + 1);
                members[group][members[group].length - 1] = link;
            }
        }
        return members;
    }

    /** Sorts the arcs by tail, then head, then number: two passes of counting sort. */
    private void sortArcs() {
        int arcs = heads.length;
        int[] byHead = new int[arcs];
        int[] next = new int[nodes + 1];
        for (int arc = 0; arc < arcs; arc++) {
            next[heads[arc] + 1]++;
        }
        // Every link has an arc each way, so as many arcs leave a node as enter it: one table serves both passes.
        for (int v = 0; v < nodes; v++) {
            next[v + 1] += next[v];
        }
        System.arraycopy(next, 0, offsets, 0, nodes + 1);
        for (int arc = 0; arc < arcs; arc++) {
            byHead[next[heads[arc]]++] = arc;
        }
        System.arraycopy(offsets, 0, next, 0, nodes + 1);
        for (int arc : byHead) {
            out[next[heads[arc ^ 1]]++] = arc;
        }
    }

    /**
     * Starts a graph.
     *
     * @param nodes number of nodes, at least 1
     * @return an empty builder
     * @throws IllegalArgumentException if there is no node
     */
    public static Builder builder(int nodes) {
        return new Builder(nodes);
    }

    /** Returns the number of nodes. */
    public int nodeCount() {
        return nodes;
    }

    /** Returns the number of links. */
    public int linkCount() {
        return heads.length >> 1;
    }

    /** Returns the number of arcs, twice the number of links. */
    public int arcCount() {
        return heads.length;
    }

    /** Returns the node that an arc leaves. */
    public int tail(int arc) {
        return heads[arc ^ 1];
    }

    /** Returns the node that an arc leads to. */
    public int head(int arc) {
        return heads[arc];
    }

    /** Returns the capacity of an arc in bit/s; 0 if that direction cannot be used. */
    public double capacity(int arc) {
        return capacities[arc];
    }

    /** Returns the delay of an arc in milliseconds; not a number if it is unknown. */
    public double delay(int arc) {
        return delays == null ? Double.NaN : delays[arc];
    }

    /** Returns whether the delay of an arc is known. */
    public boolean hasDelays() {
        return delays != null;
    }

    /** Returns the shared-risk link groups of a link, ascending; empty if it belongs to none. A copy. */
    public int[] groups(int link) {
        return groups == null ? new int[0] : groups[link].clone();
    }

    /** Returns whether a link belongs to a shared-risk link group. */
    public boolean hasGroups() {
        return groups != null;
    }

    /** Returns the links of a shared-risk link group, ascending: a copy. */
    public int[] members(int group) {
        return members[group].clone();
    }

    /** Returns the capacities of all arcs in bit/s, indexed by arc: a copy. */
    public double[] capacities() {
        return capacities.clone();
    }

    /** Returns how many arcs leave a node (links with no capacity in that direction included). */
    public int degree(int node) {
        return offsets[node + 1] - offsets[node];
    }

    /**
     * Returns an arc that leaves a node.
     *
     * @param node  the node
     * @param index 0 to {@code degree(node) - 1}; in the order of the nodes that the arcs lead to, then of their number
     * @return the arc
     */
    public int arcFrom(int node, int index) {
        return out[offsets[node] + index];
    }

    /**
     * Returns the first place of a node's arcs in the row of all arcs. The next node's first place is behind its last one, also
     * for the last node.
     */
    public int offset(int node) {
        return offsets[node];
    }

    /** Returns the arc at a place of the row of all arcs. */
    public int out(int place) {
        return out[place];
    }

    /** Returns the node to which the arc at a place leads. */
    public int neighbour(int place) {
        return neighbours[place];
    }

    /** Returns the smallest arc from one node to another, or −1 if no link joins them. */
    public int arcBetween(int from, int to) {
        for (int i = offsets[from]; i < offsets[from + 1]; i++) {
            if (heads[out[i]] == to) {
                return out[i];
            }
        }
        return -1;
    }

    /** Returns the arc of the same link in the other direction. */
    public static int reverse(int arc) {
        return arc ^ 1;
    }

    /** Returns the link that an arc belongs to. */
    public static int linkOf(int arc) {
        return arc >> 1;
    }

    /**
     * Returns the graph with every node split in two, made at the first call: {@code v} into {@code 2v}, where arcs arrive, and
     * {@code 2v + 1}, where they leave. So node-disjoint paths of this graph are link-disjoint ones there. With n nodes, arc
     * {@code 2v} joins the halves of {@code v}, and arc {@code 2(n + a)} stands for arc {@code a}. The odd arcs exist only for
     * cancelled units. Capacities are 0: they are asked of this graph.
     */
    public Graph split() {
        Graph result = split;
        if (result == null) {
            Builder halves = builder(2 * nodes);
            for (int v = 0; v < nodes; v++) {
                halves.link(2 * v, 2 * v + 1, 0);
            }
            for (int arc = 0; arc < arcCount(); arc++) {
                halves.link(2 * tail(arc) + 1, 2 * head(arc), 0);
            }
            result = halves.build();
            split = result;
        }
        return result;
    }

    @Override
    public String toString() {
        return "Graph{nodes=" + nodes + ", links=" + linkCount() + "}";
    }

    /** Collects links; the first gets number 0. Not safe for use by several threads at once. */
    public static final class Builder {
        private final int nodes;
        private int[] heads = new int[32];
        private double[] capacities = new double[32];
        private int arcs;
        /** Those of the first arcs; null as long as none is known. */
        private double[] delays;
        /** Those of the first links; null as long as none is known. */
        private int[][] groups;

        private Builder(int nodes) {
            if (nodes < 1) {
                throw new IllegalArgumentException("a graph needs at least one node, not " + nodes);
            }
            this.nodes = nodes;
        }

        /**
         * Adds a link with the same capacity in both directions.
         *
         * @param a        a node
         * @param b        another node
         * @param capacity capacity of each direction in bit/s, 0 or more
         * @return this builder
         * @throws IllegalArgumentException if a node is unknown, both are the same, or the capacity is negative,
         *                                  infinite or not a number
         */
        public Builder link(int a, int b, double capacity) {
            return link(a, b, capacity, capacity);
        }

        /**
         * Adds a link.
         *
         * @param a        a node
         * @param b        another node
         * @param forward  capacity from {@code a} to {@code b} in bit/s, 0 or more
         * @param backward capacity from {@code b} to {@code a} in bit/s, 0 or more
         * @return this builder
         * @throws IllegalArgumentException if a node is unknown, both are the same, or a capacity is negative, infinite
         *                                  or not a number
         */
        public Builder link(int a, int b, double forward, double backward) {
            checkNode(a);
            checkNode(b);
            if (a == b) {
                throw new IllegalArgumentException("link " + linkCount() + " joins node " + a + " to itself");
            }
            checkCapacity(a, b, forward);
            checkCapacity(b, a, backward);
            if (arcs + 2 > heads.length) {
                heads = Arrays.copyOf(heads, 2 * arcs);
                capacities = Arrays.copyOf(capacities, 2 * arcs);
            }
            heads[arcs] = b;
            capacities[arcs++] = forward;
            heads[arcs] = a;
            capacities[arcs++] = backward;
            return this;
        }

        /**
         * Sets the delay of a link in each direction.
         *
         * @param link     a link's number, as the builder has counted it
         * @param forward  from its first node to its second in milliseconds, 0 to {@link #MOST_DELAY}; not a number if unknown
         * @param backward from its second node to its first, likewise
         * @return this builder
         * @throws IllegalArgumentException if there is no such link yet, or a delay is out of range
         */
        public Builder delay(int link, double forward, double backward) {
            checkLink(link);
            checkDelay(link, forward);
            checkDelay(link, backward);
            int known = delays == null ? 0 : delays.length;
            if (known < arcs) {
                delays = delays == null ? new double[arcs] : Arrays.copyOf(delays, arcs);
                Arrays.fill(delays, known, arcs, Double.NaN);
            }
            delays[2 * link] = forward;
            delays[2 * link + 1] = backward;
            return this;
        }

        /**
         * Sets the shared-risk link groups of a link.
         *
         * @param link  a link's number, as the builder has counted it
         * @param of    numbers of groups, small ones: 0 or more
         * @return this builder
         * @throws IllegalArgumentException if there is no such link yet, or a number is negative
         */
        public Builder groups(int link, int... of) {
            checkLink(link);
            int known = groups == null ? 0 : groups.length;
            if (known < linkCount()) {
                groups = groups == null ? new int[linkCount()][] : Arrays.copyOf(groups, linkCount());
                Arrays.fill(groups, known, linkCount(), new int[0]);
            }
            groups[link] = Arrays.stream(of).sorted().distinct().toArray();
            if (groups[link].length > 0 && groups[link][0] < 0) {
                throw new IllegalArgumentException("link " + link + " is in group " + groups[link][0] + "; they start at 0");
            }
            return this;
        }

        private void checkLink(int link) {
            if (link < 0 || link >= linkCount()) {
                throw new IllegalArgumentException("there is no link " + link + " yet; there are " + linkCount());
            }
        }

        private static void checkDelay(int link, double millis) {
            if (millis < 0 || millis > MOST_DELAY) {
                throw new IllegalArgumentException("link " + link + " has delay " + millis + " ms; it must be 0 to a day");
            }
        }

        /** Returns the number of links so far, which is the number that the next one gets. */
        public int linkCount() {
            return arcs >> 1;
        }

        /** Returns the graph of the links so far. */
        public Graph build() {
            double[] allDelays = delays == null ? null : Arrays.copyOf(delays, arcs);
            if (delays != null) {
                Arrays.fill(allDelays, delays.length, arcs, Double.NaN);
            }
            int[][] allGroups = groups == null ? null : Arrays.copyOf(groups, linkCount());
            if (groups != null) {
                Arrays.fill(allGroups, groups.length, linkCount(), new int[0]);
            }
            return new Graph(nodes, Arrays.copyOf(heads, arcs), Arrays.copyOf(capacities, arcs), allDelays, allGroups);
        }

        private void checkNode(int node) {
            if (node < 0 || node >= nodes) {
                throw new IllegalArgumentException("link " + linkCount() + " names node " + node
                        + ", but the nodes are 0 to " + (nodes - 1));
            }
        }

        private void checkCapacity(int from, int to, double capacity) {
            if (!(capacity >= 0) || Double.isInfinite(capacity)) {
                throw new IllegalArgumentException("link " + linkCount() + " has capacity " + capacity + " from node "
                        + from + " to node " + to + "; it must be 0 or more bit/s");
            }
        }
    }
}
