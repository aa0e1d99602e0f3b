// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Host;
import org.onosproject.net.Link;
import org.onosproject.ui.model.topo.UiLinkId;
import org.onosproject.ui.topo.Highlights;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;

/**
 * Makes ONOS's highlights of connections: a line for each subflow from host to host, and a badge for each host. A subflow
 * without a path is shown at its hosts' links. A label there would lie on the host's name, so the badge tells it. Hosts of
 * connections that are too many to be shown have a badge with their number.
 */
final class SubflowHighlights {
    private final Function<Connection, Measurement> measurements;
    private final Function<FiveTuple, Set<Host>> hosts;
    private final Map<String, LinkLook> links = new LinkedHashMap<>();
    private final Map<String, LinkLook> hostLinks = new LinkedHashMap<>();
    private final Map<String, HostRoles> roles = new LinkedHashMap<>();
    private int number;

    private SubflowHighlights(Function<Connection, Measurement> measurements, Function<FiveTuple, Set<Host>> hosts) {
        this.measurements = measurements;
        this.hosts = hosts;
    }

    /**
     * Makes highlights.
     *
     * @param connections  what to show, and what is left out
     * @param measurements what is measured of a connection
     * @param hosts        the hosts that may send a five-tuple's frames
     * @return the highlights
     */
    static Highlights of(ShownConnections connections, Function<Connection, Measurement> measurements,
                         Function<FiveTuple, Set<Host>> hosts) {
        SubflowHighlights made = new SubflowHighlights(measurements, hosts);
        connections.shown().forEach(made::add);
        connections.left().forEach(made::addLeft);
        Highlights highlights = new Highlights();
        made.links.forEach((id, look) -> highlights.add(look.highlight(id).setLabel(look.label())));
        made.hostLinks.forEach((id, look) -> highlights.add(look.highlight(id)));
        made.roles.forEach((id, roles) -> highlights.add(roles.highlight(id)));
        return highlights;
    }

    private void add(Connection connection) {
        Measurement measurement = measurements.apply(connection);
        Rates all = connection.subflows().stream().map(s -> measurement.rates(s.tuple())).reduce(Rates.ZERO, Rates::plus);
        boolean up = all.up() >= all.down();
        for (Subflow subflow : ShownConnections.subflows(connection)) {
            number++;
            LinkLook.Part part = new LinkLook.Part(number, subflow.state(), measurement.read(subflow).map(rates -> rate(rates, up)).orElse(Double.NaN),
                                                   rate(subflow.expected(), up));
            FiveTuple tuple = subflow.tuple();
            addHost(tuple, subflow.ingress(), subflow.fromClient(), connection, part);
            for (Link link : subflow.path()) {
                look(links, UiLinkId.uiLinkId(link)).add(part);
            }
            addHost(tuple.reversed(), subflow.egress(), !subflow.fromClient(), connection, part);
        }
    }

    /** Adds the link of a host, and its role in the connection. */
    private void addHost(FiveTuple from, ConnectPoint port, boolean isClient, Connection connection, LinkLook.Part part) {
        for (Host host : hosts.apply(from)) {
            // The view names a host's link by the location that ONOS knows, which may have the port's name, too.
            host.locations().stream().filter(port::equals).findFirst().ifPresent(location -> {
                look(hostLinks, UiLinkId.uiLinkId(host.id(), location.deviceId(), location.port())).add(part);
                roles(host).add(role(host, from, isClient), connection.id(), part);
            });
        }
    }

    /** Returns what a host is in a connection if it sends these frames: a router if it has addresses, and others than theirs. */
    private static HostRoles.Role role(Host host, FiveTuple from, boolean isClient) {
        if (!host.ipAddresses().isEmpty() && !host.ipAddresses().contains(from.source())) {
            return HostRoles.Role.ROUTER;
        }
        return isClient ? HostRoles.Role.CLIENT : HostRoles.Role.SERVER;
    }

    /** Counts a connection that is not shown at its hosts. */
    private void addLeft(Connection connection) {
        Subflow first = connection.first();
        addLeft(first.tuple(), first.ingress());
        addLeft(first.tuple().reversed(), first.egress());
    }

    private void addLeft(FiveTuple from, ConnectPoint port) {
        for (Host host : hosts.apply(from)) {
            if (host.locations().stream().anyMatch(port::equals)) {
                roles(host).addLeft();
            }
        }
    }

    private HostRoles roles(Host host) {
        return roles.computeIfAbsent(host.id().toString(), unused -> new HostRoles());
    }

    private static LinkLook look(Map<String, LinkLook> links, UiLinkId link) {
        return links.computeIfAbsent(link.toString(), unused -> new LinkLook());
    }

    private static double rate(Rates rates, boolean up) {
        return up ? rates.up() : rates.down();
    }
}
