// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.rest.request.ContentTag;
import org.subflow.mptcp.rest.request.ErrorAnswers;
import org.subflow.mptcp.rest.request.Listed;
import org.subflow.mptcp.rest.request.SmallBody;

/** The policies in force; ONOS's network configuration sets them. */
@Path("policies")
@Produces(MediaType.APPLICATION_JSON)
public class PoliciesResource extends AbstractWebResource {
    /** Somebody else has changed the policies meanwhile. */
    private static final class Outdated extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Lists the policies, those first that come first.
     *
     * @return 200 with the policies
     */
    @GET
    @Listed(value = "policies", by = {"name", "strategy", "managed"})
    public Response policies() {
        return ok(list(get(PolicyService.class).policies())).build();
    }

    /**
     * Replaces all policies. With {@code If-Match}, this happens only if nobody has changed them since a {@code GET policies} with
     * that {@code ETag}. They come into force a moment later.
     *
     * @param request the request's conditions
     * @param stream  {@code {"policies": [POLICY, …]}}, as network configuration has them
     * @return 200 with the policies; 400 if a policy is unusable, with a message that names it; 412 if they have changed
     * @throws IOException if the body cannot be read
     */
    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public Response replace(@Context Request request, InputStream stream) throws IOException {
        JsonNode policies = SmallBody.readLong(mapper(), stream, "body", "policies").path("policies");
        if (!policies.isArray()) {
            throw new IllegalArgumentException("policies is a list");
        }
        PolicyEditService editor = get(PolicyEditService.class);
        try {
            editor.change((configured, list) -> {
                if (request.evaluatePreconditions(ContentTag.of(list(configured))) != null) {
                    throw new Outdated();
                }
                list.removeAll().addAll((ArrayNode) policies);
            });
        } catch (Outdated e) {
            return ErrorAnswers.of(Response.Status.PRECONDITION_FAILED.getStatusCode(),
                                   "the policies have changed meanwhile; GET policies has the newest ones");
        }
        ObjectNode now = list(editor.configured());
        return ok(now).tag(ContentTag.of(now)).build();
    }

    private ObjectNode list(List<Policy> policies) {
        return encodeArray(Policy.class, "policies", policies);
    }
}
