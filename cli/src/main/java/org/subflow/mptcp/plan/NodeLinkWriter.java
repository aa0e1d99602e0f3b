// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Mbps;

/**
 * Writes a topology as node-link JSON, each direction of each link by itself. What it writes is read back as the same network;
 * hosts that stand for nodes are left out.
 */
final class NodeLinkWriter {
    private NodeLinkWriter() {
    }

    static String written(Topology topology) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter().withArrayIndenter(new DefaultIndenter("  ", "\n"))
                    .withObjectIndenter(DefaultPrettyPrinter.FixedSpaceIndenter.instance));
            json.writeStartObject();
            json.writeBooleanField("directed", true);
            json.writeBooleanField("multigraph", true);
            json.writeArrayFieldStart("nodes");
            for (int node = 0; node < topology.nodes().size(); node++) {
                json.writeStartObject();
                json.writeStringField("id", topology.name(node));
                if (topology.label(node) != null) {
                    json.writeStringField("label", topology.label(node));
                }
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("links");
            for (int arc = 0; arc < topology.graph().arcCount(); arc++) {
                // A direction without capacity is none: one-way links come from files, too.
                if (topology.graph().capacity(arc) > 0) {
                    writeDirection(json, topology, arc);
                }
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return out.append('\n').toString();
    }

    private static void writeDirection(JsonGenerator json, Topology topology, int arc) throws IOException {
        Graph graph = topology.graph();
        String key = topology.key(Graph.linkOf(arc));
        json.writeStartObject();
        json.writeStringField("source", topology.name(graph.tail(arc)));
        json.writeStringField("target", topology.name(graph.head(arc)));
        json.writeStringField("key", key == null ? "0" : key);
        json.writeNumberField("capacityMbps", Mbps.of(graph.capacity(arc)));
        if (!Double.isNaN(graph.delay(arc))) {
            json.writeNumberField("delayMillis", graph.delay(arc));
        }
        if (graph.hasGroups() && graph.groups(Graph.linkOf(arc)).length > 0) {
            json.writeArrayFieldStart("srlg");
            for (int group : graph.groups(Graph.linkOf(arc))) {
                json.writeString(Integer.toString(group));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }
}
