// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.rest.request.Listed;
import org.subflow.mptcp.rest.view.Json;

/** Links between switches, with what MPTCP subflows hold of them. */
@Path("links")
public class LinksResource extends AbstractWebResource {
    /** The states of a link. */
    private enum State { UP, DOWN }

    /**
     * Lists both directions of every link. Those that have failed are down until they are back or ONOS forgets their ports;
     * {@code failed} says since when.
     *
     * @return 200 with the links
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Listed(value = "links", by = {"port=source,target", "source", "target", "state"}, of = "state", words = State.class)
    public Response links() {
        ObjectNode root = encodeArray(LinkUsage.class, "links", get(MptcpService.class).links());
        List<FailedLink> failed = get(FailureService.class).links();
        NameService names = get(NameService.class);
        Json.addDown((ArrayNode) root.get("links"), failed, names);
        root.set("failed", new Json(mapper()).failedLinks(failed, names));
        return ok(root).build();
    }
}
