// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.PolicyService;

/** The policies in force; ONOS's network configuration sets them. */
@Path("policies")
public class PoliciesResource extends AbstractWebResource {
    /**
     * Lists the policies, those first that come first.
     *
     * @return 200 with the policies
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response policies() {
        return ok(encodeArray(Policy.class, "policies", get(PolicyService.class).policies())).build();
    }
}
