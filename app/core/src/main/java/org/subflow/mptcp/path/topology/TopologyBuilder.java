// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;

/**
 * Collects the nodes and links that a file lists, in any order, and checks them once all are there.
 *
 * <p>Messages start with the file's name and the place in it, such as {@code net.json, line 7}. For one thread.
 */
public final class TopologyBuilder {
    private static final double BITS_PER_MEGABIT = 1e6;

    private final String name;
    private final String unit;
    private final double defaultMbps;
    private final FileNodes nodes = new FileNodes();
    private final Map<String, Integer> ids = nodes.ids();
    private final List<Edge> edges = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int withoutCapacity;
    private int loops;
    private String firstLoop;
    private int list;
    private final Map<String, Integer> groups = new HashMap<>();
    private final AttachedHosts hosts = new AttachedHosts();

    private static final class Edge {
        private final String source;
        private final String target;
        private final double mbps;
        private final int place;
        /** What tells it from others between the same nodes; null if the file does not say. */
        private final String key;
        private final double delay;
        private final int[] groups;
        private final Boolean oneWay;
        /** Which list of links it stands in. */
        private final int list;
        private Edge back;
        private boolean isBack;

        Edge(String source, String target, LinkFields fields, int[] groups, double mbps, int place, int list) {
            this.source = source;
            this.target = target;
            this.mbps = mbps;
            this.place = place;
            this.list = list;
            this.oneWay = fields.oneWay;
            this.key = fields.key;
            this.delay = fields.delayMillis;
            this.groups = groups;
        }

        boolean isOneWay(boolean directed) {
            return oneWay == null ? directed : oneWay;
        }

        @Override
        public String toString() {
            return "link " + source + "–" + target;
        }
    }

    /**
     * Starts a topology.
     *
     * @param name        what to call it; not null
     * @param unit        unit of places in the file, such as {@code line}; not null
     * @param defaultMbps capacity of links that give none, in Mbit/s; not a number if each must give one
     */
    public TopologyBuilder(String name, String unit, double defaultMbps) {
        this.name = name;
        this.unit = unit;
        this.defaultMbps = defaultMbps;
    }

    /**
     * Adds a node without a label.
     *
     * @param id    its name, not null
     * @param place where it is listed
     * @throws IllegalArgumentException if there is one of that name
     */
    public void node(String id, int place) {
        node(id, null, place);
    }

    /**
     * Adds a node.
     *
     * @param id    its name, not null
     * @param label what people call it; null if there is no such thing
     * @param place where it is listed
     * @throws IllegalArgumentException if there is one of that name
     */
    public void node(String id, String label, int place) {
        if (!nodes.add(id, label)) {
            throw bad(place, "node '" + id + "' comes twice");
        }
    }

    /** Begins another list of links. What it says of links of an earlier list is the same links again. */
    public void nextList() {
        list++;
    }

    /**
     * Adds a link; its nodes may follow later.
     *
     * @param source       a node, not null
     * @param target       another node, not null; a link from a node to itself is left out, and noted
     * @param fields       what else the file says of it; not null
     * @param place        where it is listed
     * @throws IllegalArgumentException if it has no capacity, or one that is negative, infinite or not a number; or a delay
     *                                  that is not from 0 to a day
     */
    public void link(String source, String target, LinkFields fields, int place) {
        if (source.equals(target)) {
            firstLoop = loops++ > 0 ? firstLoop : name + ", " + unit + " " + place + ": link " + source + "–" + target;
            return;
        }
        Double stated = stated(source, target, fields, place);
        double mbps = stated == null ? defaultMbps : stated;
        Edge edge = new Edge(nodes.shared(source), nodes.shared(target), fields, numbers(fields.groups), mbps, place,
                             list);
        if (stated == null && Double.isNaN(defaultMbps)) {
            throw bad(place, edge + " gives no capacityMbps, and there is none for such links (--capacity)");
        }
        if (!(mbps >= 0) || Double.isInfinite(mbps * BITS_PER_MEGABIT)) {
            throw bad(place, edge + " has capacity " + mbps + " Mbit/s; it must be 0 or more");
        }
        if (edge.delay < 0 || edge.delay > Graph.MOST_DELAY) {
            throw bad(place, edge + " has a delayMillis that is not from 0 to " + (long) Graph.MOST_DELAY + ", a day");
        }
        withoutCapacity += stated == null ? 1 : 0;
        edges.add(edge);
    }

