// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.host.HostService;
import org.onosproject.ui.RequestHandler;
import org.onosproject.ui.UiMessageHandler;
import org.onosproject.ui.topo.AbstractHighlight;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.HostHighlight;
import org.onosproject.ui.topo.LinkHighlight;
import org.onosproject.ui.topo.LinkHighlight.Flavor;
import org.onosproject.ui.topo.TopoJson;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.OverlayService;

/**
 * One browser session of ONOS's GUI. Pushes the user's highlights repeatedly, because the view lets links fade. The view keeps
 * badges until their host is sent one without, and it ignores an empty list. So what is no longer shown is sent once more,
 * plain.
 */
final class OverlayHandler extends UiMessageHandler {
    private Set<String> sentLinks = Set.of();
    private Set<String> sentHosts = Set.of();
    private volatile boolean ended;

    @Override
    protected Collection<RequestHandler> createRequestHandlers() {
        // ONOS requires at least one request. No client of ONOS sends this one.
        return List.of(new RequestHandler("mptcpOverlayRefresh") {
            @Override
            public void process(ObjectNode payload) {
                push();
            }
        });
    }

    @Override
    public void destroy() {
        ended = true;
        super.destroy();
    }

    /** Returns whether the session has ended. */
    boolean isEnded() {
        return ended;
    }

    /**
     * Sends the highlights that the session's user has switched on, and takes away those that are no longer among them: all
     * after they are switched off, those of connections that have ended, and those of another choice.
     */
    synchronized void push() {
        if (ended || connection() == null) {
            return;
        }
        send(get(OverlayService.class).shown(connection().userName()).map(this::highlights).orElseGet(Highlights::new));
    }

    /** Takes away everything that was sent, and ends the session for us. */
    synchronized void end() {
        if (!ended && connection() != null) {
            send(new Highlights());
        }
        ended = true;
    }

    private void send(Highlights highlights) {
        Set<String> links = ids(highlights.links());
        Set<String> hosts = ids(highlights.hosts());
        sentLinks.stream().filter(id -> !links.contains(id))
                .forEach(id -> highlights.add(new LinkHighlight(id, Flavor.NO_HIGHLIGHT)));
        sentHosts.stream().filter(id -> !hosts.contains(id)).forEach(id -> highlights.add(new HostHighlight(id)));
        if (!highlights.links().isEmpty() || !highlights.hosts().isEmpty()) {
            sendMessage(TopoJson.topo2HighlightsMessage(highlights));
        }
        sentLinks = links;
        sentHosts = hosts;
    }

    private static Set<String> ids(Collection<? extends AbstractHighlight> highlights) {
        return highlights.stream().map(AbstractHighlight::elementId).collect(Collectors.toSet());
    }

    private Highlights highlights(Set<ConnectionId> ids) {
        MptcpService mptcp = get(MptcpService.class);
        return SubflowHighlights.of(ShownConnections.of(mptcp.connections(), ids),
                                    connection -> mptcp.measurement(connection.id()),
                                    this::hosts);
    }

    /** Returns the host that sends a five-tuple's frames, perhaps a router; all with its address if no frame has shown it. */
    private Set<Host> hosts(FiveTuple from) {
        HostService hosts = get(HostService.class);
        if (from.sourceHost().equals(HostId.NONE)) {
            return hosts.getHostsByIp(from.source());
        }
        Host host = hosts.getHost(from.sourceHost());
        return host == null ? Set.of() : Set.of(host);
    }
}
