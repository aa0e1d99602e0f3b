// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import java.security.Principal;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import javax.ws.rs.core.UriInfo;
import org.onlab.util.ItemNotFoundException;
import org.onosproject.rest.AbstractWebResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.rest.request.ListFilter;
import org.subflow.mptcp.rest.request.ReportFields;
import org.subflow.mptcp.rest.view.MovesJson;
import org.subflow.mptcp.topology.NetworkView;

/** Moves connections to better paths now. */
@Path("reoptimize")
public class ReoptimisationResource extends AbstractWebResource {
    private static final Logger LOG = LoggerFactory.getLogger(ReoptimisationResource.class);

    @Context
    SecurityContext security;
    @Context
    UriInfo address;

    /**
     * Examines connections once and moves those that gain, each without a gap. Moves that gain only together follow by
     * themselves.
     *
     * @param id name of the only connection to examine; all if left out
     * @return 200 with {@code moves}: the connections that begin to move, on their new paths; 404 if there is no connection of
     *         this name, 400 if it cannot be a name, or for another parameter
     */
    @POST
    @Produces(MediaType.APPLICATION_JSON)
    public Response reoptimise(@QueryParam("connection") String id) {
        refuseOtherParameters();
        Optional<ConnectionId> only = Optional.ofNullable(id).map(ConnectionId::of);
        if (only.isPresent() && get(MptcpService.class).connection(only.get()).isEmpty()) {
            throw new ItemNotFoundException("No MPTCP connection has the id " + id);
        }
        String user = Optional.ofNullable(security).map(SecurityContext::getUserPrincipal).map(Principal::getName).orElse("?");
        LOG.info("User {} asks for better paths of {}", user, only.map(ConnectionId::value).orElse("all connections"));
        List<Connection> moved = get(ReoptimisationService.class).reoptimise(only);
        return ok(MovesJson.encode(mapper(), get(NetworkView.class).snapshot(), get(NameService.class), moved)).build();
    }

    /** With a slip in the parameter's name, all connections would move in place of one. */
    private void refuseOtherParameters() {
        ListFilter.refuseNameless(address.getRequestUri().getRawQuery());
        address.getQueryParameters().keySet().stream().filter(name -> !name.equals("connection")).forEach(name -> {
            throw new IllegalArgumentException("'" + ReportFields.shown(name) + "' is no parameter; there is connection");
        });
    }
}