    private Double stated(String source, String target, LinkFields fields, int place) {
        try {
            return fields.mbps();
        } catch (IllegalArgumentException e) {
            throw bad(place, "link " + source + "–" + target + " " + e.getMessage());
        }
    }

    private int[] numbers(List<String> names) {
        return names.stream().mapToInt(name -> groups.computeIfAbsent(name, unused -> groups.size())).toArray();
    }

    /**
     * Gives a node a further name, that of a host which stands for it. The first node of a name has it.
     *
     * @param host  the name, not null
     * @param node  a node, not null; it may follow later
     * @param place where it is listed
     */
    public void host(String host, String node, int place) {
        hosts.alias(host, node, place);
    }

    /**
     * Adds a client and a server, called h1 and h2, then h3 and h4, and so on. They can be named as nodes if one of all hosts
     * has several interfaces. The nodes may follow later.
     *
     * @param client the nodes at which the client has interfaces, not null
     * @param server the nodes at which the server has interfaces, not null
     * @param place  where it is listed
     */
    public void pair(List<String> client, List<String> server, int place) {
        hosts.pair(client, server, place);
    }

    /**
     * Returns the topology.
     *
     * @param directed if true, the list has each direction: two that match become one link, one without a match becomes a
     *                 link with no capacity backwards; if false, each link has its capacity both ways
     * @param parallel whether several links may join the same nodes (in the same direction, if directed)
     * @throws IllegalArgumentException if there is no node; if a link names an unknown node; if two lists of links give
     *                                  one different capacities; or if links are parallel and must not be, or have the same key; or if a host is attached to
     *                                  no node, to an unknown one, or twice to one
     */
    public Topology build(boolean directed, boolean parallel) {
        if (nodes.names().isEmpty()) {
            throw new IllegalArgumentException(name + ": there is no node");
        }
        for (Edge edge : edges) {
            check(edge);
        }
        noteLoops();
        leaveOutRepeated(directed);
        refuseEqual(directed, parallel);
        noteCapacities();
        boolean withHosts = hosts.check(ids, this::bad);
        List<Edge> links = matched(directed);
        Graph graph = linked(Graph.builder(nodes.names().size()), links, directed).build();
        return withHosts ? withHosts(graph, links, directed) : topology(nodes.names(), graph, hosts.named(ids), links);
    }

    private Topology withHosts(Graph others, List<Edge> links, boolean directed) {
        List<String> all = new ArrayList<>(nodes.names());
        all.addAll(hosts.nodes());
        Graph.Builder builder = linked(Graph.builder(all.size()), links, directed);
        hosts.link(builder, others, ids);
        return topology(all, builder.build(), hosts.aliases(ids), links);
    }

    private Topology topology(List<String> names, Graph graph, Map<String, Integer> aliases, List<Edge> links) {
        return new Topology(name, names, graph, new FileNotes(aliases, nodes.labels(), keys(links), notes));
    }

    private void noteLoops() {
        if (firstLoop != null) {
            notes.add(firstLoop + " joins a node to itself, and is left out"
                      + (loops == 1 ? "" : ", and " + (loops - 1) + " more likewise"));
        }
    }

    /** Leaves out what later lists say again of links of the first one. */
    private void leaveOutRepeated(boolean directed) {
        if (list <= 1) {
            return;
        }
        Map<List<?>, Deque<Edge>> first = new HashMap<>();
        edges.stream().filter(edge -> edge.list == 1)
                .forEach(edge -> first.computeIfAbsent(identity(edge, directed), any -> new ArrayDeque<>()).add(edge));
        Set<Edge> repeated = new HashSet<>();
        for (Edge edge : edges) {
            Deque<Edge> alike = edge.list == 1 ? null : first.get(identity(edge, directed));
            if (alike != null && !alike.isEmpty()) {
                Edge same = alike.remove();
                if (same.mbps != edge.mbps) {
                    throw bad(edge.place, edge + " has " + edge.mbps + " Mbit/s here and " + same.mbps + " in " + unit + " "
                              + same.place + ": the file lists its links twice, with different capacities");
                }
                repeated.add(edge);
            }
        }
        edges.removeAll(repeated);
    }

    private static List<?> identity(Edge edge, boolean directed) {
        boolean turned = !edge.isOneWay(directed) && edge.source.compareTo(edge.target) > 0;
        return List.of(turned ? edge.target : edge.source, turned ? edge.source : edge.target, edge.isOneWay(directed),
                       edge.key == null ? List.of() : edge.key);
    }

