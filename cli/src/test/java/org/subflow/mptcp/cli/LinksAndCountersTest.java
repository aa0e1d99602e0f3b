// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.monitoring.FailedLink;

/** {@code mptcp-links} and {@code mptcp-counters}. */
class LinksAndCountersTest extends CommandScenario {
    @Test
    void theTableOfLinksHasBothDirections() throws Exception {
        List<String> lines = shell.run("onos:mptcp-links");
        assertEquals(4, lines.size());
        assertTrue(lines.get(1).startsWith("FROM "), lines.get(1));
        assertEquals("s1/2               Berlin/1               10.00 portSpeed              8.00      7.50      1.00        2",
                     lines.get(2));
        assertTrue(shell.run("onos:mptcp-links --long").get(2).startsWith("of:1/2             of:2/1  "));
    }

    @Test
    void onlyLinksInUseAreShownOnDemand() throws Exception {
        for (String option : List.of("-u", "--used")) {
            assertEquals(3, shell.run("onos:mptcp-links " + option).size());
            assertEquals(1, shell.json("onos:mptcp-links -j " + option).size());
        }
    }

    @Test
    void delaysAndSharedRiskAreShownWhereTheyAreKnown() throws Exception {
        mptcp.tellOfLinks(2.5, "duct-7", "bridge");
        List<String> lines = shell.run("onos:mptcp-links");
        assertTrue(lines.get(1).endsWith(" DELAY ms  SRLG"), lines.get(1));
        assertTrue(lines.get(2).endsWith("        2     2.50  bridge,duct-7"), lines.get(2));
    }

    @Test
    void aLinkThatHasFailedFollowsTheOthers() throws Exception {
        Link link = mptcp.links().get(0).link();
        failures.links.add(new FailedLink(link, 10e6, 0, Set.of(ConnectionId.of("c1"), ConnectionId.of("c2"))));
        List<String> lines = shell.run("onos:mptcp-links");
        assertEquals(5, lines.size());
        assertTrue(lines.get(4).matches("s1/2 +Berlin/1 +10.00 failed \\d{4}-\\d\\d-\\d\\d \\d\\d:00:00; 2 connections had to leave it"),
                   lines.get(4));
    }

    @Test
    void linksAsJson() throws Exception {
        JsonNode json = shell.json("onos:mptcp-links -j");
        assertEquals(2, json.size());
        assertEquals("{\"source\":\"of:2/1\",\"target\":\"of:1/2\",\"sourceName\":\"Berlin/1\",\"targetName\":\"s1/2\",\"state\":\"up\",\"capacityMbps\":10.0,"
                             + "\"capacitySource\":\"portSpeed\",\"delayMillis\":null,\"reservedMbps\":0.0,"
                             + "\"measuredMbps\":0.25,\"othersMbps\":0.0,\"subflows\":0,\"srlg\":[]}", json.get(1).toString());
    }

    @Test
    void countersAreShownInTheirOrder() throws Exception {
        assertEquals(List.of("segments                                           12",
                             "syn                                                 0"), shell.run("onos:mptcp-counters"));
        assertEquals("{\"segments\":12,\"syn\":0}", shell.json("onos:mptcp-counters -j").toString());
    }

    @Test
    void countersThatHaveNotCountedAreLeftOutOnDemand() throws Exception {
        assertEquals(1, shell.run("onos:mptcp-counters -n").size());
        assertEquals("{\"segments\":12}", shell.json("onos:mptcp-counters -j --nonzero").toString());
    }
}
