// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

/**
 * A graph with every node split in two, joined by an arc that only one path can take: link-disjoint paths in it are
 * node-disjoint paths in the original.
 *
 * <p>Node {@code v} becomes {@code 2v}, where arcs arrive, and {@code 2v + 1}, where they leave. Link {@code v} of the
 * split graph joins the two; arc {@code a} of the original becomes link {@code n + a}. So the split arc of {@code a} is
 * {@code 2(n + a)}, and the odd arcs exist only for cancelled units.
 */
final class SplitGraph {
    private SplitGraph() {
    }

    static Graph of(Graph graph) {
        Graph.Builder split = Graph.builder(2 * graph.nodeCount());
        for (int v = 0; v < graph.nodeCount(); v++) {
            split.link(in(v), out(v), 0);
        }
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            split.link(out(graph.tail(arc)), in(graph.head(arc)), 0);
        }
        return split.build();
    }

    static int in(int node) {
        return 2 * node;
    }

    static int out(int node) {
        return 2 * node + 1;
    }
}
