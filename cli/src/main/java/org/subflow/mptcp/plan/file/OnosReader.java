// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads the links of a network as ONOS tells them: {@code GET /onos/v1/links}, {@code GET /onos/v1/network/configuration}, or our
 * {@code links} and {@code topology}. The nodes are the switches. Each entry is one direction; one of the network configuration
 * without its way back holds for both. Capacities are ours, or {@code bandwidth} in Mbit/s; ONOS's {@code latency} is in
 * nanoseconds.
 */
final class OnosReader {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final Pattern LINK_KEY = Pattern.compile("(.+/[^/-]+)-(.+/[^/-]+)");

    private final TopologyBuilder topology;
    /** The switches to their names for people, null without one. */
    private final Map<String, String> switches = new LinkedHashMap<>();
    private final List<Direction> directions = new ArrayList<>();

    /** One direction of a link, with what is said of it. */
    private static final class Direction {
        private final Port source;
        private final Port target;
        private final JsonTree says;

        Direction(Port source, Port target, JsonTree says) {
            this.source = source;
            this.target = target;
            this.says = says;
        }

        /** Returns the key of its link, the same for both directions, so that parallel links keep apart. */
        String key() {
            String one = source.toString();
            String other = target.toString();
            return one.compareTo(other) < 0 ? one + "-" + other : other + "-" + one;
        }
    }

    /** A port of a switch. */
    private static final class Port {
        private final String device;
        private final String number;

        Port(String device, String number) {
            this.device = device;
            this.number = number;
        }

        static Port of(String text, JsonTree at) {
            int slash = text.lastIndexOf('/');
            if (slash <= 0) {
                throw at.bad("'" + text + "' is no port of a switch, such as of:0000000000000001/2");
            }
            return new Port(text.substring(0, slash), text.substring(slash + 1));
        }

        @Override
        public String toString() {
            return device + "/" + number;
        }
    }

    private OnosReader(String name, double defaultMbps) {
        this.topology = new TopologyBuilder(name, "line", defaultMbps);
    }

    static Topology read(String name, JsonTree document, double defaultMbps) {
        return new OnosReader(name, defaultMbps).topology(document);
    }

    private Topology topology(JsonTree document) {
        for (JsonTree device : document.at("devices").elements()) {
            switches.put(device.text("id"), device.at("name").text());
        }
        JsonTree links = document.at("links");
        links.elements().forEach(this::take);
        links.fields().forEach(this::takeConfigured);
        directions.forEach(direction -> {
            switches.putIfAbsent(direction.source.device, null);
            switches.putIfAbsent(direction.target.device, null);
        });
        switches.forEach((device, label) -> topology.node(device, label, document.line));
        Set<String> told = directions.stream().map(direction -> direction.source + " " + direction.target)
                .collect(Collectors.toSet());
        for (Direction direction : directions) {
            boolean hasWayBack = told.contains(direction.target + " " + direction.source);
            topology.link(direction.source.device, direction.target.device,
                          fields(direction).oneWay(links.fields().isEmpty() || hasWayBack), direction.says.line);
        }
        takeHosts(document.at("hosts"));
        return topology.build(true, true);
    }

    private void take(JsonTree link) {
        boolean ours = link.at("source").text() != null;
        Port source = ours ? Port.of(link.text("source"), link) : port(link, "src");
        Port target = ours ? Port.of(link.text("target"), link) : port(link, "dst");
        String state = link.at("state").text();
        if (state == null || !state.equalsIgnoreCase("inactive") && !state.equals("down")) {
            directions.add(new Direction(source, target, link));
        }
    }

    private static Port port(JsonTree link, String end) {
        return new Port(link.at(end).text("device"), link.at(end).text("port"));
    }

    private void takeConfigured(String key, JsonTree link) {
        Matcher ports = LINK_KEY.matcher(key);
        if (!ports.matches()) {
            throw link.bad("'" + key + "' is no link of a network configuration, such as "
                           + "of:0000000000000001/1-of:0000000000000002/1");
        }
        directions.add(new Direction(Port.of(ports.group(1), link), Port.of(ports.group(2), link), link.at("basic")));
    }

    private static LinkFields fields(Direction direction) {
        JsonTree link = direction.says;
        LinkFields fields = new LinkFields().key(direction.key());
        JsonTree annotations = link.at("annotations");
        fields.capacityMbps(first(link.at("capacityMbps"), link.at("bandwidth"), annotations.at("bandwidth")));
        Double nanos = first(link.at("latency"), annotations.at("latency"));
        fields.delayMillis(nanos == null ? link.at("delayMillis").number() : Double.valueOf(nanos / NANOS_PER_MILLI));
        link.at("srlg").elements().forEach(group -> fields.group(group.text()));
        return fields;
    }

    private static Double first(JsonTree... values) {
        for (JsonTree value : values) {
            if (value.number() != null) {
                return value.number();
            }
        }
        return null;
    }

    /** Lets hosts of our topology stand for their switches, by their ids, names and addresses. */
    private void takeHosts(JsonTree hosts) {
        for (JsonTree host : hosts.elements()) {
            String device = host.text("device");
            if (switches.containsKey(device)) {
                topology.host(host.text("id"), device, host.line);
                if (host.at("name").text() != null) {
                    topology.host(host.text("name"), device, host.line);
                }
                host.at("ips").elements().forEach(address -> topology.host(address.text(), device, host.line));
            }
        }
    }
}
