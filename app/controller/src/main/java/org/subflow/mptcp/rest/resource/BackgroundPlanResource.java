// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.rest.request.ErrorAnswers;
import org.subflow.mptcp.rest.request.UserLimit;
import org.subflow.mptcp.rest.view.MovesJson;
import org.subflow.mptcp.topology.NetworkView;

/** How several connections would move for the good of all together. Changes nothing. */
@Path("plan/background")
public class BackgroundPlanResource extends AbstractWebResource {
    private static final UserLimit LIMIT = new UserLimit(1, 1);
    private static final int TOO_MANY_REQUESTS = 429;

    /**
     * Computes a plan.
     *
     * @return 200 with {@code moves}: connections on their new paths, in the order in which they would move; 429 if another
     *         plan is being computed for somebody
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response plan() {
        if (!LIMIT.enter("")) {
            return ErrorAnswers.of(TOO_MANY_REQUESTS, "another plan is being computed; ask again later");
        }
        try {
            List<Connection> moved = get(BackgroundPlanService.class).backgroundPlan();
            return ok(MovesJson.encode(mapper(), get(NetworkView.class).snapshot(), get(NameService.class), moved)).build();
        } finally {
            LIMIT.leave("");
        }
    }
}
