// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.Limitation;

/** Tables for people: connections, subflows, links. Rates in Mbit/s to three decimals. */
final class TableWriter implements PlanWriter {
    @Override
    public void write(Plan plan, Writer out) throws IOException {
        out.write("strategy " + plan.strategy + ", allocator " + plan.allocator + "; rates in Mbit/s\n\n");
        connections(plan).write(out);
        out.write("\n");
        subflows(plan).write(out);
        out.write("\n");
        links(plan).write(out);
        for (PlannedConnection connection : plan.connections) {
            if (connection.limitation != null) {
                out.write(why(connection, plan.topology));
            }
        }
        if (plan.bound != null) {
            out.write(bound(plan.bound));
        }
        out.write("\npaths in " + plan.pathMicros + " us, allocation in " + plan.allocationMicros + " us\n");
    }

    private static TextTable connections(Plan plan) {
        TextTable table = new TextTable("connection", "from", "to", "#expected", "#available", "#fair", "disjoint", "in fact");
        for (PlannedConnection connection : plan.connections) {
            table.row(connection.request.id,
                    plan.topology.shown(connection.request.source),
                    plan.topology.shown(connection.request.target),
                    rate(connection.expected),
                    rate(connection.available),
                    rate(connection.fair),
                    connection.subflows.isEmpty() ? "no path" : plan.disjointness.toString(),
                    connection.disjointIn(plan.topology.graph()).stream().map(Disjointness::toString)
                            .collect(Collectors.joining(", ")));
        }
        return table;
    }

    private static TextTable subflows(Plan plan) {
        TextTable table = new TextTable("subflow", "#bottleneck", "#expected", "role", "path");
        for (PlannedConnection connection : plan.connections) {
            for (int s = 0; s < connection.subflows.size(); s++) {
                PlacedSubflow subflow = connection.subflows.get(s);
                table.row(connection.request.id + "." + (s + 1),
                        rate(subflow.path().get().capacity()),
                        rate(subflow.expected().up()),
                        PlannedConnection.role(subflow),
                        nodes(plan.topology, subflow.path().get()));
            }
        }
        return table;
    }

    private static TextTable links(Plan plan) {
        Graph graph = plan.topology.graph();
        TextTable table = new TextTable("link", "#capacity", "#expected");
        for (int arc : plan.carrying()) {
            table.row(link(plan.topology, arc),
                    rate(graph.capacity(arc)), rate(plan.loads[arc]));
        }
        return table;
    }

    private static String nodes(Topology topology, Path path) {
        StringBuilder text = new StringBuilder(topology.shown(path.source()));
        for (int arc : path.arcs()) {
            text.append(next(topology, arc));
        }
        return text.toString();
    }

    /** Returns the node to which an arc leads, with the link's key if several join its nodes: {@code " [1]> b"}. */
    private static String next(Topology topology, int arc) {
        String key = topology.key(Graph.linkOf(arc));
        return " " + (key == null ? "" : "[" + key + "]") + "> " + topology.shown(topology.graph().head(arc));
    }

    /** Returns what limits a connection: a line for each link, and one about its paths. */
    private static String why(PlannedConnection connection, Topology topology) {
        StringBuilder text = new StringBuilder("\n" + connection.request.id + " gets " + rate(connection.expected)
                + (connection.limitation.isByDemand() ? ": all that it sends\n" : "\n"));
        for (Limitation.Link link : connection.limitation.links()) {
            text.append("  ").append(link(topology, link.arc())).append(" is full: ")
                    .append(rate(topology.graph().capacity(link.arc()))).append(", used by ")
                    .append(String.join(", ", link.connections())).append("; 1 more there would bring it ")
                    .append(rate(link.gain())).append('\n');
        }
        return text.append("  ").append(connection.limitation.cut().length).append(" disjoint paths at most: all lead over ")
                .append(Arrays.stream(connection.limitation.cut()).mapToObj(arc -> link(topology, arc))
                        .collect(Collectors.joining(", "))).append('\n').toString();
    }

    private static String link(Topology topology, int arc) {
        return topology.shown(topology.graph().tail(arc)) + next(topology, arc);
    }

    private static String rate(double bitPerSecond) {
        return String.format(Locale.ROOT, "%.3f", Mbps.of(bitPerSecond));
    }

    /** Returns a line about the best of any routing. */
    private static String bound(PlannedBound bound) {
        String smallest = bound.hasSmallest()
                ? String.format(Locale.ROOT, "; smallest share %.3f, of which %.1f %%", Mbps.of(bound.quality.boundSmallest()),
                        100 * bound.quality.smallestFraction()) : "";
        return String.format(Locale.ROOT, "\nbest of any routing: sum %.3f, of which these paths reach %.1f %%%s\n",
                Mbps.of(bound.quality.boundSum()), 100 * bound.quality.sumFraction(), smallest);
    }
}
