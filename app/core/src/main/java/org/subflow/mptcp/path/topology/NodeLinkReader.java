// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads node-link JSON as networkx writes it: {@code {"directed": false, "nodes": [{"id": "a"}], "links": [{"source": "a",
 * "target": "b", "capacityMbps": 10.0}]}}, or {@code "edges"} for {@code "links"}.
 *
 * <p>An undirected link has its capacity in each direction. A directed file lists each direction. Two that match become one
 * link; one without a match becomes a link with no capacity backwards. Several links may join the same nodes, unless the file
 * says {@code "multigraph": false}; a {@code "key"} tells them apart, and joins the directions of a link. The reader works
 * token by token, so a file of a million links takes little memory. It
 * skips unknown fields.
 *
 * <p>A node may have a {@code "label"}. A document with both lists of links tells the same links in both; each counts once.
 * Speeds of the Internet Topology Zoo count as in its GraphML ({@link LinkFields#attribute}).
 *
 * <p>A link may have {@code "delayMillis": 5.0}, unknown otherwise, and {@code "srlg": ["duct-1"]}, the names of its
 * shared-risk link groups.
 *
 * <p>{@code "pairs": [[["a", "b"], "c"]]} attaches a client h1 to the nodes a and b, by an interface each, and a server h2 to
 * c. In a file with such a host all hosts can be named as nodes.
 */
public final class NodeLinkReader {
    private final String name;
    private final TopologyBuilder topology;
    private boolean directed;
    private boolean parallel = true;
    private boolean nodesSeen;
    private boolean edgesSeen;

    private NodeLinkReader(String name, double defaultMbps) {
        this.name = name;
        this.topology = new TopologyBuilder(name, "line", defaultMbps);
    }

    /**
     * Reads a topology.
     *
     * @param name        what to call it; error messages start with that
     * @param in          the JSON text in UTF-8; not closed
     * @param defaultMbps capacity of links that give none, in Mbit/s; not a number if each must give one
     * @return the topology
     * @throws IllegalArgumentException if the text is not node-link JSON; the message names the line or the link
     * @throws IOException              if reading fails
     */
    public static Topology read(String name, InputStream in, double defaultMbps) throws IOException {
        NodeLinkReader reader = new NodeLinkReader(name, defaultMbps);
        // networkx writes NaN and Infinity. They are read here, so that the message about them can name the link.
        JsonFactory factory = new JsonFactory().disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature());
        try (JsonParser json = factory.createParser(in)) {
            reader.readDocument(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(name + ": not JSON"
                    + (e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr()) + ": "
                    + e.getOriginalMessage(), e);
        }
        return reader.topology.build(reader.directed, reader.parallel);
    }

    private void readDocument(JsonParser json) throws IOException {
        expect(json, json.nextToken(), JsonToken.START_OBJECT, "an object with nodes and links");
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            JsonToken value = json.nextToken();
            switch (field) {
                case "directed":
                    directed = flag(json, field);
                    break;
                case "multigraph":
                    parallel = flag(json, field);
                    break;
                case "nodes":
                    nodesSeen = true;
                    readArray(json, value, field, this::readNode);
                    break;
                case "links":
                case "edges":
                    edgesSeen = true;
                    topology.nextList();
                    readArray(json, value, field, this::readEdge);
                    break;
                case "pairs":
                    readPairs(json, value);
                    break;
                default:
                    json.skipChildren();
            }
        }
        if (json.nextToken() != null) {
            throw bad(line(json), "there is more after the object with nodes and links");
        }
        if (!nodesSeen || !edgesSeen) {
            throw new IllegalArgumentException(name + ": there is no \"" + (nodesSeen ? "links" : "nodes") + "\" list");
        }
    }

    private boolean flag(JsonParser json, String field) {
        if (!json.currentToken().isBoolean()) {
            throw bad(line(json), "\"" + field + "\" must be true or false");
        }
        return json.currentToken() == JsonToken.VALUE_TRUE;
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
        String label = null;
        int line = line(json);
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            json.nextToken();
            if (field.equals("id")) {
                id = scalar(json, "a node's id");
            } else if (field.equals("label") && json.currentToken().isScalarValue()) {
                label = json.getValueAsString();
            } else {
                json.skipChildren();
            }
        }
        if (id == null) {
            throw bad(line, "a node has no \"id\"");
        }
        topology.node(id, label, line);
    }

    private void readEdge(JsonParser json) throws IOException {
        String source = null;
        String target = null;
        LinkFields fields = new LinkFields();
        int line = line(json);
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.getCurrentName();
            json.nextToken();
            switch (field) {
                case "source":
                    source = scalar(json, "a link's source");
                    break;
                case "target":
                    target = scalar(json, "a link's target");
                    break;
                case "key":
                    fields.key(scalar(json, "a link's key"));
                    break;
                case "capacityMbps":
                    fields.capacityMbps(number(json, field));
                    break;
                case "delayMillis":
                    fields.delayMillis(number(json, field));
                    break;
                case "srlg":
                    readArrayOfNames(json, fields);
                    break;
                default:
                    readOther(json, field, fields, line);
            }
        }
        if (source == null || target == null) {
            throw bad(line, "a link has no \"" + (source == null ? "source" : "target") + "\"");
        }
        topology.link(source, target, fields, line);
    }

    /** Takes the speeds of the Internet Topology Zoo; skips what it does not know. */
    private void readOther(JsonParser json, String field, LinkFields fields, int line) throws IOException {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            json.skipChildren();
            return;
        }
        try {
            fields.attribute(field, json.getText());
        } catch (IllegalArgumentException e) {
            throw bad(line, "a link " + e.getMessage());
        }
    }

    private void readArrayOfNames(JsonParser json, LinkFields fields) throws IOException {
        expect(json, json.currentToken(), JsonToken.START_ARRAY, "a list of names in srlg");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            fields.group(scalar(json, "a shared-risk link group"));
        }
    }

    private void readPairs(JsonParser json, JsonToken value) throws IOException {
        expect(json, value, JsonToken.START_ARRAY, "a list of pairs");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json, json.currentToken(), JsonToken.START_ARRAY, "a pair in pairs: client's node and server's node");
            int line = line(json);
            json.nextToken();
            List<String> client = homes(json);
            json.nextToken();
            List<String> server = homes(json);
            expect(json, json.nextToken(), JsonToken.END_ARRAY, "two nodes, or lists of nodes, in a pair");
            topology.pair(client, server, line);
        }
    }

    /** Reads a node, or a list of nodes. */
    private List<String> homes(JsonParser json) throws IOException {
        List<String> homes = new ArrayList<>();
        if (json.currentToken() != JsonToken.START_ARRAY) {
            homes.add(scalar(json, "a host's node"));
            return homes;
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            homes.add(scalar(json, "a host's node"));
        }
        return homes;
    }

    private String scalar(JsonParser json, String what) throws IOException {
        if (!json.currentToken().isScalarValue() || json.currentToken() == JsonToken.VALUE_NULL) {
            throw bad(line(json), what + " must be text or a number");
        }
        return json.getText();
    }

    private Double number(JsonParser json, String field) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (!json.currentToken().isNumeric()) {
            throw bad(line(json), field + " must be a number, not " + json.getText());
        }
        return json.getDoubleValue();
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
