// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.collect.Range;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpPrefix;
import org.subflow.mptcp.api.KnownPolicies;
import org.subflow.mptcp.api.Policies;
import org.subflow.mptcp.api.Policy;
import org.subflow.mptcp.api.PolicyMatch;
import org.subflow.mptcp.api.PolicyService;
import org.subflow.mptcp.placement.JoinPolicy;

/** {@code GET policies}: what network configuration has, in the same words. */
class PoliciesResourceTest extends RestScenario {
    @Test
    void aPolicyHasTheFieldsThatItSets() throws Exception {
        offer(policy("video").match(PolicyMatch.of(
                        List.of(), List.of(), prefix("10.0.0.2/32"), List.of(Range.closed(443, 443), Range.closed(8000, 8099))))
                      .weight(2).refuseBelow(5e6).build(),
              policy("management").match(PolicyMatch.of(prefix("10.0.9.0/24"), List.of(), List.of(), List.of())).managed(false).build(),
              policy("backup").strategy("shortest").subflows(2).joinPolicy(JoinPolicy.BACKUP).cap(20e6)
                      .manageAfterMillis(0).manageAfterBytes(5).build());
        String expected = "{'policies':["
                + "{'name':'video','servers':['10.0.0.2/32'],'ports':[443,'8000-8099'],'weight':2.0,'whenShort':'refuse',"
                + "'minMbps':5.0},"
                + "{'name':'management','hosts':['10.0.9.0/24'],'managed':false},"
                + "{'name':'backup','strategy':'shortest','subflows':2,'joinPolicy':'backup','weight':1.0,'capMbps':20.0,"
                + "'manageAfterMillis':0,'manageAfterBytes':5}]}";
        assertEquals(expected.replace('\'', '"'), get("policies").toString());
    }

    @Test
    void withoutPoliciesTheListIsEmpty() throws Exception {
        offer();
        assertEquals("{\"policies\":[]}", body(200, send(VIEWER, "GET", "policies", "")).toString());
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
