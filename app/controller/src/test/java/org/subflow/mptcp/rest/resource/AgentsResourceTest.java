// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.host.AgentBench;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.store.ConnectionStore;

/** Hosts with agents over HTTP, for users. */
class AgentsResourceTest extends RestScenario {
    private final AgentBench bench = new AgentBench(new ConnectionStore(new HashMap<>(), now -> now, LoopGuard.NONE), () -> 0);

    @BeforeEach
    void agents() {
        offer(AgentService.class, bench.agents);
    }

    private String register(String host, String body) throws Exception {
        return body(200, send(ADMIN, "POST", "agents/" + host, body)).path("token").asText();
    }

    @Test
    void aHostIsRegisteredAndRemoved() throws Exception {
        assertEquals("{\"agents\":[]}", get("agents").toString());
        String token = register("10.0.0.1", "");
        assertTrue(bench.agents.login(IpAddress.valueOf("10.0.0.1"), token).isPresent());
        assertEquals("{\"agents\":[{\"host\":\"10.0.0.1\",\"addresses\":[\"10.0.0.1\"],\"lastReportMillis\":null,"
                             + "\"backend\":\"\",\"pathManager\":\"\",\"connections\":0,\"version\":\"\"}]}", get("agents").toString());
        assertEquals(204, send(ADMIN, "DELETE", "agents/10.0.0.1", "").statusCode());
        assertTrue(refusal(404, send(ADMIN, "DELETE", "agents/10.0.0.1", "")).contains("10.0.0.1"));
        assertEquals("{\"agents\":[]}", get("agents").toString());
    }

    @Test
    void aHostMayHaveSeveralAddresses() throws Exception {
        register("10.0.0.1", "{\"addresses\":[\"10.0.0.11\",\"fd00::1\"]}");
        JsonNode agent = get("agents").at("/agents/0");
        assertEquals("[\"10.0.0.1\",\"10.0.0.11\",\"fd00::1\"]", agent.path("addresses").toString());
        assertTrue(refusal(409, send(ADMIN, "POST", "agents/fd00::1", "")).contains("10.0.0.1"));
        String tooMany = IntStream.range(1, 18).mapToObj(number -> "\"10.0.1." + number + "\"").collect(Collectors.joining(","));
        refusal(400, send(ADMIN, "POST", "agents/10.0.0.2", "{\"addresses\":[" + tooMany + "]}"));
    }

    @Test
    void aTokenIsRenewedOnlyIfThatIsAskedFor() throws Exception {
        String first = register("10.0.0.1", "");
        assertTrue(refusal(409, send(ADMIN, "POST", "agents/10.0.0.1", "{}")).contains("renew"));
        assertTrue(bench.agents.login(IpAddress.valueOf("10.0.0.1"), first).isPresent());
        String second = register("10.0.0.1", "{\"renew\":true}");
        assertFalse(bench.agents.login(IpAddress.valueOf("10.0.0.1"), first).isPresent());
        assertTrue(bench.agents.login(IpAddress.valueOf("10.0.0.1"), second).isPresent());
    }

    @Test
    void whileTheStoreDoesNotAnswerNothingIsHandedOut() throws Exception {
        String token = register("10.0.0.1", "");
        bench.storeAnswers = false;
        assertTrue(refusal(503, send(ADMIN, "POST", "agents/10.0.0.1", "{\"renew\":true}")).contains("try again"));
        refusal(503, send(ADMIN, "DELETE", "agents/10.0.0.1", ""));
        assertTrue(bench.agents.login(IpAddress.valueOf("10.0.0.1"), token).isPresent());
        offer(AgentService.class, bench.restarted());
        assertTrue(refusal(503, send(ADMIN, "GET", "agents", "")).contains("try again"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://elsewhere.example",
        "Origin: null", "Origin: http://127.0.0.1", "Origin: :", "Content-Type: text/plain",
        "Content-Type: application/x-www-form-urlencoded", "Content-Type: */*"})
    void aPageOfAnotherSiteChangesNothing(String header) throws Exception {
        String token = register("10.0.0.1", "");
        int status = header.startsWith("Content-Type") ? 415 : 403;
        refusal(status, send(ADMIN, "POST", "agents/10.0.0.1", "{\"renew\":true}", header));
        if (status == 403) {
            refusal(status, send(ADMIN, "DELETE", "agents/10.0.0.1", "", header));
        }
        assertTrue(bench.agents.login(IpAddress.valueOf("10.0.0.1"), token).isPresent());
    }

    @Test
    void ourOwnPageAndProgramsMayChangeThings() throws Exception {
        register("10.0.0.1", "");
        for (String header : List.of("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Origin: " + origin(), "Accept: */*",
                                     "Content-Type: application/json; charset=utf-8")) {
            assertEquals(200, send(ADMIN, "POST", "agents/10.0.0.1", "{\"renew\":true}", header).statusCode(), header);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{", "{\"addresses\":7}", "{\"addresses\":{}}", "{\"addresses\":[7]}", "{\"addresses\":[\"x\"]}",
        "{\"addresses\":null}", "{\"renew\":1}", "{\"renew\":\"yes\"}"})
    void aBodyThatCannotBeIsRefused(String body) throws Exception {
        assertFalse(refusal(400, send(ADMIN, "POST", "agents/10.0.0.1", body)).contains("\n"));
        assertEquals("{\"agents\":[]}", get("agents").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "10.0.0", "10.0.0.1:80", "%20", "10.0.0.0%2F8"})
    void whatIsNoAddressIsRefused(String host) throws Exception {
        assertTrue(refusal(400, send(ADMIN, "POST", "agents/" + host, "")).contains("is no IP address"));
        assertTrue(refusal(400, send(ADMIN, "DELETE", "agents/" + host, "")).contains("is no IP address"));
    }

    @Test
    void viewersMayLookAndNothingElse() throws Exception {
        assertEquals(200, send(VIEWER, "GET", "agents", "").statusCode());
        assertEquals(403, send(VIEWER, "POST", "agents/10.0.0.1", "").statusCode());
        assertEquals(403, send(VIEWER, "DELETE", "agents/10.0.0.1", "").statusCode());
        assertEquals("{\"agents\":[]}", get("agents").toString());
    }
}
