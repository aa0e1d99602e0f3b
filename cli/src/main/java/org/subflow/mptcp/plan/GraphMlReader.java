// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jgrapht.alg.util.Pair;
import org.jgrapht.alg.util.Triple;
import org.jgrapht.nio.Attribute;
import org.jgrapht.nio.ImportException;
import org.jgrapht.nio.graphml.GraphMLEventDrivenImporter;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;
import org.xml.sax.SAXParseException;

/**
 * Reads GraphML with JGraphT's importer: nodes, edges and their capacities. The attribute of an edge is {@code capacityMbps}
 * or, as in the Internet Topology Zoo, {@code LinkSpeedRaw} in bit/s. If an edge has both, the former counts. The
 * attribute {@code key} tells parallel edges apart. {@code delayMillis} is the delay. {@code srlg} has the names of shared-risk
 * link groups, with commas between them.
 *
 * <p>{@code edgedefault} says whether edges are directed; a {@code directed} attribute of a single edge is ignored. The
 * importer does not report {@code edgedefault}. So a first pass reads that and the encoding. External entities and DTDs are
 * not loaded.
 */
final class GraphMlReader {
    private static final String CAPACITY = "capacityMbps";
    private static final String LINK_SPEED = "LinkSpeedRaw";
    private static final String KEY = "key";
    private static final String DELAY = "delayMillis";
    private static final String GROUPS = "srlg";
    private static final double BITS_PER_MEGABIT = 1e6;
    /** Largest header in octets: the keys stand before the graph, and no file has more of them. */
    private static final int LONGEST_HEADER = 1 << 20;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String name;
    /** A byte order mark in UTF-8, octet by octet. */
    private static final String UTF_8_MARK = "\u00ef\u00bb\u00bf";
    /** The importer's message about an edge to an unknown node. */
    private static final Pattern UNKNOWN_NODE = Pattern.compile("(?:Source|Target) vertex (.*) not found");

    private final TopologyBuilder topology;
    private Triple<String, String, Double> edge;
    private int edges;
    private LinkFields fields = new LinkFields();
    private Double capacityMbps;
    private Double linkSpeedMbps;

    private GraphMlReader(String name, double defaultMbps) {
        this.name = name;
        this.topology = new TopologyBuilder(name, "edge", defaultMbps);
    }

    /**
     * Reads a topology.
     *
     * @param name        what to call it; error messages start with that
     * @param in          the file; must support {@link InputStream#mark}; not closed
     * @param defaultMbps capacity of links that give none, in Mbit/s; not a number if each must give one
     * @return the topology
     * @throws InputException           if it is not GraphML; the message names the line
     * @throws IllegalArgumentException if it is not a topology; the message names the edge by its number
     * @throws IOException              if reading fails
     */
    static Topology read(String name, InputStream in, double defaultMbps) throws IOException {
        GraphMlReader reader = new GraphMlReader(name, defaultMbps);
        Header header = reader.readHeader(in);
        reader.readGraph(in, header.encoding);
        return reader.topology.build(header.directed, true);
    }

    private static final class Header {
        private final boolean directed;
        private final String encoding;

        Header(boolean directed, String encoding) {
            this.directed = directed;
            this.encoding = encoding;
        }
    }

