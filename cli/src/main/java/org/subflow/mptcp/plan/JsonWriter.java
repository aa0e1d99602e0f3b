// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.rate.Limitation;

/**
 * JSON for programs. Beside its rates, a connection has the field {@code disjoint}: the kind of disjointness that was asked of
 * its subflows' paths. {@code disjointIn} has the kinds that hold for all its active ones. A subflow without a disjoint path has
 * {@code "role": "shared"} or {@code "backup"}. Where several links join two nodes, {@code key} of a link and {@code keys} of a
 * path say which one it is. Nodes stand by their names; {@code labels} has what the file calls them for people.
 */
final class JsonWriter implements PlanWriter {
    private static final double FRACTION_STEPS = 1e6;

    @Override
    public void write(Plan plan, Writer out) throws IOException {
        JsonFactory factory = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        try (JsonGenerator json = factory.createGenerator(out)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
            json.writeStartObject();
            json.writeStringField("strategy", plan.strategy);
            json.writeStringField("allocator", plan.allocator);
            writeLabels(json, plan);
            writeConnections(json, plan);
            writeLinks(json, plan);
            if (plan.bound != null) {
                writeBound(json, plan.bound);
            }
            json.writeNumberField("pathMicros", plan.pathMicros);
            json.writeNumberField("allocationMicros", plan.allocationMicros);
            if (plan.bound != null) {
                json.writeNumberField("boundMicros", plan.bound.micros);
            }
            json.writeEndObject();
        }
        out.write("\n");
    }

    /** Writes the labels of the nodes that the plan names, if the topology has any. */
    private static void writeLabels(JsonGenerator json, Plan plan) throws IOException {
        Topology topology = plan.topology;
        int[] named = plan.connections.stream()
                .flatMapToInt(connection -> IntStream.concat(
                        IntStream.of(connection.request.source, connection.request.target),
                        connection.subflows.stream().flatMapToInt(subflow -> nodes(subflow.path().get()))))
                .distinct().sorted().filter(node -> topology.label(node) != null).toArray();
        if (named.length > 0) {
            json.writeObjectFieldStart("labels");
            for (int node : named) {
                json.writeStringField(topology.name(node), topology.label(node));
            }
            json.writeEndObject();
        }
    }

    private static IntStream nodes(Path path) {
        return IntStream.rangeClosed(0, path.hops()).map(path::node);
    }

    private static void writeConnections(JsonGenerator json, Plan plan) throws IOException {
        json.writeArrayFieldStart("connections");
        for (PlannedConnection connection : plan.connections) {
            json.writeStartObject();
            json.writeStringField("id", connection.request.id);
            json.writeStringField("source", plan.topology.name(connection.request.source));
            json.writeStringField("target", plan.topology.name(connection.request.target));
            json.writeNumberField("expectedMbps", Mbps.of(connection.expected));
            json.writeNumberField("availableMbps", Mbps.of(connection.available));
            json.writeNumberField("fairMbps", Mbps.of(connection.fair));
            if (plan.bound != null) {
                json.writeNumberField("boundMbps", Mbps.of(connection.bound));
            }
            if (connection.limitation != null) {
                writeLimitation(json, plan.topology, connection.limitation);
            }
            json.writeStringField("disjoint", plan.disjointness.toString());
            json.writeArrayFieldStart("disjointIn");
            for (Disjointness kind : connection.disjointIn(plan.topology.graph())) {
                json.writeString(kind.toString());
            }
            json.writeEndArray();
            json.writeArrayFieldStart("subflows");
            for (PlacedSubflow subflow : connection.subflows) {
                writeSubflow(json, plan.topology, subflow);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeLimitation(JsonGenerator json, Topology topology, Limitation limit) throws IOException {
        json.writeBooleanField("limitedByDemand", limit.isByDemand());
        json.writeArrayFieldStart("limitedBy");
        for (Limitation.Link link : limit.links()) {
            json.writeStartObject();
            writeEnds(json, topology, link.arc());
            json.writeNumberField("capacityMbps", Mbps.of(topology.graph().capacity(link.arc())));
            json.writeArrayFieldStart("connections");
            for (String id : link.connections()) {
                json.writeString(id);
            }
            json.writeEndArray();
            json.writeNumberField("gainMbps", Mbps.of(link.gain()));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("minimumCut");
        for (int arc : limit.cut()) {
            json.writeStartObject();
            writeEnds(json, topology, arc);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeEnds(JsonGenerator json, Topology topology, int arc) throws IOException {
        json.writeStringField("source", topology.name(topology.graph().tail(arc)));
        json.writeStringField("target", topology.name(topology.graph().head(arc)));
        if (topology.key(Graph.linkOf(arc)) != null) {
            json.writeStringField("key", topology.key(Graph.linkOf(arc)));
        }
    }

    private static void writeSubflow(JsonGenerator json, Topology topology, PlacedSubflow subflow) throws IOException {
        Path path = subflow.path().get();
        json.writeStartObject();
        json.writeArrayFieldStart("path");
        for (int i = 0; i <= path.hops(); i++) {
            json.writeString(topology.name(path.node(i)));
        }
        json.writeEndArray();
        writeKeys(json, topology, path);
        if (topology.graph().hasDelays()) {
            json.writeNumberField("delayMillis", path.delayMillis());
        }
        json.writeNumberField("bottleneckMbps", Mbps.of(path.capacity()));
        json.writeNumberField("expectedMbps", Mbps.of(subflow.expected().up()));
        if (subflow.role() != PlacedSubflow.Role.OWN) {
            json.writeStringField("role", PlannedConnection.role(subflow));
        }
        json.writeEndObject();
    }

    /** Writes which of the links between two nodes a path takes, hop by hop, if there are several anywhere on it. */
    private static void writeKeys(JsonGenerator json, Topology topology, Path path) throws IOException {
        if (Arrays.stream(path.arcs()).allMatch(arc -> topology.key(Graph.linkOf(arc)) == null)) {
            return;
        }
        json.writeArrayFieldStart("keys");
        for (int arc : path.arcs()) {
            json.writeString(topology.key(Graph.linkOf(arc)));
        }
        json.writeEndArray();
    }

    private static void writeLinks(JsonGenerator json, Plan plan) throws IOException {
        Graph graph = plan.topology.graph();
        json.writeArrayFieldStart("links");
        for (int arc : plan.carrying()) {
            json.writeStartObject();
            writeEnds(json, plan.topology, arc);
            json.writeNumberField("capacityMbps", Mbps.of(graph.capacity(arc)));
            if (!Double.isNaN(graph.delay(arc))) {
                json.writeNumberField("delayMillis", graph.delay(arc));
            }
            json.writeNumberField("expectedMbps", Mbps.of(plan.loads[arc]));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeBound(JsonGenerator json, PlannedBound bound) throws IOException {
        json.writeObjectFieldStart("bound");
        json.writeNumberField("sumMbps", Mbps.of(bound.quality.boundSum()));
        json.writeNumberField("sumFraction", rounded(bound.quality.sumFraction()));
        if (bound.hasSmallest()) {
            json.writeNumberField("smallestMbps", Mbps.of(bound.quality.boundSmallest()));
        } else {
            json.writeNullField("smallestMbps");
        }
        json.writeNumberField("smallestFraction", rounded(bound.quality.smallestFraction()));
        json.writeNumberField("error", rounded(bound.error));
        json.writeEndObject();
    }

    /** Returns a fraction to six decimals, so that rounding does not show. */
    private static double rounded(double fraction) {
        return Math.rint(fraction * FRACTION_STEPS) / FRACTION_STEPS;
    }
}
