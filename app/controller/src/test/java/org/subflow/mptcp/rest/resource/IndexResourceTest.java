// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.rest.RestScenario;

/** {@code GET /onos/v1/mptcp}. */
class IndexResourceTest extends RestScenario {
    @Test
    void allResourcesAreThere() throws Exception {
        JsonNode resources = get("").path("resources");
        assertTrue(resources.size() > 10, resources::toString);
        for (JsonNode resource : resources) {
            // Each answers or says what it can be asked.
            int status = send(ADMIN, "OPTIONS", resource.asText(), "").statusCode();
            assertEquals(200, status, resource::toString);
        }
    }
}