    private Header readHeader(InputStream in) throws IOException {
        in.mark(LONGEST_HEADER + 1);
        byte[] start = in.readNBytes(LONGEST_HEADER);
        in.reset();
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text(start)));
            while (xml.hasNext()) {
                if (xml.next() == XMLStreamConstants.START_ELEMENT && xml.getLocalName().equals("graph")) {
                    return new Header("directed".equals(xml.getAttributeValue(null, "edgedefault")), encoding(xml, start));
                }
            }
        } catch (XMLStreamException e) {
            throw new InputException(name + ", line " + e.getLocation().getLineNumber() + ": not GraphML: " + plain(e), e);
        }
        throw new InputException(name + ": not GraphML: there is no <graph>");
    }

    /**
     * Decodes a header, octet by octet unless it is UTF-16: its elements and attributes are ASCII. The parser itself would
     * print a line on standard error if an octet did not fit the encoding.
     */
    private static String text(byte[] start) {
        if (isUtf16(start)) {
            return new String(start, StandardCharsets.UTF_16);
        }
        String text = new String(start, StandardCharsets.ISO_8859_1);
        return text.startsWith(UTF_8_MARK) ? text.substring(UTF_8_MARK.length()) : text;
    }

    private static boolean isUtf16(byte[] start) {
        return start.length > 1 && (start[0] == (byte) 0xfe && start[1] == (byte) 0xff
                || start[0] == (byte) 0xff && start[1] == (byte) 0xfe);
    }

    private static String encoding(XMLStreamReader xml, byte[] start) {
        return isUtf16(start) ? "UTF-16" : xml.getCharacterEncodingScheme() != null ? xml.getCharacterEncodingScheme() : "UTF-8";
    }

    private void readGraph(InputStream in, String encoding) throws IOException {
        // Forbids the importer's parser to load external DTDs. It has no other setting for that.
        System.setProperty("javax.xml.accessExternalDTD", "");
        GraphMLEventDrivenImporter importer = new GraphMLEventDrivenImporter();
        importer.setSchemaValidation(false);
        importer.addVertexConsumer(node -> topology.node(node, edges));
        importer.addEdgeConsumer(this::beginEdge);
        importer.addEdgeAttributeConsumer(this::takeAttribute);
        try {
            importer.importInput(withoutByteOrderMark(new BufferedReader(new InputStreamReader(in, encoding))));
            endEdge();
        } catch (ImportException e) {
            throw explained(e);
        }
    }

    private static Reader withoutByteOrderMark(BufferedReader reader) throws IOException {
        reader.mark(1);
        if (reader.read() != BYTE_ORDER_MARK) {
            reader.reset();
        }
        return reader;
    }

    private void beginEdge(Triple<String, String, Double> next) {
        endEdge();
        edge = next;
        edges++;
    }

    private void takeAttribute(Pair<Triple<String, String, Double>, String> named, Attribute attribute) {
        String name = named.getSecond();
        if (name.equals(CAPACITY)) {
            capacityMbps = number(CAPACITY, attribute);
        } else if (name.equals(LINK_SPEED)) {
            linkSpeedMbps = number(LINK_SPEED, attribute) / BITS_PER_MEGABIT;
        } else if (name.equals(KEY)) {
            fields.key(attribute.getValue());
        } else if (name.equals(DELAY)) {
            fields.delayMillis(number(DELAY, attribute));
        } else if (name.equals(GROUPS)) {
            Arrays.stream(attribute.getValue().split(",")).map(String::trim).filter(group -> !group.isEmpty())
                    .forEach(fields::group);
        }
    }

    private double number(String field, Attribute attribute) {
        try {
            return Double.parseDouble(attribute.getValue().trim());
        } catch (NumberFormatException e) {
            throw new InputException(name + ", edge " + edges + ": link " + edge.getFirst() + "–" + edge.getSecond()
                    + " has " + field + " '" + attribute.getValue() + "', which is no number", e);
        }
    }

    /** Adds the edge whose attributes the importer has all reported. */
    private void endEdge() {
        if (edge != null) {
            topology.link(edge.getFirst(), edge.getSecond(),
                    fields.capacityMbps(capacityMbps == null ? linkSpeedMbps : capacityMbps), edges);
        }
        edge = null;
        fields = new LinkFields();
        capacityMbps = null;
        linkSpeedMbps = null;
    }

    /** Returns an exception with the cause that has a useful message: the importer wraps it in others. */
    private RuntimeException explained(ImportException thrown) {
        String message = thrown.getMessage();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof InputException || cause instanceof IllegalArgumentException) {
                return (RuntimeException) cause;
            }
            if (cause instanceof SAXParseException) {
                return new InputException(name + ", line " + ((SAXParseException) cause).getLineNumber()
                        + ": not GraphML: " + cause.getMessage(), thrown);
            }
            message = cause.getMessage() == null ? message : cause.getMessage();
        }
        Matcher unknown = UNKNOWN_NODE.matcher(message);
        if (unknown.matches()) {
            // The importer has not reported the edge yet.
            return new InputException(name + ", edge " + (edges + 1) + ": no node '" + unknown.group(1) + "'", thrown);
        }
        return new InputException(name + ": not GraphML: " + message, thrown);
    }

    /** Returns the parser's message without the place, which stands before it on a line of its own. */
    private static String plain(XMLStreamException e) {
        String message = e.getMessage();
        int from = message.indexOf("Message: ");
        return from < 0 ? message : message.substring(from + "Message: ".length());
    }
}
