// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Application;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.rest.view.Views;

/** What there is. */
@Path("")
public class IndexResource extends AbstractWebResource {
    /**
     * Shows the application's {@code version} and the {@code resources} below this address; {@code document} is the address of
     * their Swagger document.
     *
     * @param application all resources
     * @return 200 with these
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response index(@Context Application application) {
        ObjectNode root = mapper().createObjectNode().put("version", Views.version())
                .put("document", "/onos/v1/docs/apis/onos/v1/mptcp/swagger.json");
        application.getClasses().stream().map(resource -> resource.getAnnotation(Path.class)).filter(Objects::nonNull)
                .map(Path::value).filter(path -> !path.isEmpty()).sorted().forEach(root.putArray("resources")::add);
        return ok(root).build();
    }
}
