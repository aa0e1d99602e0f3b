// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.rest.view.Views;

/** The network that connections run over. */
@Path("topology")
public class TopologyResource extends AbstractWebResource {
    /**
     * Shows switches, hosts, and both directions of every link with capacity, reserved and measured rate.
     *
     * @return 200 with {@code devices}, {@code hosts} and {@code links}
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response topology() {
        return ok(new Views(this::get).topology()).build();
    }
}
