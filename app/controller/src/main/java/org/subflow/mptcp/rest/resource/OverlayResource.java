// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.OverlayService;

/** What the user who asks sees of connections on ONOS's own topology view. */
@Path("overlay")
@Produces(MediaType.APPLICATION_JSON)
public class OverlayResource extends AbstractWebResource {
    @Context
    public SecurityContext security;

    /**
     * Says what is shown.
     *
     * @return 200 with {@code shown}, and the names of the {@code connections}, none for the few largest
     */
    @GET
    public Response shown() {
        Optional<Set<ConnectionId>> shown = get(OverlayService.class).shown(user());
        ObjectNode root = mapper().createObjectNode().put("shown", shown.isPresent());
        ArrayNode names = root.putArray("connections");
        shown.ifPresent(ids -> ids.stream().sorted().forEach(id -> names.add(id.value())));
        return ok(root).build();
    }

    /**
     * Shows connections.
     *
     * @param connections their names; none for the few largest
     * @return 204, or 400 if one cannot be a name
     */
    @PUT
    public Response show(@QueryParam("connection") List<String> connections) {
        Set<ConnectionId> ids = connections.stream().map(ConnectionId::of).collect(Collectors.toSet());
        get(OverlayService.class).show(user(), ids);
        return Response.noContent().build();
    }

    /**
     * Shows nothing any more.
     *
     * @return 204
     */
    @DELETE
    public Response hide() {
        get(OverlayService.class).hide(user());
        return Response.noContent().build();
    }

    private String user() {
        Principal user = security.getUserPrincipal();
        return user == null ? "" : user.getName();
    }
}
