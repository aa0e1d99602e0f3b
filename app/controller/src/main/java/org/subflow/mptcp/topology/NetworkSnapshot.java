// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.subflow.mptcp.api.LinkAttributes;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;

/**
 * The network at one time: switches as nodes, and links between them as pairs of arcs with capacities in bit/s.
 *
 * <p>Nodes and links are numbered in the order of their identifiers, so that the same network gives the same numbers. A
 * link is included only if ONOS knows both of its directions. Immutable.
 */
public final class NetworkSnapshot {
    private static final Comparator<Link> BY_SOURCE = Comparator
            .comparing((Link link) -> link.src().deviceId().toString())
            .thenComparing(link -> link.src().port().toLong())
            .thenComparing(link -> link.dst().toString());

    private final Graph graph;
    private final ImmutableList<DeviceId> devices;
    private final Map<DeviceId, Integer> nodes;
    private final ImmutableList<Link> linkByArc;
    private final ImmutableList<LinkAttributes> attributesByArc;
    private final Map<LinkKey, Integer> arcByLink;

    private NetworkSnapshot(Graph graph, List<DeviceId> devices, Map<DeviceId, Integer> nodes, List<Link> linkByArc,
                            List<LinkAttributes> attributesByArc) {
        this.graph = graph;
        this.devices = ImmutableList.copyOf(devices);
        this.nodes = ImmutableMap.copyOf(nodes);
        this.linkByArc = ImmutableList.copyOf(linkByArc);
        this.attributesByArc = ImmutableList.copyOf(attributesByArc);
        Map<LinkKey, Integer> arcs = new HashMap<>();
        for (int arc = 0; arc < linkByArc.size(); arc++) {
            arcs.put(LinkKey.linkKey(linkByArc.get(arc)), arc);
        }
        this.arcByLink = ImmutableMap.copyOf(arcs);
    }

    /**
     * Takes a snapshot.
     *
     * @param deviceIds  the switches that are up; not null
     * @param links      the directed links that are up; the snapshot leaves out links to switches that are not up
     * @param attributes a directed link's capacity, and what else is known of it
     * @return the snapshot
     */
    public static NetworkSnapshot of(Iterable<DeviceId> deviceIds, Iterable<Link> links,
                                     Function<Link, LinkAttributes> attributes) {
        TreeSet<String> names = new TreeSet<>();
        deviceIds.forEach(id -> names.add(id.toString()));
        List<DeviceId> devices = names.stream().map(DeviceId::deviceId).collect(Collectors.toList());
        Map<DeviceId, Integer> nodes = new HashMap<>();
        devices.forEach(id -> nodes.put(id, nodes.size()));

        // A graph has at least one node: that of an empty network belongs to no switch.
        Graph.Builder graph = Graph.builder(Math.max(1, devices.size()));
        List<Link> linkByArc = new ArrayList<>();
        List<LinkAttributes> attributesByArc = new ArrayList<>();
        Map<String, Integer> groups = new HashMap<>();
        for (Link[] pair : pairs(links, nodes)) {
            LinkAttributes there = attributes.apply(pair[0]);
            LinkAttributes back = attributes.apply(pair[1]);
            LinkAttributes forward = completed(there, back);
            LinkAttributes backward = completed(back, there);
            graph.link(nodes.get(pair[0].src().deviceId()), nodes.get(pair[0].dst().deviceId()), forward.capacity(),
                       backward.capacity());
            linkByArc.addAll(Arrays.asList(pair));
            attributesByArc.add(forward);
            attributesByArc.add(backward);
            setDelay(graph, forward, backward);
            if (!forward.riskGroups().isEmpty()) {
                graph.groups(graph.linkCount() - 1, forward.riskGroups().stream()
                        .mapToInt(name -> groups.computeIfAbsent(name, unused -> groups.size())).toArray());
            }
        }
        return new NetworkSnapshot(graph.build(), devices, nodes, linkByArc, attributesByArc);
    }

    /** Returns attributes with what only the other direction says: a delay, and groups, which are those of both. */
    private static LinkAttributes completed(LinkAttributes own, LinkAttributes other) {
        double delay = own.delayMillis().orElse(other.delayMillis().orElse(Double.NaN));
        return own.with(delay, Sets.union(own.riskGroups(), other.riskGroups()));
    }

    private static void setDelay(Graph.Builder graph, LinkAttributes forward, LinkAttributes backward) {
        if (forward.delayMillis().isPresent() || backward.delayMillis().isPresent()) {
            graph.delay(graph.linkCount() - 1, forward.delayMillis().orElse(Double.NaN),
                        backward.delayMillis().orElse(Double.NaN));
        }
    }

