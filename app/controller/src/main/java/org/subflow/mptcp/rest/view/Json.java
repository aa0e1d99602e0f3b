// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostLocation;
import org.onosproject.net.device.DeviceService;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.policy.Setting;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.rate.PlacementQuality;

/** The JSON forms of what the page needs besides connections; rates are Mbit/s. Stateless. */
public final class Json {
    /** How many of the newest events are told at once. */
    public static final int MOST_EVENTS = 500;
    private static final double FRACTION_STEPS = 1e4;

    private final ObjectMapper mapper;

    public Json(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** A port as {@code device/number}: the name by which the page knows a directed link. */
    static String port(ConnectPoint point) {
        return point.deviceId() + "/" + point.port().toLong();
    }

    /** Writes a directed link by its ports, and how people call these. */
    static ObjectNode ends(ObjectNode node, ConnectPoint source, ConnectPoint target, NameService names) {
        return node.put("source", port(source)).put("target", port(target))
                .put("sourceName", names.of(source)).put("targetName", names.of(target));
    }

    /** Writes the network: switches, the hosts on them, both directions of every link. */
    ObjectNode topology(List<DeviceId> devices, Iterable<Host> hosts, Collection<LinkUsage> links, FailureService failures,
                        NameService names, DeviceService annotated) {
        ObjectNode node = mapper.createObjectNode();
        ArrayNode deviceNodes = node.putArray("devices");
        devices.forEach(id -> device(deviceNodes.addObject(), id, names, annotated));
        ArrayNode hostNodes = node.putArray("hosts");
        StreamSupport.stream(hosts.spliterator(), false)
                .sorted(Comparator.comparing(host -> host.id().toString()))
                .forEach(host -> hostNodes.add(host(host, names)));
        node.set("links", links(links, names));
        ObjectNode failed = node.putObject("failed");
        ArrayNode failedDevices = failed.putArray("devices");
        failures.switches().forEach(one -> device(failedDevices.addObject(), one.device(), names, annotated)
                .put("sinceMillis", one.sinceMillis()));
        failed.set("links", failedLinks(failures.links(), names));
        return node;
    }

    private static ObjectNode device(ObjectNode node, DeviceId id, NameService names, DeviceService annotated) {
        Coordinates.of(annotated.getDevice(id)).put(node.put("id", id.toString()).put("name", names.of(id)));
        return node;
    }

    /** Writes links that have failed, once for both directions. */
    public ArrayNode failedLinks(Collection<FailedLink> links, NameService names) {
        ArrayNode nodes = mapper.createArrayNode();
        for (FailedLink failed : links) {
            ObjectNode node = ends(nodes.addObject(), failed.link().src(), failed.link().dst(), names)
                    .put("capacityMbps", failed.capacity() > 0 ? (Double) Mbps.rounded(failed.capacity()) : null)
                    .put("sinceMillis", failed.sinceMillis());
            ArrayNode moved = node.putArray("moved");
            failed.moved().forEach(id -> moved.add(id.value()));
        }
        return nodes;
    }

    private ObjectNode host(Host host, NameService names) {
        HostLocation location = host.location();
        ObjectNode node = mapper.createObjectNode()
                .put("id", host.id().toString())
                .put("name", names.stated(host.id()).orElse(null))
                .put("mac", host.mac().toString())
                .put("device", location.elementId().toString())
                .put("deviceName", names.of(location.deviceId()))
                .put("port", Long.toString(location.port().toLong()));
        ArrayNode ips = node.putArray("ips");
        host.ipAddresses().stream().sorted().forEach(ip -> ips.add(ip.toString()));
        return node;
    }

    /** Writes both directions of links. */
    ArrayNode links(Collection<LinkUsage> links, NameService names) {
        ArrayNode nodes = mapper.createArrayNode();
        links.forEach(usage -> putUsage(nodes.addObject(), usage, names));
        return nodes;
    }

    /** Adds both directions of links that have failed to those that are up, with nothing on them. */
    public static void addDown(ArrayNode nodes, Collection<FailedLink> links, NameService names) {
        for (FailedLink failed : links) {
            ConnectPoint[] ports = {failed.link().src(), failed.link().dst()};
            for (int from = 0; from < ports.length; from++) {
                ends(nodes.addObject(), ports[from], ports[1 - from], names)
                        .put("state", "down")
                        .put("capacityMbps", Mbps.rounded(failed.capacity()))
                        .put("capacitySource", CapacitySource.UNKNOWN.toString())
                        .putNull("delayMillis")
                        .put("reservedMbps", 0.0).putNull("measuredMbps").put("othersMbps", 0.0).put("subflows", 0)
                        .putArray("srlg");
            }
        }
    }

    /** Writes one direction of a link. */
    static void putUsage(ObjectNode node, LinkUsage usage, NameService names) {
        ends(node, usage.link().src(), usage.link().dst(), names)
                .put("state", "up")
                .put("capacityMbps", Mbps.rounded(usage.capacity()))
                .put("capacitySource", usage.attributes().source().toString())
                .put("delayMillis", delay(usage.attributes().delayMillis()))
                .put("reservedMbps", Mbps.rounded(usage.reserved()))
                .put("measuredMbps", Double.isNaN(usage.measured()) ? null : (Double) Mbps.rounded(usage.measured()))
                .put("othersMbps", Mbps.rounded(usage.others()))
                .put("subflows", usage.subflows());
        ArrayNode groups = node.putArray("srlg");
        usage.attributes().riskGroups().forEach(groups::add);
    }

    /** Returns a delay in milliseconds; null if it is unknown. */
    private static Double delay(OptionalDouble millis) {
        return millis.isPresent() ? millis.getAsDouble() : null;
    }

    /** Writes the settings in force and the strategies that there are. */
    ObjectNode settings(Settings settings) {
        ObjectNode node = mapper.createObjectNode();
        List.of(Settings.STRATEGY, Settings.ALLOCATOR, Settings.SUBFLOWS, Settings.RETENTION_SECONDS)
                .forEach(setting -> put(node, setting, settings.get(setting)));
        ArrayNode strategies = node.putArray("strategies");
        PathStrategies.names().forEach(strategies::add);
        return node;
    }

    /** Writes what each setting is for, and what it takes. */
    ArrayNode descriptions() {
        ArrayNode nodes = mapper.createArrayNode();
        for (Setting<?> setting : Settings.ALL) {
            ObjectNode node = nodes.addObject().put("name", setting.name()).put("default", setting.standard().toString());
            setting.choices().forEach(node.put("takes", setting.takes()).put("meaning", setting.meaning()).putArray("choices")::add);
        }
        return nodes;
    }

    /** Writes the value of a setting under its name. */
    static void put(ObjectNode node, Setting<?> setting, Object value) {
        node.set(setting.name(), setting.isNumber() ? IntNode.valueOf((Integer) value) : TextNode.valueOf(value.toString()));
    }

    /** Writes ζ of a connection. */
    public ObjectNode attainable(ConnectionId connection, AttainableRate rate) {
        ObjectNode node = mapper.createObjectNode().put("id", connection.value());
        putAttainable(node, rate);
        return node;
    }

    static void putAttainable(ObjectNode node, AttainableRate rate) {
        node.put("availableUpMbps", Mbps.rounded(rate.available().up()))
                .put("availableDownMbps", Mbps.rounded(rate.available().down()))
                .put("fairUpMbps", Mbps.rounded(rate.fair().up()))
                .put("fairDownMbps", Mbps.rounded(rate.fair().down()));
    }

    /** Writes how close the connections come to the best of any routing; null if that is not known. */
    public JsonNode bound(Optional<NetworkBound> bound) {
        if (bound.isEmpty()) {
            return mapper.nullNode();
        }
        PlacementQuality quality = bound.get().quality();
        boolean held = quality.boundSmallest() < Double.POSITIVE_INFINITY;
        return mapper.createObjectNode()
                .put("millis", bound.get().millis())
                .put("connections", bound.get().connections())
                .put("sumMbps", Mbps.rounded(quality.boundSum()))
                .put("sumFraction", fraction(quality.sumFraction()))
                .put("smallestMbps", held ? (Double) Mbps.rounded(quality.boundSmallest()) : null)
                .put("smallestFraction", fraction(quality.smallestFraction()));
    }

    private static double fraction(double part) {
        return Math.round(part * FRACTION_STEPS) / FRACTION_STEPS;
    }

    /** Writes events of connections. */
    public ArrayNode events(Collection<LifeEvent> events) {
        return mapper.createArrayNode().addAll(events.stream().map(this::event).collect(Collectors.toList()));
    }

    /** Writes an event of a connection. */
    ObjectNode event(LifeEvent event) {
        return mapper.createObjectNode()
                .put("millis", event.millis())
                .put("connection", event.connection().value())
                .put("type", event.kind().toString())
                .put("subflow", event.subflow().map(Object::toString).orElse(null))
                .put("text", event.text())
                .put("why", event.why().orElse(null));
    }
}
