// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.agent.AgentService;
import org.subflow.mptcp.api.agent.AgentStatus;

/** {@code mptcp-agents}. */
class AgentsCommandTest extends CommandScenario {
    @BeforeEach
    void agents() {
        IpAddress one = IpAddress.valueOf("10.0.0.1");
        IpAddress other = IpAddress.valueOf("10.0.0.2");
        List<AgentStatus> agents = List.of(
                new AgentStatus(one, List.of(one, IpAddress.valueOf("fd00::1")), OptionalLong.of(1234), "bpf", "0.1.0", 7, "user"),
                new AgentStatus(other, List.of(other), OptionalLong.empty(), "", "", 0, ""));
        FrameworkUtil.offer(AgentService.class, new AgentService() {
            @Override
            public List<AgentStatus> agents() {
                return agents;
            }

            @Override
            public String register(IpAddress host, Collection<IpAddress> further, boolean renew) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean remove(IpAddress host) {
                throw new UnsupportedOperationException();
            }
        });
    }

    @Test
    void theTableHasALineForEachHost() throws Exception {
        assertEquals(List.of(
                "HOST                                     REPORT ms ago BACKEND    PATHS BY  CONNECTIONS VERSION",
                "10.0.0.1                                          1234 bpf        user                7 0.1.0",
                "10.0.0.2                                         never                                0"),
                     shell.run("onos:mptcp-agents"));
    }

    @Test
    void asJsonTheyHaveTheFieldsOfRest() throws Exception {
        assertEquals("[{\"host\":\"10.0.0.1\",\"addresses\":[\"10.0.0.1\",\"fd00::1\"],\"lastReportMillis\":1234,"
                             + "\"backend\":\"bpf\",\"pathManager\":\"user\",\"connections\":7,\"version\":\"0.1.0\"},"
                             + "{\"host\":\"10.0.0.2\",\"addresses\":[\"10.0.0.2\"],\"lastReportMillis\":null,"
                             + "\"backend\":\"\",\"pathManager\":\"\",\"connections\":0,\"version\":\"\"}]",
                     shell.json("onos:mptcp-agents -j").toString());
    }
}
