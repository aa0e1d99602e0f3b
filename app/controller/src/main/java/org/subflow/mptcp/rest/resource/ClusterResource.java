// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.monitoring.ClusterState;
import org.subflow.mptcp.api.monitoring.ClusterStateService;

/** The ONOS nodes, and which of them decides. */
@Path("cluster")
public class ClusterResource extends AbstractWebResource {
    /**
     * Shows which node decides, and how old the answers of this one are.
     *
     * @return 200 with the state; leader is null while no node decides, and message then says why
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response cluster() {
        ClusterState state = get(ClusterStateService.class).clusterState();
        ObjectNode root = mapper().createObjectNode();
        root.put("node", state.node());
        root.put("nodes", state.nodes());
        state.others().forEach(root.putArray("others")::add);
        root.put("leader", state.leader().orElse(null));
        root.put("term", state.term());
        root.put("ageMillis", state.ageMillis());
        root.put("state", state(state));
        root.put("message", message(state));
        root.put("ready", state.isReady());
        state.unwatched().forEach(root.putArray("unwatched")::add);
        return ok(root).build();
    }

    private static String state(ClusterState state) {
        if (state.leader().isEmpty()) {
            return "undecided";
        }
        return state.leader().get().equals(state.node()) ? "decides" : "follows";
    }

    private static String message(ClusterState state) {
        if (state.leader().isPresent()) {
            return null;
        }
        return state.isStorageThere()
                ? "no node decides just now: the next one begins within seconds; connections keep their paths"
                : "the storage nodes do not answer this node, so nobody decides: connections keep their paths, new ones get none";
    }
}
