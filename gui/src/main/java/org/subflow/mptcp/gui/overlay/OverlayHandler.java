// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.host.HostService;
import org.onosproject.ui.RequestHandler;
import org.onosproject.ui.UiMessageHandler;
import org.onosproject.ui.topo.Highlights;
import org.onosproject.ui.topo.TopoJson;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.OverlayService;

/**
 * One browser session of ONOS's GUI. Pushes the user's highlights repeatedly, because the view lets them fade, and clears
 * them once when the user has switched them off.
 */
final class OverlayHandler extends UiMessageHandler {
    private boolean shows;
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

    /** Sends the highlights that the session's user has switched on; clears them once after they are switched off. */
    synchronized void push() {
        if (ended || connection() == null) {
            return;
        }
        Optional<Set<ConnectionId>> shown = get(OverlayService.class).shown(connection().userName());
        if (shown.isPresent()) {
            send(highlights(shown.get()));
        } else if (shows) {
            send(new Highlights());
        }
        shows = shown.isPresent();
    }

    private void send(Highlights highlights) {
        sendMessage(TopoJson.topo2HighlightsMessage(highlights));
    }

    private Highlights highlights(Set<ConnectionId> ids) {
        MptcpService mptcp = get(MptcpService.class);
        return SubflowHighlights.of(SubflowHighlights.chosen(mptcp.connections(), ids),
                                    connection -> mptcp.measurement(connection.id()),
                                    get(HostService.class)::getHostsByIp);
    }
}