    private void noteCapacities() {
        if (withoutCapacity > 0) {
            notes.add(name + ": " + withoutCapacity + " of " + edges.size() + " links"
                      + (withoutCapacity == 1 ? " gives" : " give") + " no capacity: " + BigDecimal.valueOf(defaultMbps).stripTrailingZeros().toPlainString()
                      + " Mbit/s taken (--capacity)");
        }
    }

    private Graph.Builder linked(Graph.Builder builder, List<Edge> links, boolean directed) {
        for (Edge edge : links) {
            double backward = !edge.isOneWay(directed) ? edge.mbps : edge.back == null ? 0 : edge.back.mbps;
            builder.link(ids.get(edge.source), ids.get(edge.target), edge.mbps * BITS_PER_MEGABIT,
                    backward * BITS_PER_MEGABIT);
            setAttributes(builder, edge, edge.isOneWay(directed));
        }
        return builder;
    }

    private static void setAttributes(Graph.Builder builder, Edge edge, boolean oneWay) {
        int link = builder.linkCount() - 1;
        double delayBack = !oneWay ? edge.delay : edge.back == null ? Double.NaN : edge.back.delay;
        if (!Double.isNaN(edge.delay) || !Double.isNaN(delayBack)) {
            builder.delay(link, edge.delay, delayBack);
        }
        int[] both = edge.back == null ? edge.groups
                : IntStream.concat(Arrays.stream(edge.groups), Arrays.stream(edge.back.groups)).toArray();
        if (both.length > 0) {
            builder.groups(link, both);
        }
    }

    private void check(Edge edge) {
        for (String node : new String[] {edge.source, edge.target}) {
            if (!ids.containsKey(node)) {
                throw bad(edge.place, edge + " names node '" + node + "', which is not among the nodes");
            }
        }
    }

    private static String[] keys(List<Edge> links) {
        return links.stream().map(edge -> edge.key).toArray(String[]::new);
    }

    /** Refuses links between the same nodes with the same key, and any such links where there may be none. */
    private void refuseEqual(boolean directed, boolean parallel) {
        Set<Object> seen = new HashSet<>();
        for (Edge edge : edges) {
            int from = ids.get(edge.source);
            int to = ids.get(edge.target);
            long nodesOfLink = edge.isOneWay(directed) || from < to ? key(from, to) : key(to, from);
            if (!parallel && !seen.add(nodesOfLink)) {
                throw bad(edge.place, edge + " comes twice, and this is no multigraph");
            }
            if (edge.key != null && parallel && !seen.add(List.of(nodesOfLink, edge.key))) {
                throw bad(edge.place, edge + " has the key '" + edge.key + "' of another link between these nodes");
            }
        }
    }

    /**
     * Joins each direction with one the other way that has no partner yet: with the same key if there is one, else the first
     * one. Returns the first of each pair.
     */
    private List<Edge> matched(boolean directed) {
        List<Edge> oneWay = edges.stream().filter(edge -> edge.isOneWay(directed)).collect(Collectors.toList());
        if (oneWay.stream().anyMatch(edge -> edge.key != null)) {
            match(oneWay, edge -> edge.key == null ? "" : edge.key);
        }
        match(oneWay, edge -> "");
        return edges.stream().filter(edge -> !edge.isBack).collect(Collectors.toList());
    }

    private void match(List<Edge> oneWay, Function<Edge, String> keyOf) {
        Map<String, Map<Long, Deque<Edge>>> waiting = new HashMap<>();
        for (Edge edge : oneWay) {
            if (edge.isBack || edge.back != null) {
                continue;
            }
            int from = ids.get(edge.source);
            int to = ids.get(edge.target);
            Map<Long, Deque<Edge>> alike = waiting.computeIfAbsent(keyOf.apply(edge), key -> new HashMap<>());
            Deque<Edge> partners = alike.get(key(to, from));
            if (partners != null && !partners.isEmpty()) {
                partners.remove().back = edge;
                edge.isBack = true;
            } else {
                alike.computeIfAbsent(key(from, to), key -> new ArrayDeque<>(1)).add(edge);
            }
        }
    }

    private static long key(int from, int to) {
        return (long) from << 32 | to;
    }

    private IllegalArgumentException bad(int place, String what) {
        return new IllegalArgumentException(name + ", " + unit + " " + place + ": " + what);
    }
}
