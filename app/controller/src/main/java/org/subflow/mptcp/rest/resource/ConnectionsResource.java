// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.onlab.util.ItemNotFoundException;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.rest.request.Listed;
import org.subflow.mptcp.rest.request.SmallBody;
import org.subflow.mptcp.rest.request.UserLimit;
import org.subflow.mptcp.rest.view.ConnectionCodec;
import org.subflow.mptcp.rest.view.Json;

/** MPTCP connections. */
@Path("connections")
@Produces(MediaType.APPLICATION_JSON)
public class ConnectionsResource extends AbstractWebResource {
    @Context
    SecurityContext security;

    /**
     * Lists the connections that are known, idle ones too, oldest first; and those that have ended, as they were last, for
     * {@code retentionSeconds}.
     *
     * @return 200 with the connections
     */
    @GET
    @Listed(value = "connections", by = {"state", "host=client,server", "client", "server", "policy", "strategy"},
            of = "state", words = ConnectionState.class)
    public Response connections() {
        ObjectNode root = encodeArray(Connection.class, "connections", get(MptcpService.class).connections());
        root.set("ended", new ConnectionCodec().ended(get(HistoryService.class).ended(), this));
        return ok(root).build();
    }

    /**
     * Shows one connection; also one that has ended, as it was last, for {@code retentionSeconds}.
     *
     * @param id its name
     * @return 200 with the connection, of one that has ended with endedMillis; 404 if there is none of this name, 400 if it cannot be a name
     */
    @GET
    @Path("{id}")
    public Response connection(@PathParam("id") String id) {
        ConnectionId name = ConnectionId.of(id);
        return ok(get(MptcpService.class).connection(name).map(connection -> codec(Connection.class).encode(connection, this))
                .or(() -> get(HistoryService.class).ended(name).map(ended -> new ConnectionCodec().encode(ended, this)))
                .orElseThrow(() -> unknown(name))).build();
    }

    /**
     * Says what limits a connection in the direction with the larger expected throughput: the full links on its paths, who else
     * uses them, and what 1 Mbit/s more on one of them alone would bring it; and over which links all its paths must lead.
     *
     * @param id its name
     * @return 200 with the links; 404 if there is none of this name; 409 if it has no path between two switches, or has ended: the
     *         message says what is kept; 400 if it cannot be a name; 429 if too many questions are being answered, of this user or of all
     * @throws IOException never
     */
    @GET
    @Path("{id}/limits")
    public Response limits(@PathParam("id") String id) throws IOException {
        return UserLimit.QUESTIONS.within(security, () -> {
            MptcpService mptcp = get(MptcpService.class);
            ConnectionId name = ConnectionId.of(id);
            if (mptcp.connection(name).isEmpty()) {
                throw get(HistoryService.class).ended(name).<RuntimeException>map(ShareLimits::ofEnded).orElseGet(() -> unknown(name));
            }
            String allocator = get(SettingsService.class).settings().get(Settings.ALLOCATOR);
            return ok(codec(ShareLimits.class).encode(ShareLimits.of(mptcp, allocator, name), this)).build();
        });
    }

    /**
     * Adds a connection that has not started. It has its paths, rules and reservations at once, and gives them back if it does
     * not start in time.
     *
     * @param stream {@code {"subflows": [{"src": ADDRESS:PORT, "dst": ADDRESS:PORT}, …], "seconds": SECONDS}}; the first
     *               subflow is that of the handshake with MP_CAPABLE; seconds is 300 if left out
     * @return 201 with the connection; 400 if the body cannot be understood; 409 if the connection cannot be admitted now
     * @throws IOException if the body cannot be read
     */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response add(InputStream stream) throws IOException {
        JsonNode body = SmallBody.read(mapper(), stream, "connection", "subflows and seconds");
        JsonNode seconds = body.path("seconds");
        if (!seconds.isMissingNode() && !(seconds.isIntegralNumber() && seconds.canConvertToInt())) {
            throw new IllegalArgumentException("seconds is a whole number");
        }
        Connection added = get(AwaitedService.class).add(subflows(body.path("subflows")), seconds.asInt(AwaitedService.SECONDS));
        return Response.created(URI.create("connections/" + added.id()))
                .entity(codec(Connection.class).encode(added, this)).build();
    }

    private static ItemNotFoundException unknown(ConnectionId id) {
        return new ItemNotFoundException("No MPTCP connection has the id " + id);
    }

    private static List<FiveTuple> subflows(JsonNode list) {
        if (!list.isArray() || list.size() == 0) {
            throw new IllegalArgumentException("subflows is a list of objects with src and dst");
        }
        List<FiveTuple> tuples = new ArrayList<>();
        list.forEach(subflow -> tuples.add(FiveTuple.parse(subflow.path("src").asText(""), subflow.path("dst").asText(""))));
        return tuples;
    }

    /**
     * Removes a connection that has been added and has not started: its rules and reservations go.
     *
     * @param id its name
     * @return 204; 404 if there is none of this name; 409 if it has started; 400 if it cannot be a name
     */
    @DELETE
    @Path("{id}")
    public Response remove(@PathParam("id") String id) {
        if (!get(AwaitedService.class).remove(ConnectionId.of(id))) {
            throw unknown(ConnectionId.of(id));
        }
        return Response.noContent().build();
    }

    /**
     * Tells the life of a connection as far as it is remembered, also for a while after its end.
     *
     * @param id its name
     * @return 200 with its events, oldest first; 404 if nothing is known of it, 400 if it cannot be a name
     */
    @GET
    @Path("{id}/events")
    @Listed(value = "events", by = "type", of = "type", words = LifeEvent.Kind.class)
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
