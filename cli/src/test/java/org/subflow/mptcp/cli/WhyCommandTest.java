// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;

/** {@code mptcp-why}. */
class WhyCommandTest extends CommandScenario {
    @BeforeEach
    void offer() {
        FrameworkUtil.offer(SettingsService.class, () -> Settings.DEFAULTS);
    }

    @Test
    void fullLinksWithWhoUsesThem() throws Exception {
        mptcp.narrowLinks(8e6);
        assertEquals(List.of("aaaa0001 is expected to get 8.00 Mbit/s to the server",
                             "  s1/2 > Berlin/1 is full: 8.00 Mbit/s, used by aaaa0001; 1 Mbit/s more there would bring it 1.00",
                             "  1 disjoint paths at most: all lead over s1/2 > Berlin/1"), shell.run("onos:mptcp-why aaaa0001"));
        JsonNode json = shell.json("onos:mptcp-why -j aaaa0001");
        assertEquals("{\"direction\":\"up\",\"limitedByDemand\":false,\"limitedBy\":[{\"source\":\"of:1/2\",\"target\":\"of:2/1\","
                             + "\"sourceName\":\"s1/2\",\"targetName\":\"Berlin/1\",\"capacityMbps\":8.0,\"gainMbps\":1.0,\"connections\":[\"aaaa0001\"]}],"
                             + "\"minimumCut\":[{\"source\":\"of:1/2\",\"target\":\"of:2/1\","
                             + "\"sourceName\":\"s1/2\",\"targetName\":\"Berlin/1\"}]}", json.toString());
    }

    @Test
    void whereNothingIsFullItSaysSo() throws Exception {
        assertEquals("aaaa0001 is expected to get 8.00 Mbit/s to the server; no link on its paths is full",
                     shell.run("onos:mptcp-why aaaa0001").get(0));
    }

    @Test
    void whatCannotBeSaidIsALine() throws Exception {
        assertEquals("No MPTCP connection has the id x; mptcp-connections -a lists them", shell.error("onos:mptcp-why x"));
        end("c9");
        for (String arguments : List.of("c9", "-j c9")) {
            assertEquals("MPTCP connection c9 has ended, and nothing limits it now; it was last expected to get 4.0 Mbit/s to the server",
                         shell.error("onos:mptcp-why " + arguments));
        }
        assertEquals("MPTCP connection cccc0003 has no path between two switches now", shell.error("onos:mptcp-why cccc0003"));
    }
}
