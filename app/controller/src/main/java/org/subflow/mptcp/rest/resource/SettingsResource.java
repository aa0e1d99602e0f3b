// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.onosproject.rest.AbstractWebResource;
import org.subflow.mptcp.api.policy.SettingsEditService;
import org.subflow.mptcp.rest.request.SmallBody;
import org.subflow.mptcp.rest.view.Views;

/** The settings in force; component configuration may hold values that were refused or have yet to take effect. */
@Path("settings")
@Produces(MediaType.APPLICATION_JSON)
public class SettingsResource extends AbstractWebResource {
    /**
     * Shows the settings in force, under the names that component configuration has for them, with the {@code strategies}
     * that there are, {@code descriptions} of the settings, the application's {@code version} and the controller's time
     * ({@code millis} of the Unix epoch).
     *
     * @return 200 with a value for each name
     */
    @GET
    public Response settings() {
        return ok(new Views(this::get).settings()).build();
    }

    /**
     * Changes the settings that the body names; the others stay as they are. They come into force a moment later.
     *
     * @param stream {@code {NAME: VALUE, …}}
     * @return 200 with all settings as they will be; 400 if there is no such setting, or if it does not take the value, with a
     *         message that says what there is
     * @throws IOException if the body cannot be read
     */
    @PUT
    @Consumes(MediaType.APPLICATION_JSON)
    public Response change(InputStream stream) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        SmallBody.read(mapper(), stream, "body", "settings and their values").fields().forEachRemaining(
                field -> values.put(field.getKey(), field.getValue().isTextual() ? field.getValue().textValue()
                        : field.getValue().toString()));
        return ok(new Views(this::get).settings(get(SettingsEditService.class).change(values))).build();
    }
}
