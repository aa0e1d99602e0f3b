// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.rest.view.Json;

/** How close all connections together come to the best of any routing. */
@Path("bound")
public class BoundResource extends AbstractWebResource {
    /**
     * Tells the newest comparison, which is a minute old at most while connections are on the network.
     *
     * @return 200 with {@code bound}; null without connections, or if the best routing takes too much work
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response bound() {
        ObjectNode root = mapper().createObjectNode();
        root.set("bound", new Json(mapper()).bound(get(NetworkBoundService.class).bound()));
        return ok(root).build();
    }
}
