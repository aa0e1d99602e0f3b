// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Arrays;

/**
 * A simple path: one arc or more, each of which starts where the one before it ends, and no node twice.
 *
 * <p>Immutable. Two paths are equal if they take the same arcs between the same nodes, whatever their bandwidth.
 */
public final class Path {
    private final int[] arcs;
    private final int[] nodes;
    private final double capacity;
    private final double residual;
    private final double delay;

    private Path(Graph graph, int[] arcs, double[] residual) {
        this.arcs = arcs;
        this.nodes = new int[arcs.length + 1];
        nodes[0] = graph.tail(arcs[0]);
        double narrowest = Double.POSITIVE_INFINITY;
        double smallest = Double.POSITIVE_INFINITY;
        for (int i = 0; i < arcs.length; i++) {
            nodes[i + 1] = graph.heads[arcs[i]];
            narrowest = Math.min(narrowest, graph.capacities[arcs[i]]);
            smallest = Math.min(smallest, residual[arcs[i]]);
        }
        this.capacity = narrowest;
        this.residual = smallest;
        this.delay = graph.delays == null ? 0 : Math.max(sum(graph.delays, arcs, 0), sum(graph.delays, arcs, 1));
    }

    private static double sum(double[] delays, int[] arcs, int turn) {
        double sum = 0;
        for (int arc : arcs) {
            double delay = delays[arc ^ turn];
            sum += Double.isNaN(delay) ? 0 : delay;
        }
        return sum;
    }

    /**
     * Makes a path of the first arcs in a buffer. It is for searches, which have found them: they are not checked.
     *
     * @param graph    the graph that the arcs belong to
     * @param residual residual bandwidth of each arc, bit/s
     * @param buffer   begins with the arcs from first to last
     * @param length   their number, at least 1
     * @return the path
     */
    public static Path trusted(Graph graph, double[] residual, int[] buffer, int length) {
        return new Path(graph, Arrays.copyOf(buffer, length), residual);
    }

    /**
     * Makes a path of arcs. Its residual is its capacity.
     *
     * @param graph the graph that the arcs belong to
     * @param arcs  the arcs from first to last, at least one
     * @return the path
     * @throws IllegalArgumentException if there is no arc, an arc is unknown, two do not join, or a node comes twice
     */
    public static Path of(Graph graph, int... arcs) {
        if (arcs.length == 0) {
            throw new IllegalArgumentException("a path needs at least one arc");
        }
        for (int i = 0; i < arcs.length; i++) {
            if (arcs[i] < 0 || arcs[i] >= graph.arcCount()) {
                throw new IllegalArgumentException("no arc " + arcs[i] + " in " + graph);
            }
            if (i > 0 && graph.tail(arcs[i]) != graph.head(arcs[i - 1])) {
                throw new IllegalArgumentException("arc " + arcs[i] + " does not start where arc " + arcs[i - 1]
                        + " ends");
            }
        }
        Path path = new Path(graph, arcs.clone(), graph.capacities);
        int[] sorted = path.nodes.clone();
        Arrays.sort(sorted);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] == sorted[i - 1]) {
                throw new IllegalArgumentException("the path visits node " + sorted[i] + " twice");
            }
        }
        return path;
    }

    /**
     * Makes a path along nodes; between two nodes with several links it takes the one with the smallest number.
     *
     * @param graph the graph
     * @param nodes the nodes from first to last, at least two
     * @return the path
     * @throws IllegalArgumentException if two nodes in a row are not joined, or a node comes twice
     */
    public static Path along(Graph graph, int... nodes) {
        if (nodes.length < 2) {
            throw new IllegalArgumentException("a path needs at least two nodes");
        }
        int[] arcs = new int[nodes.length - 1];
        for (int i = 0; i < arcs.length; i++) {
            arcs[i] = graph.arcBetween(nodes[i], nodes[i + 1]);
            if (arcs[i] < 0) {
                throw new IllegalArgumentException("no link joins nodes " + nodes[i] + " and " + nodes[i + 1]);
            }
        }
        return of(graph, arcs);
    }

    /** Returns the arcs from first to last: a copy. */
    public int[] arcs() {
        return arcs.clone();
    }

    /** Returns the arcs of the same links in the other direction, from the path's end to its start. */
    public int[] reverseArcs() {
        int[] reversed = new int[arcs.length];
        for (int i = 0; i < arcs.length; i++) {
            reversed[i] = Graph.reverse(arcs[arcs.length - 1 - i]);
        }
        return reversed;
    }

    /** Returns the arc at a place, from 0 to {@code hops() - 1}. */
    public int arc(int index) {
        return arcs[index];
    }

    /** Returns the nodes from first to last: a copy, one longer than {@link #arcs()}. */
    public int[] nodes() {
        return nodes.clone();
    }

    /** Returns the node at a place, from 0 to {@code hops()}. */
    public int node(int index) {
        return nodes[index];
    }

    /** Returns the number of arcs. */
    public int hops() {
        return arcs.length;
    }

    /** Returns the node where the path starts. */
    public int source() {
        return nodes[0];
    }

    /** Returns the node where the path ends. */
    public int target() {
        return nodes[arcs.length];
    }

    /** Returns the bottleneck, the smallest capacity of an arc, in bit/s. */
    public double capacity() {
        return capacity;
    }

    /** Returns the smallest residual bandwidth of an arc when the path was found, in bit/s. */
    public double residual() {
        return residual;
    }

    /**
     * Returns the delay in milliseconds: the sum over its arcs, or over those of the way back if that is more. An arc whose
     * delay is unknown counts as 0.
     */
    public double delayMillis() {
        return delay;
    }

    /** Says whether the path takes a link, in whichever direction. */
    public boolean usesLink(int link) {
        for (int arc : arcs) {
            if (arc >> 1 == link) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Path && Arrays.equals(arcs, ((Path) other).arcs)
                && Arrays.equals(nodes, ((Path) other).nodes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(arcs);
    }

    /** Returns the nodes, joined by hyphens. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes.length; i++) {
            text.append(i == 0 ? "" : "-").append(nodes[i]);
        }
        return text.toString();
    }
}
