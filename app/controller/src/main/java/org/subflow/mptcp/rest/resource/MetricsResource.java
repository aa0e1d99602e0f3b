// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.ClusterStateService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.metrics.Metrics;

/** Metrics for Prometheus. */
@Path("metrics")
public class MetricsResource extends AbstractWebResource {
    /**
     * Writes all metrics in Prometheus' text format; rates are bytes/s, times seconds.
     *
     * @return 200 with the text
     * @throws IOException never, as the text is made in memory
     */
    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public Response metrics() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Metrics.of(get(MptcpService.class), get(RuleTimesService.class), get(NameService.class),
                   get(NetworkBoundService.class), get(ClusterStateService.class)).write(text);
        return ok(text.toByteArray()).type(Metrics.CONTENT_TYPE).build();
    }
}
