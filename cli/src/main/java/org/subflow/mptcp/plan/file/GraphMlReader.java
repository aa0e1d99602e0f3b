// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads GraphML: nodes with a {@code label} (or yEd's), edges with the attributes of {@link LinkFields#attribute}. An edge is
 * directed as its {@code directed} says, else as its graph's {@code edgedefault}. Nodes of graphs within nodes are nodes as any.
 */
final class GraphMlReader implements Xml.Elements {
    private static final Set<String> TYPES = Set.of("boolean", "int", "integer", "long", "float", "double", "string");
    private static final String FORM = "GraphML";

    private final String name;
    private final TopologyBuilder topology;
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Deque<Boolean> directed = new ArrayDeque<>();
    private boolean graphSeen;
    private int edges;

    /** What a {@code <key>} declares. */
    private static final class Key {
        private final String attribute;
        private final String domain;
        private String byDefault;

        Key(String attribute, String domain) {
            this.attribute = attribute;
            this.domain = domain == null ? "all" : domain;
        }

        boolean isFor(String element) {
            return attribute != null && (domain.equals("all") || domain.equals(element));
        }
    }

    private GraphMlReader(String name, double defaultMbps) {
        this.name = name;
        this.topology = new TopologyBuilder(name, "edge", defaultMbps);
    }

    static Topology read(String name, Path file, double defaultMbps) throws IOException {
        GraphMlReader reader = new GraphMlReader(name, defaultMbps);
        Xml.read(name, file, FORM, reader);
        if (!reader.graphSeen) {
            throw new IllegalArgumentException(name + ": not GraphML: there is no <graph>");
        }
        return reader.topology.build(false, true);
    }

    @Override
    public void begin(XMLStreamReader xml) throws XMLStreamException {
        switch (xml.getLocalName()) {
            case "key":
                readKey(xml);
                break;
            case "graph":
                graphSeen = true;
                directed.push("directed".equals(xml.getAttributeValue(null, "edgedefault")));
                break;
            case "node":
                readNode(xml);
                break;
            case "edge":
                readEdge(xml);
                break;
            case "hyperedge":
                throw Xml.bad(name, xml, "a hyperedge joins more than two nodes: no link of a network does");
            default:
        }
    }

    @Override
    public void end(XMLStreamReader xml) {
        if (xml.getLocalName().equals("graph")) {
            directed.pop();
        }
    }

    private void readKey(XMLStreamReader xml) throws XMLStreamException {
        String type = xml.getAttributeValue(null, "attr.type");
        if (type != null && !TYPES.contains(type)) {
            throw Xml.bad(name, xml, "attr.type '" + type + "' is none of boolean, int, long, float, double and string");
        }
        String id = attribute(xml, "id");
        Key key = new Key(xml.getAttributeValue(null, "attr.name"), xml.getAttributeValue(null, "for"));
        keys.put(id, key);
        while (nextInside(xml, "key")) {
            if (xml.getLocalName().equals("default")) {
                key.byDefault = Xml.text(xml);
            }
        }
    }

    private void readNode(XMLStreamReader xml) throws XMLStreamException {
        String id = attribute(xml, "id");
        Map<String, String> values = defaults("node");
        String drawn = null;
        while (nextInside(xml, "node")) {
            if (xml.getLocalName().equals("data")) {
                Key key = keys.get(xml.getAttributeValue(null, "key"));
                if (key != null && key.attribute != null) {
                    values.put(key.attribute, Xml.text(xml));
                }
            } else if (xml.getLocalName().equals("NodeLabel") && drawn == null) {
                // yEd draws it in the node.
                drawn = Xml.text(xml);
            } else if (xml.getLocalName().equals("graph")) {
                // The node is a group: what follows are its members, and the group itself is none.
                begin(xml);
                return;
            }
        }
        topology.node(id, values.getOrDefault("label", drawn), edges);
    }

    private void readEdge(XMLStreamReader xml) throws XMLStreamException {
        edges++;
        String source = attribute(xml, "source");
        String target = attribute(xml, "target");
        String oneWay = xml.getAttributeValue(null, "directed");
        Map<String, String> values = defaults("edge");
        while (nextInside(xml, "edge")) {
            Key key = xml.getLocalName().equals("data") ? keys.get(xml.getAttributeValue(null, "key")) : null;
            if (key != null && key.attribute != null) {
                values.put(key.attribute, Xml.text(xml));
            }
        }
        LinkFields fields = new LinkFields().oneWay(oneWay == null ? Boolean.TRUE.equals(directed.peek()) : oneWay.equals("true"));
        values.forEach((field, value) -> {
            try {
                fields.attribute(field, value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + ", edge " + edges + ": link " + source + "–" + target + " "
                                                   + e.getMessage(), e);
            }
        });
        topology.link(source, target, fields, edges);
    }

    private Map<String, String> defaults(String element) {
        Map<String, String> values = new HashMap<>();
        for (Key key : keys.values()) {
            if (key.isFor(element) && key.byDefault != null) {
                values.put(key.attribute, key.byDefault);
            }
        }
        return values;
    }

    private String attribute(XMLStreamReader xml, String attribute) {
        String value = xml.getAttributeValue(null, attribute);
        if (value == null) {
            throw Xml.bad(name, xml, "<" + xml.getLocalName() + "> has no " + attribute);
        }
        return value;
    }

    /** Goes to the next element within the one of that name; returns whether there is one. */
    private static boolean nextInside(XMLStreamReader xml, String outer) throws XMLStreamException {
        while (true) {
            int event = xml.next();
            if (event == XMLStreamReader.START_ELEMENT) {
                return true;
            }
            if (event == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals(outer)) {
                return false;
            }
        }
    }
}
