// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onlab.util.ItemNotFoundException;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.HistoryService;
import org.subflow.mptcp.api.LifeEvent;
import org.subflow.mptcp.api.MptcpService;

/** MPTCP connections. */
@Path("connections")
public class ConnectionsResource extends AbstractWebResource {
    /**
     * Lists the connections that are known, idle ones too, oldest first.
     *
     * @return 200 with the connections
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response connections() {
        return ok(encodeArray(Connection.class, "connections", get(MptcpService.class).connections())).build();
    }

    /**
     * Shows one connection.
     *
     * @param id its name
     * @return 200 with the connection, 404 if there is none of this name, 400 if it cannot be a name
     */
    @GET
    @Path("{id}")
    @Produces(MediaType.APPLICATION_JSON)
    public Response connection(@PathParam("id") String id) {
        Connection connection = get(MptcpService.class).connection(ConnectionId.of(id))
                .orElseThrow(() -> new ItemNotFoundException("No MPTCP connection has the id " + id));
        return ok(codec(Connection.class).encode(connection, this)).build();
    }

    /**
     * Tells the life of a connection as far as it is remembered, also for a while after its end.
     *
     * @param id its name
     * @return 200 with its events, oldest first; 404 if nothing is known of it, 400 if it cannot be a name
     */
    @GET
    @Path("{id}/events")
    @Produces(MediaType.APPLICATION_JSON)
    public Response events(@PathParam("id") String id) {
        ConnectionId name = ConnectionId.of(id);
        List<LifeEvent> events = get(HistoryService.class).events(name);
        if (events.isEmpty() && get(MptcpService.class).connection(name).isEmpty()) {
            throw new ItemNotFoundException("No MPTCP connection has or had the id " + id);
        }
        ObjectNode root = mapper().createObjectNode();
        root.set("events", new Json(mapper()).events(events));
        return ok(root).build();
    }
}
