// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.google.common.collect.Range;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.subflow.mptcp.api.policy.KnownPolicies;
import org.subflow.mptcp.api.policy.Policies;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.PolicyEditService;
import org.subflow.mptcp.api.policy.PolicyMatch;
import org.subflow.mptcp.api.policy.PolicyService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.rest.RestScenario;

/** {@code GET policies}: what network configuration has, in the same words. */
class PoliciesResourceTest extends RestScenario {
    @Test
    void aPolicyHasTheFieldsThatItSets() throws Exception {
        offer(policy("video").match(PolicyMatch.of(
                        List.of(), List.of(), prefix("10.0.0.2/32"), List.of(Range.closed(443, 443), Range.closed(8000, 8099))))
                      .weight(2).refuseBelow(5e6).build(),
              policy("management").match(PolicyMatch.of(prefix("10.0.9.0/24"), List.of(), List.of(), List.of())).managed(false).build(),
              policy("backup").with(Settings.STRATEGY, "shortest").with(Settings.SUBFLOWS, 2)
                      .with(Settings.JOIN_POLICY, JoinPolicy.BACKUP).cap(20e6)
                      .with(Settings.MANAGE_AFTER_MILLIS, 0).with(Settings.MANAGE_AFTER_BYTES, 5).build());
        String expected = "{'policies':["
                + "{'name':'video','servers':['10.0.0.2/32'],'ports':[443,'8000-8099'],'weight':2.0,'whenShort':'refuse',"
                + "'minMbps':5.0},"
                + "{'name':'management','hosts':['10.0.9.0/24'],'managed':false},"
                + "{'name':'backup','strategy':'shortest','subflows':2,'joinPolicy':'backup','manageAfterMillis':0,"
                + "'manageAfterBytes':5,'weight':1.0,'capMbps':20.0}]}";
        assertEquals(expected.replace('\'', '"'), get("policies").toString());
    }

    @Test
    void withoutPoliciesTheListIsEmpty() throws Exception {
        offer();
        assertEquals("{\"policies\":[]}", body(200, send(VIEWER, "GET", "policies", "")).toString());
    }

    private HttpResponse<String> put(String condition, String policies) throws Exception {
        return send(ADMIN, "PUT", "policies", "{\"policies\": " + policies.replace('\'', '"') + "}", condition);
    }

    @Test
    void theyAreReplacedUnlessSomebodyElseHasChangedThem() throws Exception {
        Configured configured = new Configured();
        offer(PolicyEditService.class, configured);
        offer(PolicyService.class, new KnownPolicies(() -> Policies.of(configured.configured())));
        String empty = send(VIEWER, "GET", "policies", "").headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> first = put("If-Match: " + empty, "[{'name': 'a'}]");
        assertEquals("{\"policies\":[{\"name\":\"a\",\"weight\":1.0}]}", body(200, first).toString());
        assertTrue(refusal(412, put("If-Match: " + empty, "[{'name': 'b'}]")).contains("have changed"));
        assertEquals("a", get("policies").at("/policies/0/name").asText());

        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertEquals(tag, send(VIEWER, "GET", "policies", "").headers().firstValue("ETag").orElseThrow());
        assertEquals(200, put("If-Match: " + tag, "[{'name': 'b'}]").statusCode());
        assertEquals(200, put("If-Match: *", "[{'name': 'c'}]").statusCode());
        assertEquals(200, put("Accept: */*", "[]").statusCode());
        assertEquals("{\"policies\":[]}", get("policies").toString());
    }

    @Test
    void whatIsUnusableIsRefused() throws Exception {
        offer(PolicyEditService.class, new Configured());
        for (String policies : List.of("7", "{}", "null")) {
            assertEquals("policies is a list", refusal(400, put("Accept: */*", policies)));
        }
        assertEquals("not today", refusal(400, put("Accept: */*", "[{'name': 'bad'}]")));
        assertEquals(403, send(VIEWER, "PUT", "policies", "{\"policies\": []}").statusCode());
    }

    /** Policies of which only the names are read. */
    private static final class Configured implements PolicyEditService {
        private ArrayNode list = MAPPER.createArrayNode();

        @Override
        public List<Policy> configured() {
            List<Policy> policies = new ArrayList<>();
            list.forEach(policy -> policies.add(policy(policy.path("name").asText()).build()));
            return policies;
        }

        @Override
        public ArrayNode change(BiConsumer<List<Policy>, ArrayNode> change) {
            ArrayNode changed = list.deepCopy();
            change.accept(configured(), changed);
            if (changed.at("/0/name").asText().equals("bad")) {
                throw new IllegalArgumentException("not today");
            }
            list = changed;
            return changed;
        }
    }

    private static Policy.Builder policy(String name) {
        return Policy.named(name);
    }

    private static List<IpPrefix> prefix(String text) {
        return List.of(IpPrefix.valueOf(text));
    }

    private static void offer(Policy... policies) {
        offer(PolicyService.class, new KnownPolicies(() -> Policies.of(List.of(policies))));
    }
}
