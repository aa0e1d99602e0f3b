// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads a network of SNDlib in XML (Orlowski et al., Networks 55, 2010). A link's capacity is that of its preinstalled module,
 * both ways, in Mbit/s; without one it has none. A demand is its value times its routing unit.
 */
final class SndlibReader implements Xml.Elements {
    private final String name;
    private final TopologyBuilder topology;
    private final List<FileDemand> demands = new ArrayList<>();
    private int links;
    private boolean rootSeen;

    private SndlibReader(String name, double defaultMbps) {
        this.name = name;
        this.topology = new TopologyBuilder(name, "link", defaultMbps);
    }

    static TopologyFile read(String name, Path file, double defaultMbps) throws IOException {
        SndlibReader reader = new SndlibReader(name, defaultMbps);
        Xml.read(name, file, "SNDlib's XML", reader);
        return new TopologyFile(reader.topology.build(false, true), reader.demands);
    }

    @Override
    public void begin(XMLStreamReader xml) throws XMLStreamException {
        if (!rootSeen) {
            rootSeen = true;
        } else if (xml.getLocalName().equals("node")) {
            topology.node(id(xml), links);
        } else if (xml.getLocalName().equals("link")) {
            readLink(xml);
        } else if (xml.getLocalName().equals("demand")) {
            readDemand(xml);
        }
    }

    private void readLink(XMLStreamReader xml) throws XMLStreamException {
        links++;
        String id = id(xml);
        Map<String, String> values = values(xml, "link");
        LinkFields fields = new LinkFields().key(id);
        if (values.containsKey("preInstalledModule/capacity")) {
            fields.capacityMbps(number(xml, values, "preInstalledModule/capacity"));
        }
        topology.link(value(xml, values, "source"), value(xml, values, "target"), fields, links);
    }

    private void readDemand(XMLStreamReader xml) throws XMLStreamException {
        String id = id(xml);
        Map<String, String> values = values(xml, "demand");
        double unit = values.containsKey("routingUnit") ? number(xml, values, "routingUnit") : 1;
        demands.add(new FileDemand(id, value(xml, values, "source"), value(xml, values, "target"),
                                   unit * number(xml, values, "demandValue")));
    }

    /** Reads the texts of all elements inside, by their names; those within modules have the module's name before theirs. */
    private static Map<String, String> values(XMLStreamReader xml, String outer) throws XMLStreamException {
        Map<String, String> values = new HashMap<>();
        String module = "";
        while (true) {
            int event = xml.next();
            if (event == XMLStreamReader.END_ELEMENT && xml.getLocalName().equals(outer)) {
                return values;
            }
            if (event == XMLStreamReader.START_ELEMENT) {
                String element = xml.getLocalName();
                if (element.endsWith("Module") || element.endsWith("Modules") || element.endsWith("Paths")) {
                    module = element + "/";
                } else if (!element.endsWith("Path")) {
                    values.putIfAbsent(module + element, Xml.text(xml));
                }
            } else if (event == XMLStreamReader.END_ELEMENT && module.startsWith(xml.getLocalName())) {
                module = "";
            }
        }
    }

    private String id(XMLStreamReader xml) {
        String id = xml.getAttributeValue(null, "id");
        if (id == null) {
            throw Xml.bad(name, xml, "<" + xml.getLocalName() + "> has no id");
        }
        return id;
    }

    private String value(XMLStreamReader xml, Map<String, String> values, String field) {
        if (!values.containsKey(field)) {
            throw Xml.bad(name, xml, "a <" + xml.getLocalName() + "> ends here without a " + field);
        }
        return values.get(field);
    }

    private double number(XMLStreamReader xml, Map<String, String> values, String field) {
        String text = value(xml, values, field);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw Xml.bad(name, xml, field + " is '" + text + "', which is no number");
        }
    }
}
