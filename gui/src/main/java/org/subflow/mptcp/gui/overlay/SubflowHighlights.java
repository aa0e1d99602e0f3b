// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.ui.model.topo.UiLinkId;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.HostHighlight;
import org.onosproject.ui.topo.LinkHighlight;
import org.onosproject.ui.topo.LinkHighlight.Flavor;
import org.onosproject.ui.topo.Mod;
import org.onosproject.ui.topo.NodeBadge;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;

/** Makes ONOS's highlights of connections: a colour and a label for each subflow's links, a badge for each host. */
final class SubflowHighlights {
    /** The view's own style classes for traffic; it knows no others. */
    private static final List<Mod> COLOURS = List.of(
            new Mod("port-traffic-green"), new Mod("port-traffic-yellow"), new Mod("port-traffic-orange"),
            new Mod("port-traffic-red"));
    private static final double BPS_PER_MBPS = 1e6;

    private final Function<Connection, Measurement> measurements;
    private final Function<IpAddress, Set<Host>> hosts;
    private final Map<String, LinkHighlight> links = new LinkedHashMap<>();
    private final Map<String, HostHighlight> badges = new LinkedHashMap<>();
    private int number;

    private SubflowHighlights(Function<Connection, Measurement> measurements, Function<IpAddress, Set<Host>> hosts) {
        this.measurements = measurements;
        this.hosts = hosts;
    }

    /**
     * Makes highlights.
     *
     * @param connections  what to show; empty clears the view
     * @param measurements what is measured of a connection
     * @param hosts        the hosts with an address
     * @return the highlights
     */
    static Highlights of(Collection<Connection> connections, Function<Connection, Measurement> measurements,
                         Function<IpAddress, Set<Host>> hosts) {
        SubflowHighlights made = new SubflowHighlights(measurements, hosts);
        connections.forEach(made::add);
        Highlights highlights = new Highlights();
        made.links.values().forEach(highlights::add);
        made.badges.values().forEach(highlights::add);
        return highlights;
    }

    private void add(Connection connection) {
        Measurement measurement = measurements.apply(connection);
        Rates all = connection.subflows().stream().map(s -> measurement.rates(s.tuple())).reduce(Rates.ZERO, Rates::plus);
        boolean up = all.up() >= all.down();
        for (Subflow subflow : connection.subflows()) {
            int index = number++;
            String label = label(index + 1, rate(measurement.rates(subflow.tuple()), up), rate(subflow.expected(), up));
            for (Link link : subflow.path()) {
                highlight(UiLinkId.uiLinkId(link), index, label);
            }
            badge(subflow.tuple().source(), subflow.fromClient() ? "C" : "S", connection);
            badge(subflow.tuple().destination(), subflow.fromClient() ? "S" : "C", connection);
        }
    }

    /** A link of several subflows has the first one's colour and all of their labels. */
    private void highlight(UiLinkId link, int index, String label) {
        LinkHighlight known = links.get(link.toString());
        if (known == null) {
            known = new LinkHighlight(link.toString(), Flavor.SECONDARY_HIGHLIGHT)
                    .addMod(COLOURS.get(index % COLOURS.size()));
            links.put(link.toString(), known.setLabel(label));
        } else {
            known.setLabel(known.label() + " | " + label);
        }
    }

    private void badge(IpAddress address, String role, Connection connection) {
        for (Host host : hosts.apply(address)) {
            badges.computeIfAbsent(host.id().toString(), HostHighlight::new)
                    .setBadge(NodeBadge.text(NodeBadge.Status.INFO, role,
                                             (role.equals("C") ? "client of " : "server of ") + connection.id()));
        }
    }

    private static double rate(Rates rates, boolean up) {
        return up ? rates.up() : rates.down();
    }

    private static String label(int number, double measured, double expected) {
        return String.format(Locale.ROOT, "%d: %.1f of %.1f Mbit/s", number, measured / BPS_PER_MBPS,
                             expected / BPS_PER_MBPS);
    }

    /** Returns the named connections, or all with a path if none is named. */
    static List<Connection> chosen(Collection<Connection> all, Set<?> ids) {
        return all.stream()
                .filter(connection -> ids.isEmpty()
                        ? connection.subflows().stream().anyMatch(s -> s.isRouted() && s.expected().larger() > 0)
                        : ids.contains(connection.id()))
                .collect(Collectors.toList());
    }
}
