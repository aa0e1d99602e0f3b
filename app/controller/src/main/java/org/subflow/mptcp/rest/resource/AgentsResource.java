// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onlab.packet.IpAddress;
import org.onlab.util.ItemNotFoundException;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.rest.report.ReportServlet;
import org.subflow.mptcp.rest.request.Listed;
import org.subflow.mptcp.rest.request.ReportFields;
import org.subflow.mptcp.rest.request.SmallBody;

/** The hosts whose agents may report. The reports themselves are {@link ReportServlet}'s. */
@Path("agents")
@Produces(MediaType.APPLICATION_JSON)
public class AgentsResource extends AbstractWebResource {
    /** As the list of a host's addresses may have up to 16; what is longer is not read to its end. */
    private static final int MOST_ADDRESSES = 16;

    /**
     * Lists the hosts with what is known of their agents.
     *
     * @return 200 with the hosts
     */
    @GET
    @Listed(value = "agents", by = {"host=host,addresses", "backend", "version"})
    public Response agents() {
        return ok(encodeArray(AgentStatus.class, "agents", get(AgentService.class).agents())).build();
    }

    /**
     * Registers a host. One that is registered gets a new token if that is asked for; the old one then holds no more.
     *
     * @param host   the address by which it is to be known
     * @param stream nothing, or {@code {"addresses": [ADDRESS, …], "renew": true}} with its further addresses
     * @return 200 with {@code host} and {@code token}, which nobody can ask for again; 400 if the request cannot be
     *         understood; 409 if the host is registered and {@code renew} is not true, if another host has one of the
     *         addresses, or if there are too many hosts; 503 if ONOS's store does not answer
     * @throws IOException if the body cannot be read
     */
    @POST
    @Path("{host}")
    public Response register(@PathParam("host") String host, InputStream stream) throws IOException {
        IpAddress address = ReportFields.address(host);
        JsonNode body = SmallBody.readIfAny(mapper(), stream, "body", "addresses and renew");
        List<IpAddress> further = addresses(body.path("addresses"));
        String token = get(AgentService.class).register(address, further, renew(body.path("renew")));
        ObjectNode root = mapper().createObjectNode().put("host", address.toString()).put("token", token);
        return ok(root).header(HttpHeaders.CACHE_CONTROL, "no-store").build();
    }

    private static boolean renew(JsonNode value) {
        if (!value.isMissingNode() && !value.isBoolean()) {
            throw new IllegalArgumentException("renew is true or false");
        }
        return value.asBoolean();
    }

    private static List<IpAddress> addresses(JsonNode names) {
        if (names.size() > MOST_ADDRESSES || !names.isMissingNode() && !names.isArray()) {
            throw new IllegalArgumentException("addresses is a list of at most " + MOST_ADDRESSES + " addresses");
        }
        List<IpAddress> addresses = new ArrayList<>();
        names.forEach(name -> addresses.add(ReportFields.address(name.asText(""))));
        return addresses;
    }

    /**
     * Removes a host.
     *
     * @param host the address by which it is known
     * @return 204; 404 if it is not registered; 400 if it cannot be an address
     */
    @DELETE
    @Path("{host}")
    public Response remove(@PathParam("host") String host) {
        if (!get(AgentService.class).remove(ReportFields.address(host))) {
            throw new ItemNotFoundException("No host is registered as " + host);
        }
        return Response.noContent().build();
    }
}
