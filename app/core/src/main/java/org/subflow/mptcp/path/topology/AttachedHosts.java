// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.subflow.mptcp.path.Graph;

/**
 * The hosts that a file attaches to its nodes: pairs of a client and a server, h1 and h2, h3 and h4, and so on.
 *
 * <p>If one of them has interfaces at several nodes, all of them can be named as sources and targets. A host with several
 * interfaces is a node, too: it has links to (a client) or from (a server) each node at which it has an interface. These are
 * one-way, so that no path leads through the host. They are as many and as wide as the links behind them, so that they limit
 * nothing: the controller, too, looks for paths between switches only. A host with one interface stands for its node.
 *
 * <p>For one thread.
 */
final class AttachedHosts {
    private final List<Host> hosts = new ArrayList<>();
    /** Hosts with one interface that the file names itself. */
    private final Map<String, Host> named = new LinkedHashMap<>();

    private static final class Host {
        private final String name;
        private final boolean isClient;
        private final List<String> homes;
        private final int place;

        private Host(String name, boolean isClient, List<String> homes, int place) {
            this.name = name;
            this.isClient = isClient;
            this.homes = List.copyOf(homes);
            this.place = place;
        }

        private boolean hasSeveral() {
            return homes.size() > 1;
        }
    }

    /** Says what is wrong at a place in the file. */
    interface Complaint {
        IllegalArgumentException at(int place, String what);
    }

    /** Adds a client and a server, each with its nodes. */
    void pair(List<String> client, List<String> server, int place) {
        hosts.add(new Host("h" + (hosts.size() + 1), true, client, place));
        hosts.add(new Host("h" + (hosts.size() + 1), false, server, place));
    }

    /** Adds a host of that name with one interface. */
    void alias(String name, String node, int place) {
        named.putIfAbsent(name, new Host(name, true, List.of(node), place));
    }

    /** Checks them against the nodes, by name; returns whether they can be named. */
    boolean check(Map<String, Integer> ids, Complaint wrong) {
        for (Host host : named.values()) {
            if (!ids.containsKey(host.homes.get(0))) {
                throw wrong.at(host.place, "host '" + host.name + "' is at node '" + host.homes.get(0)
                               + "', which is not among the nodes");
            }
        }
        for (Host host : hosts) {
            for (String home : host.homes) {
                if (!ids.containsKey(home)) {
                    throw wrong.at(host.place, "a pair names node '" + home + "', which is not among the nodes");
                }
            }
            if (host.homes.isEmpty() || new HashSet<>(host.homes).size() < host.homes.size()) {
                throw wrong.at(host.place, "a host has one interface or more, each at another node");
            }
        }
        boolean canBeNamed = hosts.stream().anyMatch(Host::hasSeveral);
        for (Host host : hosts) {
            if (canBeNamed && ids.containsKey(host.name)) {
                throw wrong.at(host.place, "node '" + host.name + "' has the name of a host: hosts are h1, h2 and so on");
            }
        }
        return canBeNamed;
    }

    /** Returns the names of those that are nodes, in the order of their ids, which follow those of other nodes. */
    List<String> nodes() {
        List<String> names = new ArrayList<>();
        hosts.stream().filter(Host::hasSeveral).forEach(host -> names.add(host.name));
        return names;
    }

    /** Returns the nodes for which hosts with one interface stand, by the hosts' names. */
    Map<String, Integer> aliases(Map<String, Integer> ids) {
        Map<String, Integer> found = named(ids);
        hosts.stream().filter(host -> !host.hasSeveral()).forEach(host -> found.put(host.name, ids.get(host.homes.get(0))));
        return found;
    }

    /** Returns the nodes of hosts that the file names itself, by the hosts' names. */
    Map<String, Integer> named(Map<String, Integer> ids) {
        Map<String, Integer> found = new HashMap<>();
        named.forEach((name, host) -> found.put(name, ids.get(host.homes.get(0))));
        return found;
    }

    /** Adds the links of those that are nodes to a graph that has all other links, each with its capacities, bit/s. */
    void link(Graph.Builder builder, Graph others, Map<String, Integer> ids) {
        int id = ids.size();
        for (Host host : hosts) {
            if (!host.hasSeveral()) {
                continue;
            }
            for (String home : host.homes) {
                int node = ids.get(home);
                for (int i = 0; i < others.degree(node); i++) {
                    int out = others.arcFrom(node, i);
                    builder.link(id, node, host.isClient ? others.capacity(out) : 0,
                            host.isClient ? 0 : others.capacity(Graph.reverse(out)));
                }
            }
            id++;
        }
    }
}
