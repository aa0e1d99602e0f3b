// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onosproject.rest.AbstractWebResource;

/** The network that connections run over, and the settings in force. */
@Path("")
public class TopologyResource extends AbstractWebResource {
    /**
     * Shows switches, hosts, and both directions of every link with capacity, reserved and measured rate.
     *
     * @return 200 with {@code devices}, {@code hosts} and {@code links}
     */
    @GET
    @Path("topology")
    @Produces(MediaType.APPLICATION_JSON)
    public Response topology() {
        return ok(new Views(new DefaultServiceDirectory()).topology()).build();
    }

    /**
     * Shows the settings in force, the strategies that there are, the application's version and the controller's time.
     *
     * @return 200 with the settings
     */
    @GET
    @Path("settings")
    @Produces(MediaType.APPLICATION_JSON)
    public Response settings() {
        return ok(new Views(new DefaultServiceDirectory()).settings()).build();
    }
}