    /** Returns whether another snapshot shows the same switches and links, with the same capacities, delays and groups. */
    public boolean isSameAs(NetworkSnapshot other) {
        return devices.equals(other.devices) && linkByArc.equals(other.linkByArc)
                && attributesByArc.equals(other.attributesByArc);
    }

    /** Returns the same network with other capacities, bit/s; 0 makes a direction unusable. */
    public NetworkSnapshot withCapacities(ToDoubleFunction<Link> capacity) {
        return of(devices, linkByArc, link -> attributes(link).withCapacity(capacity.applyAsDouble(link)));
    }

    private static List<Link[]> pairs(Iterable<Link> links, Map<DeviceId, Integer> nodes) {
        Map<LinkKey, Link> byKey = new HashMap<>();
        List<Link> ordered = new ArrayList<>();
        for (Link link : links) {
            boolean known = nodes.containsKey(link.src().elementId()) && nodes.containsKey(link.dst().elementId());
            boolean loop = link.src().elementId().equals(link.dst().elementId());
            if (known && !loop && byKey.put(LinkKey.linkKey(link), link) == null) {
                ordered.add(link);
            }
        }
        ordered.sort(BY_SOURCE);
        List<Link[]> pairs = new ArrayList<>();
        for (Link link : ordered) {
            Link back = byKey.get(LinkKey.linkKey(link.dst(), link.src()));
            if (back != null && BY_SOURCE.compare(link, back) < 0) {
                pairs.add(new Link[] {link, back});
            }
        }
        return pairs;
    }

    /** Returns the graph; arc capacities are bit/s. */
    public Graph graph() {
        return graph;
    }

    /** Returns the switches, in the order of the graph's nodes. */
    public List<DeviceId> devices() {
        return devices;
    }

    /** Returns a switch's node, or -1 if it is not part of the network. */
    public int node(DeviceId device) {
        return nodes.getOrDefault(device, -1);
    }

    /** Returns the directed link of an arc. */
    public Link link(int arc) {
        return linkByArc.get(arc);
    }

    /** Returns the directed links, in the order of the graph's arcs. */
    public List<Link> links() {
        return linkByArc;
    }

    /** Returns a directed link's arc, or -1 if the link is not part of the network. */
    public int arc(Link link) {
        return arc(LinkKey.linkKey(link));
    }

    /** Returns the arc of the directed link with this key, or -1 if it is not part of the network. */
    public int arc(LinkKey key) {
        return arcByLink.getOrDefault(key, -1);
    }

    /** Returns whether a port leads to another switch. */
    public boolean isBetweenSwitches(ConnectPoint port) {
        return linkByArc.stream().anyMatch(link -> link.src().equals(port));
    }

    /**
     * Returns what is known of a directed link besides its ends.
     *
     * @throws IllegalArgumentException if the link is not part of the network
     */
    public LinkAttributes attributes(Link link) {
        int arc = arc(link);
        checkArgument(arc >= 0, "%s is not part of the network", link);
        return attributesByArc.get(arc);
    }

    /** Returns a directed link's capacity in bit/s; 0 if the link is not part of the network. */
    public double capacity(Link link) {
        int arc = arc(link);
        return arc < 0 ? 0 : graph.capacity(arc);
    }

    /** Returns the links of a path. */
    public List<Link> links(Path path) {
        return Arrays.stream(path.arcs()).mapToObj(linkByArc::get).collect(Collectors.toList());
    }

    /** Returns the links of a path in reverse, from its end to its start. */
    public List<Link> reverseLinks(Path path) {
        int[] arcs = path.arcs();
        List<Link> links = new ArrayList<>(arcs.length);
        for (int i = arcs.length - 1; i >= 0; i--) {
            links.add(linkByArc.get(Graph.reverse(arcs[i])));
        }
        return links;
    }

    /**
     * Converts links to a path of this snapshot.
     *
     * @param links consecutive directed links; at least one
     * @return the path; empty if a link is no longer part of the network
     */
    public Optional<Path> path(List<Link> links) {
        checkArgument(!links.isEmpty(), "a path of no links has no place in the graph");
        int[] arcs = links.stream().mapToInt(this::arc).toArray();
        for (int arc : arcs) {
            if (arc < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(Path.of(graph, arcs));
    }

    /** Returns the port on which a directed link's bandwidth is reserved: its source port. */
    public static ConnectPoint egressPort(Link link) {
        return link.src();
    }
}
