// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.rest.RestScenario;

/** What no resource is asked is refused in JSON, too. */
class ErrorAnswersTest extends RestScenario {
    @Test
    void anotherMethodIsToldWhichOnesThereAre() throws Exception {
        String refusal = refusal(405, send(ADMIN, "DELETE", "links", ""));
        assertTrue(refusal.startsWith("DELETE is not possible here: send one of "), refusal);
        assertTrue(refusal.contains("GET"), refusal);
    }

    @Test
    void unknownAddressesAreRefused() throws Exception {
        for (String path : List.of("nothing", "links/s1", "connections/1/nothing")) {
            assertEquals("HTTP 404 Not Found", refusal(404, send(ADMIN, "GET", path, "")));
        }
    }

    @Test
    void typesThatNobodyWritesOrReadsAreRefused() throws Exception {
        assertTrue(refusal(406, send(ADMIN, "GET", "links", "", "Accept: image/png")).endsWith("send Accept: application/json, or */*"));
        assertEquals(ErrorAnswers.NOT_JSON, refusal(415, send(ADMIN, "PUT", "settings", "{}", "Content-Type: text/plain")));
    }
}
