// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.rest.view.Views;

/** The settings in force; component configuration may hold values that were refused or have yet to take effect. */
@Path("settings")
public class SettingsResource extends AbstractWebResource {
    /**
     * Shows the settings in force, under the names that component configuration has for them, with the {@code strategies}
     * that there are, the application's {@code version} and the controller's time ({@code millis} of the Unix epoch).
     *
     * @return 200 with a value for each name
     */
    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public Response settings() {
        return ok(new Views(this::get).settings()).build();
    }
}
