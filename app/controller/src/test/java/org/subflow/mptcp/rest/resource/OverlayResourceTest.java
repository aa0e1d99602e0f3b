// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.overlay.OverlayChoices;
import org.subflow.mptcp.rest.RestScenario;

/** What each user sees on ONOS's topology view. */
class OverlayResourceTest extends RestScenario {
    private static final String NOTHING = "{\"shown\":false,\"connections\":[]}";
    private static final String ALL = "{\"shown\":true,\"connections\":[]}";

    @BeforeEach
    void choices() {
        offer(OverlayService.class, new OverlayChoices());
    }

    @Test
    void nothingIsShownAtFirst() throws Exception {
        assertEquals(NOTHING, get("overlay").toString());
    }

    @Test
    void allActiveConnectionsAreShown() throws Exception {
        assertEquals(204, send(ADMIN, "PUT", "overlay", "").statusCode());
        assertEquals(ALL, get("overlay").toString());
    }

    @Test
    void someConnectionsAreShownInOrder() throws Exception {
        assertEquals(204, send(ADMIN, "PUT", "overlay?connection=c2&connection=c1&connection=c2", "").statusCode());
        assertEquals("{\"shown\":true,\"connections\":[\"c1\",\"c2\"]}", get("overlay").toString());
    }

    @Test
    void nothingIsShownAnyMore() throws Exception {
        send(ADMIN, "PUT", "overlay", "");
        assertEquals(204, send(ADMIN, "DELETE", "overlay", "").statusCode());
        assertEquals(NOTHING, get("overlay").toString());
    }

    @Test
    void theChoiceOfOneUserIsNotThatOfAnother() throws Exception {
        send(ADMIN, "PUT", "overlay", "");
        assertEquals(NOTHING, body(200, send("somebody:admin", "GET", "overlay", "")).toString());
    }

    @Test
    void whatCannotBeANameChangesNothing() throws Exception {
        assertTrue(refusal(400, send(ADMIN, "PUT", "overlay?connection=c1&connection=%20", ""))
                .contains("is not a connection id"));
        assertEquals(NOTHING, get("overlay").toString());
    }

    @Test
    void viewersMayLookButNotChoose() throws Exception {
        assertEquals(403, send(VIEWER, "PUT", "overlay", "").statusCode());
        assertEquals(403, send(VIEWER, "DELETE", "overlay", "").statusCode());
        assertEquals(NOTHING, body(200, send(VIEWER, "GET", "overlay", "")).toString());
    }
}
