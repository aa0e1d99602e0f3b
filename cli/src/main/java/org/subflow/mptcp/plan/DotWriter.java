// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.PlacedSubflow;

/**
 * A drawing for Graphviz. Links are grey, with their capacity in Mbit/s (both, if the directions differ). Each hop of each
 * subflow is an arrow with the subflow's expected throughput in Mbit/s. Each connection has a colour; backups are dashed.
 */
final class DotWriter implements PlanWriter {
    /** Number of colours in Graphviz's scheme {@code dark28}. */
    private static final int COLOURS = 8;

    @Override
    public void write(Plan plan, Writer out) throws IOException {
        Topology topology = plan.topology;
        out.write("digraph " + quoted(topology.name()) + " {\n");
        out.write("  node [shape=box]\n");
        out.write("  edge [colorscheme=dark28]\n");
        for (int node = 0; node < topology.nodes().size(); node++) {
            String label = topology.label(node) == null ? "" : " [label=" + quoted(topology.label(node)) + "]";
            out.write("  " + quoted(topology.name(node)) + label + "\n");
        }
        Graph graph = topology.graph();
        for (int link = 0; link < graph.linkCount(); link++) {
            writeLink(topology, 2 * link, out);
        }
        for (int c = 0; c < plan.connections.size(); c++) {
            PlannedConnection connection = plan.connections.get(c);
            for (int s = 0; s < connection.subflows.size(); s++) {
                PlacedSubflow subflow = connection.subflows.get(s);
                String label = connection.request.id + "." + (s + 1) + " " + rate(subflow.expected().up());
                String style = subflow.isActive() ? "" : ", style=dashed";
                for (int arc : subflow.path().get().arcs()) {
                    writeArrow(topology, arc, "color=" + (c % COLOURS + 1) + ", label=" + quoted(label + suffix(topology, arc))
                            + style, out);
                }
            }
        }
        out.write("}\n");
    }

    private static void writeLink(Topology topology, int arc, Writer out) throws IOException {
        Graph graph = topology.graph();
        String there = rate(graph.capacity(arc));
        String back = rate(graph.capacity(Graph.reverse(arc)));
        writeArrow(topology, arc, "dir=none, color=\"#bbbbbb\", label="
                + quoted((there.equals(back) ? there : there + "/" + back) + suffix(topology, arc)), out);
    }

    private static void writeArrow(Topology topology, int arc, String attributes, Writer out) throws IOException {
        Graph graph = topology.graph();
        out.write("  " + quoted(topology.name(graph.tail(arc))) + " -> " + quoted(topology.name(graph.head(arc))) + " ["
                + attributes + "]\n");
    }

    private static String suffix(Topology topology, int arc) {
        String key = topology.key(Graph.linkOf(arc));
        return key == null ? "" : " [" + key + "]";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String rate(double bitPerSecond) {
        String text = String.format(Locale.ROOT, "%.3f", Mbps.of(bitPerSecond));
        return text.replaceFirst("\\.?0+$", "");
    }
}
