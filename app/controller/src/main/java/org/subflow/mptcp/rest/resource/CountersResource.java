// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.MptcpService;

/** Counters of packets, handshakes and malformed options. */
@Path("counters")
public class CountersResource extends AbstractWebResource {
    /**
     * Shows all counters.
     *
     * @return 200 with a number for each name
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response counters() {
        ObjectNode root = mapper().createObjectNode();
        ObjectNode counters = root.putObject("counters");
        get(MptcpService.class).counters().forEach(counters::put);
        return ok(root).build();
    }
}
