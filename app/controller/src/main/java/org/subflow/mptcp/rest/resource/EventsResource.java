// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.rest.request.Listed;
import org.subflow.mptcp.rest.view.Json;

/** What has happened to connections. */
@Path("events")
public class EventsResource extends AbstractWebResource {
    /**
     * Lists the newest events of all connections, 500 at most.
     *
     * @return 200 with the events, oldest first
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Listed(value = "events", by = {"type", "connection"}, of = "type", words = LifeEvent.Kind.class)
    public Response events() {
        ObjectNode root = mapper().createObjectNode();
        root.set("events", new Json(mapper()).events(get(HistoryService.class).newest(Json.MOST_EVENTS)));
        return ok(root).build();
    }
}
