// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

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
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
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
        private Edge back;
        private boolean isBack;

        Edge(String source, String target, LinkFields fields, int[] groups, double mbps, int place) {
            this.source = source;
            this.target = target;
            this.mbps = mbps;
            this.place = place;
            this.key = fields.key;
            this.delay = fields.delayMillis;
            this.groups = groups;
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
     * Adds a node.
     *
     * @param id    its name, not null
     * @param place where it is listed
     * @throws IllegalArgumentException if there is one of that name
     */
    public void node(String id, int place) {
        if (ids.putIfAbsent(id, nodes.size()) != null) {
            throw bad(place, "node '" + id + "' comes twice");
        }
        nodes.add(id);
    }

    /**
     * Adds a link; its nodes may follow later.
     *
     * @param source       a node, not null
     * @param target       another node, not null
     * @param fields       what else the file says of it; not null
     * @param place        where it is listed
     * @throws IllegalArgumentException if it has no capacity, or one that is negative, infinite or not a number; or a delay
     *                                  that is not from 0 to a day
     */
    public void link(String source, String target, LinkFields fields, int place) {
        double mbps = fields.capacityMbps == null ? defaultMbps : fields.capacityMbps;
        Edge edge = new Edge(shared(source), shared(target), fields, numbers(fields.groups), mbps, place);
        if (fields.capacityMbps == null && Double.isNaN(defaultMbps)) {
            throw bad(place, edge + " gives no capacityMbps, and there is none for such links (--capacity)");
        }
        if (!(mbps >= 0) || Double.isInfinite(mbps * BITS_PER_MEGABIT)) {
            throw bad(place, edge + " has capacity " + mbps + " Mbit/s; it must be 0 or more");
        }
        if (edge.delay < 0 || edge.delay > Graph.MOST_DELAY) {
            throw bad(place, edge + " has a delayMillis that is not from 0 to " + (long) Graph.MOST_DELAY + ", a day");
        }
        edges.add(edge);
    }

    private int[] numbers(List<String> names) {
        return names.stream().mapToInt(name -> groups.computeIfAbsent(name, unused -> groups.size())).toArray();
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

    /** Returns the one instance of a node's name, so that a million links hold no two million copies. */
    private String shared(String node) {
        Integer id = ids.get(node);
        return id == null ? node : nodes.get(id);
    }

    /**
     * Returns the topology.
     *
     * @param directed if true, the list has each direction: two that match become one link, one without a match becomes a
     *                 link with no capacity backwards; if false, each link has its capacity both ways
     * @param parallel whether several links may join the same nodes (in the same direction, if directed)
     * @throws IllegalArgumentException if there is no node; if a link names an unknown node, or joins a node to itself; or if
     *                                  links are parallel and must not be, or have the same key; or if a host is attached to
     *                                  no node, to an unknown one, or twice to one
     */
    public Topology build(boolean directed, boolean parallel) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException(name + ": there is no node");
        }
        for (Edge edge : edges) {
            check(edge);
        }
        refuseEqual(directed, parallel);
        boolean withHosts = hosts.check(ids, this::bad);
        List<Edge> links = directed ? matched() : edges;
        Graph graph = linked(Graph.builder(nodes.size()), links, directed).build();
        return withHosts ? withHosts(graph, links, directed) : new Topology(name, nodes, graph, Map.of(), keys(links));
    }

    private Topology withHosts(Graph others, List<Edge> links, boolean directed) {
        List<String> all = new ArrayList<>(nodes);
        all.addAll(hosts.nodes());
        Graph.Builder builder = linked(Graph.builder(all.size()), links, directed);
        hosts.link(builder, others, ids);
        return new Topology(name, all, builder.build(), hosts.aliases(ids), keys(links));
    }

    private Graph.Builder linked(Graph.Builder builder, List<Edge> links, boolean directed) {
        for (Edge edge : links) {
            double backward = !directed ? edge.mbps : edge.back == null ? 0 : edge.back.mbps;
            builder.link(ids.get(edge.source), ids.get(edge.target), edge.mbps * BITS_PER_MEGABIT,
                    backward * BITS_PER_MEGABIT);
            setAttributes(builder, edge, directed);
        }
        return builder;
    }

    private static void setAttributes(Graph.Builder builder, Edge edge, boolean directed) {
        int link = builder.linkCount() - 1;
        double delayBack = !directed ? edge.delay : edge.back == null ? Double.NaN : edge.back.delay;
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
        if (edge.source.equals(edge.target)) {
            throw bad(edge.place, edge + " joins a node to itself");
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
            long nodesOfLink = directed || from < to ? key(from, to) : key(to, from);
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
    private List<Edge> matched() {
        if (edges.stream().anyMatch(edge -> edge.key != null)) {
            match(edge -> edge.key == null ? "" : edge.key);
        }
        match(edge -> "");
        return edges.stream().filter(edge -> !edge.isBack).collect(Collectors.toList());
    }

    private void match(Function<Edge, String> keyOf) {
        Map<String, Map<Long, Deque<Edge>>> waiting = new HashMap<>();
        for (Edge edge : edges) {
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
