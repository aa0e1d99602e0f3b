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
 * One browser session of ONOS's GUI: pushes its user's highlights, again and again because the view lets them fade, and
 * clears them once when the user wants no more.
 */
final class OverlayHandler extends UiMessageHandler {
    private boolean shows;
    private volatile boolean ended;

    @Override
    protected Collection<RequestHandler> createRequestHandlers() {
        // It only speaks. The set must not be empty; no client of ONOS sends this one.
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

    /** Sends what the session's user wants to see now, if anything has to be sent. */
    synchronized void push() {
        if (ended || connection() == null) {
            return;
        }
        Optional<Set<ConnectionId>> wanted = get(OverlayService.class).shown(connection().userName());
        if (wanted.isPresent()) {
            send(highlights(wanted.get()));
        } else if (shows) {
            send(new Highlights());
        }
        shows = wanted.isPresent();
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
