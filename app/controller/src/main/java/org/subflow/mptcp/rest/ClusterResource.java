// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.ClusterState;
import org.subflow.mptcp.api.ClusterStateService;

/** The ONOS nodes, and which of them decides. */
@Path("cluster")
public class ClusterResource extends AbstractWebResource {
    /**
     * Shows which node decides, and how old the answers of this one are.
     *
     * @return 200 with the state; leader is null while no node decides
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response cluster() {
        ClusterState state = get(ClusterStateService.class).clusterState();
        ObjectNode root = mapper().createObjectNode();
        root.put("node", state.node());
        root.put("nodes", state.nodes());
        root.put("leader", state.leader().orElse(null));
        root.put("term", state.term());
        root.put("ageMillis", state.ageMillis());
        return ok(root).build();
    }
}
