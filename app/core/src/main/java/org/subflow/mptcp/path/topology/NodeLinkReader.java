// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.Graph;

/**
 * Reads node-link JSON as networkx writes it: {@code {"directed": false, "nodes": [{"id": "a"}], "links": [{"source": "a",
 * "target": "b", "capacityMbps": 10.0}]}}, or {@code "edges"} for {@code "links"}.
 *
 * <p>An undirected link has its capacity in each direction. A directed file lists each direction; two that match become one
 * link, one without a match a link with no capacity backwards. Reads token by token, so that a file of a million links is
 * no burden. Fields it does not know are skipped.
 */
public final class NodeLinkReader {
    private static final double BITS_PER_MEGABIT = 1e6;

    private final String name;
    private final double defaultMbps;
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private boolean directed;
    private boolean nodesSeen;
    private boolean edgesSeen;

    private static final class Edge {
        private String source;
        private String target;
        private double mbps = Double.NaN;
        private int line;

        @Override
        public String toString() {
            return "link " + source + "–" + target;
        }
    }

    private NodeLinkReader(String name, double defaultMbps) {
        this.name = name;
        this.defaultMbps = defaultMbps;
    }

    /**
     * Reads a topology.
     *
     * @param name        what to call it; error messages start with that
     * @param in          the JSON text in UTF-8; not closed
     * @param defaultMbps capacity of links that give none, in Mbit/s; not a number if each must give one
     * @return the topology
     * @throws IllegalArgumentException if the text is no such JSON; the message names the line or the link
     * @throws IOException              if reading fails
     */
    public static Topology read(String name, InputStream in, double defaultMbps) throws IOException {
        NodeLinkReader reader = new NodeLinkReader(name, defaultMbps);
        try (JsonParser json = new JsonFactory().disable(JsonParser.Feature.AUTO_CLOSE_SOURCE).createParser(in)) {
            reader.readDocument(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(name + ": not JSON"
                    + (e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr()) + ": "
                    + e.getOriginalMessage(), e);
        }
        return reader.build();
    }

    private void readDocument(JsonParser json) throws IOException {
        expect(json, json.nextToken(), JsonToken.START_OBJECT, "an object with nodes and links");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            JsonToken value = json.nextToken();
            switch (field) {
                case "directed":
                    directed = value == JsonToken.VALUE_TRUE;
                    break;
                case "nodes":
                    nodesSeen = true;
                    readArray(json, value, field, this::readNode);
                    break;
                case "links":
                case "edges":
                    edgesSeen = true;
                    readArray(json, value, field, this::readEdge);
                    break;
                default:
                    json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            throw bad(line(json), "there is more after the object with nodes and links");
        }
    }

    private interface ItemReader {
        void read(JsonParser json) throws IOException;
    }

    private void readArray(JsonParser json, JsonToken value, String field, ItemReader item) throws IOException {
        expect(json, value, JsonToken.START_ARRAY, "a list of " + field);
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json, json.currentToken(), JsonToken.START_OBJECT, "an object in " + field);
            item.read(json);
        }
    }

    private void readNode(JsonParser json) throws IOException {
        String id = null;
        int line = line(json);
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            json.nextToken();
            if (field.equals("id")) {
                id = scalar(json, "a node's id");
            } else {
                json.skipChildren();
            }
        }
        if (id == null) {
            throw bad(line, "a node has no \"id\"");
        }
        if (ids.putIfAbsent(id, nodes.size()) != null) {
            throw bad(line, "node '" + id + "' comes twice");
        }
        nodes.add(id);
    }

    private void readEdge(JsonParser json) throws IOException {
        Edge edge = new Edge();
        edge.line = line(json);
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            json.nextToken();
            switch (field) {
                case "source":
                    edge.source = scalar(json, "a link's source");
                    break;
                case "target":
                    edge.target = scalar(json, "a link's target");
                    break;
                case "capacityMbps":
                    edge.mbps = number(json);
                    break;
                default:
                    json.skipChildren();
            }
        }
        if (edge.source == null || edge.target == null) {
            throw bad(edge.line, "a link has no \"" + (edge.source == null ? "source" : "target") + "\"");
        }
        edges.add(edge);
    }

    private String scalar(JsonParser json, String what) throws IOException {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            throw bad(line(json), what + " must be text or a number");
        }
        // Nodes share one instance of their name with all their links.
        String text = json.getText();
        Integer id = ids.get(text);
        return id == null ? text : nodes.get(id);
    }

    private double number(JsonParser json) throws IOException {
        if (!json.currentToken().isNumeric()) {
            throw bad(line(json), "capacityMbps must be a number, not " + json.getText());
        }
        return json.getDoubleValue();
    }

    private Topology build() {
        if (!nodesSeen || !edgesSeen) {
            throw new IllegalArgumentException(name + ": there is no \"" + (nodesSeen ? "links" : "nodes") + "\" list");
        }
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(name + ": there is no node");
        }
        Graph.Builder builder = Graph.builder(nodes.size());
        if (directed) {
            addMatched(builder);
        } else {
            for (Edge edge : edges) {
                add(builder, edge, mbps(edge));
            }
        }
        return new Topology(name, nodes, builder.build());
    }

    /** Joins each direction with the next one the other way that has no partner yet. */
    private void addMatched(Graph.Builder builder) {
        Map<List<Integer>, Deque<Edge>> waiting = new HashMap<>();
        for (Edge edge : edges) {
            waiting.computeIfAbsent(List.of(id(edge, edge.source), id(edge, edge.target)), key -> new ArrayDeque<>())
                    .add(edge);
        }
        for (Edge edge : edges) {
            int source = id(edge, edge.source);
            int target = id(edge, edge.target);
            if (source != target && waiting.get(List.of(source, target)).peek() != edge) {
                continue;
            }
            waiting.get(List.of(source, target)).poll();
            Deque<Edge> back = waiting.get(List.of(target, source));
            Edge partner = back == null ? null : back.poll();
            add(builder, edge, partner == null ? 0 : mbps(partner));
        }
    }

    private void add(Graph.Builder builder, Edge edge, double backwardMbps) {
        try {
            builder.link(id(edge, edge.source), id(edge, edge.target), mbps(edge) * BITS_PER_MEGABIT,
                    backwardMbps * BITS_PER_MEGABIT);
        } catch (IllegalArgumentException e) {
            throw bad(edge.line, e.getMessage());
        }
    }

    private int id(Edge edge, String node) {
        Integer id = ids.get(node);
        if (id == null) {
            throw bad(edge.line, edge + " names node '" + node
                    + "', which is not in \"nodes\"");
        }
        return id;
    }

    private double mbps(Edge edge) {
        double mbps = Double.isNaN(edge.mbps) ? defaultMbps : edge.mbps;
        if (Double.isNaN(mbps)) {
            throw bad(edge.line, edge + " gives no capacityMbps");
        }
        if (mbps < 0 || Double.isInfinite(mbps * BITS_PER_MEGABIT)) {
            throw bad(edge.line, edge + " has capacity " + mbps + " Mbit/s; it must be 0 or more");
        }
        if (edge.source.equals(edge.target)) {
            throw bad(edge.line, edge + " joins a node to itself");
        }
        return mbps;
    }

    private void expect(JsonParser json, JsonToken actual, JsonToken expected, String what) {
        if (actual != expected) {
            throw bad(line(json), "expected " + what);
        }
    }

    private static int line(JsonParser json) {
        return json.getTokenLocation().getLineNr();
    }

    private IllegalArgumentException bad(int line, String what) {
        return new IllegalArgumentException(name + ", line " + line + ": " + what);
    }
}
