// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsEditService;
import org.subflow.mptcp.config.SettingsEditor;
import org.subflow.mptcp.rest.RestScenario;

/** {@code PUT settings}: checked, and all or nothing. */
class SettingsResourceTest extends RestScenario {
    private final List<String> set = new ArrayList<>();

    @BeforeEach
    void offer() {
        offer(SettingsEditService.class, new SettingsEditor(new ComponentConfigAdapter() {
            @Override
            public void setProperty(String component, String name, String value) {
                set.add(component + " " + name + " " + value);
            }
        }, () -> settings));
    }

    @Test
    void thoseThatAreNamedChangeAndTheOthersStay() throws Exception {
        JsonNode json = body(200, send(ADMIN, "PUT", "settings", "{\"joinPolicy\": \"backup\", \"idleSeconds\": 20}"));
        assertEquals("backup", json.path("joinPolicy").asText());
        assertEquals(20, json.path("idleSeconds").asInt());
        assertEquals("multiflow", json.path("strategy").asText());
        assertEquals(List.of("org.subflow.mptcp.config.MptcpSettings joinPolicy backup",
                             "org.subflow.mptcp.config.MptcpSettings idleSeconds 20"), set);
        assertEquals(200, send(ADMIN, "PUT", "settings", "{}").statusCode());
    }

    @Test
    void aWrongOneIsRefusedWithTheChoicesAndNothingChanges() throws Exception {
        assertEquals("joinPolicy = perhaps: it takes 'share', 'backup' or 'block'",
                     refusal(400, send(ADMIN, "PUT", "settings", "{\"idleSeconds\": 20, \"joinPolicy\": \"perhaps\"}")));
        for (String wrong : List.of("0", "1.5", "null", "[20]", "true", "\"\"", "99999999999")) {
            assertTrue(refusal(400, send(ADMIN, "PUT", "settings", "{\"idleSeconds\": " + wrong + "}"))
                               .contains("it takes a whole number from 1 to 86400"), wrong);
        }
        assertTrue(refusal(400, send(ADMIN, "PUT", "settings", "{\"idle\": 5}")).startsWith("no setting 'idle'; there are strategy, "));
        assertEquals("the body is an object with settings and their values", refusal(400, send(ADMIN, "PUT", "settings", "[]")));
        assertEquals(403, send(VIEWER, "PUT", "settings", "{\"idleSeconds\": 20}").statusCode());
        assertEquals(List.of(), set);
    }

    @Test
    void allAreDescribed() throws Exception {
        JsonNode descriptions = get("settings").path("descriptions");
        assertEquals(Settings.ALL.size(), descriptions.size());
        assertEquals("{\"name\":\"joinPolicy\",\"default\":\"share\",\"takes\":\"'share', 'backup' or 'block'\",\"meaning\":"
                             + "\"What is done with an MP_JOIN for which no disjoint path is left\","
                             + "\"choices\":[\"share\",\"backup\",\"block\"]}", descriptions.get(3).toString());
    }
}
