// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.subflow.mptcp.path.topology.LinkFields;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.TopologyBuilder;

/**
 * Reads what Mininet's editor MiniEdit saves. The nodes are the switches; a host stands for the switch at which it is. A link has
 * its option {@code bw} in Mbit/s and its {@code delay}, such as {@code 5ms}.
 */
final class MiniEditReader {
    private static final Pattern DELAY = Pattern.compile("([0-9.]+(?:[eE][+-]?[0-9]+)?) *(s|sec|secs|ms|msec|msecs|us|usec|usecs|ns)?");

    private MiniEditReader() {
    }

    static Topology read(String name, JsonTree document, double defaultMbps) {
        TopologyBuilder topology = new TopologyBuilder(name, "line", defaultMbps);
        for (JsonTree node : document.at("switches").elements()) {
            topology.node(named(node, "s"), node.line);
        }
        Set<String> hosts = new HashSet<>();
        document.at("hosts").elements().forEach(host -> hosts.add(named(host, "h")));
        Map<String, String> homes = new HashMap<>();
        for (JsonTree link : document.at("links").elements()) {
            String source = link.text("src");
            String target = link.text("dest");
            String host = hosts.contains(source) ? source : hosts.contains(target) ? target : null;
            if (host == null) {
                topology.link(source, target, fields(link), link.line);
            } else if (homes.putIfAbsent(host, host.equals(source) ? target : source) != null) {
                throw link.bad("host '" + host + "' has several links; MiniEdit's files are read with one for each host. "
                               + "Node-link JSON has \"pairs\" for others");
            } else {
                topology.host(host, homes.get(host), link.line);
            }
        }
        return topology.build(false, true);
    }

    private static String named(JsonTree node, String letter) {
        String hostname = node.at("opts").at("hostname").text();
        return hostname == null ? letter + node.text("number") : hostname;
    }

    private static LinkFields fields(JsonTree link) {
        JsonTree options = link.at("opts");
        return new LinkFields().capacityMbps(options.at("bw").number()).delayMillis(millis(options.at("delay")));
    }

    private static Double millis(JsonTree delay) {
        if (delay.text() == null || delay.text().isBlank()) {
            return null;
        }
        Matcher parts = DELAY.matcher(delay.text().strip());
        if (!parts.matches()) {
            throw delay.bad("a delay is '" + delay.text() + "', and not a time such as 5ms");
        }
        return Double.parseDouble(parts.group(1)) * perUnit(parts.group(2));
    }

    /** Returns a unit in milliseconds; Linux's traffic control takes microseconds where none is said. */
    private static double perUnit(String unit) {
        if (unit == null || unit.startsWith("us")) {
            return 1e-3;
        }
        return unit.startsWith("ms") ? 1 : unit.equals("ns") ? 1e-6 : 1e3;
    }
}
