// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.monitoring.NameService;

/** {@code mptcp-connections}, as a table and as JSON. */
class ConnectionsCommandTest extends CommandScenario {
    private static final String CLIENT = "00:00:00:00:00:01/None";
    private static final String ROUTER = "00:00:00:00:00:FE/None";
    private static final String SERVER = "00:00:00:00:00:02/None";

    @Test
    void theTableHasALineForEachConnectionThatIsNotIdle() throws Exception {
        List<String> lines = shell.run("onos:mptcp-connections");
        assertEquals(3, lines.size());
        assertTrue(lines.get(0).startsWith("ID "), lines.get(0));
        assertEquals("aaaa0001 10.0.0.1:40001        10.0.0.2:5201         active          2     8.00/2.00     4.00/0.50   50 %"
                             + "     7.00/6.00", lines.get(1));
        assertEquals("bbbb0002 10.0.0.1:40003        10.0.0.2:5201         down            1     0.00/0.00     0.00/0.00      -"
                             + "     0.00/0.00", lines.get(2));
    }

    @Test
    void idleConnectionsAreShownOnDemand() throws Exception {
        end("c9");
        for (String option : List.of("-a", "--all")) {
            List<String> lines = shell.run("onos:mptcp-connections " + option);
            assertEquals(5, lines.size());
            assertTrue(lines.get(3).startsWith(ThreeConnections.IDLE), lines.get(3));
            assertTrue(lines.get(4).matches("c9 +10\\.0\\.0\\.1:40001 +10\\.0\\.0\\.2:5201 +ended +2023-11-1\\d \\d\\d:\\d\\d:20"), lines.get(4));
        }
    }

    @Test
    void oneThatHasEndedIsShownAsItWasLast() throws Exception {
        end("c9");
        List<String> lines = shell.run("onos:mptcp-connections c9");
        assertTrue(lines.contains("id                 c9"), () -> String.join("\n", lines));
        assertTrue(lines.contains("endedMillis        " + history.ended().get(0).endedMillis()), () -> String.join("\n", lines));
        assertEquals(history.ended().get(0).endedMillis(), shell.json("onos:mptcp-connections -j c9").path("endedMillis").asLong());
        assertTrue(shell.json("onos:mptcp-connections -j " + ThreeConnections.ACTIVE).path("endedMillis").isMissingNode());
    }

    @Test
    void withoutConnectionsItSaysSo() throws Exception {
        mptcp.forgetAll();
        assertEquals("No MPTCP connection is active (-a shows idle ones).",
                     shell.run("onos:mptcp-connections").get(1));
        assertEquals("No MPTCP connection is active or remembered.", shell.run("onos:mptcp-connections -a").get(1));
    }

    @Test
    void jsonHasTheSameConnections() throws Exception {
        JsonNode json = shell.json("onos:mptcp-connections -j");
        assertEquals(2, json.size());
        assertEquals(ThreeConnections.ACTIVE, json.at("/0/id").asText());
        assertEquals(8.0, json.at("/0/expectedUpMbps").asDouble());
        assertEquals(4.0, json.at("/0/measuredUpMbps").asDouble());
        assertEquals(2, json.at("/0/subflows").size());
        assertEquals(3, shell.json("onos:mptcp-connections -a -j").size());
    }

    @Test
    void withoutConnectionsTheJsonIsAnEmptyArray() throws Exception {
        mptcp.forgetAll();
        assertEquals("[]", shell.json("onos:mptcp-connections --json").toString());
    }

    @Test
    void oneConnectionIsShownInDetailWithItsSubflows() throws Exception {
        List<String> lines = shell.run("onos:mptcp-connections " + ThreeConnections.ACTIVE);
        assertTrue(lines.contains("id                 aaaa0001"), () -> String.join("\n", lines));
        assertTrue(lines.contains("expectedUpMbps     8.0"), () -> String.join("\n", lines));
        assertTrue(lines.contains("policy             -"), () -> String.join("\n", lines));
        int table = lines.indexOf("") + 1;
        assertEquals(shell.run("onos:mptcp-subflows " + ThreeConnections.ACTIVE), lines.subList(table, lines.size()));
        assertEquals(5, lines.size() - table, "a line for each subflow, and one for its path");
    }

    @Test
    void legsThroughARouterAreToldApart() throws Exception {
        offerHosts();
        mptcp.addLeg("near", CLIENT, ROUTER);
        mptcp.addLeg("far", ROUTER, SERVER);
        List<String> table = shell.run("onos:mptcp-connections");
        assertEquals("         leg client > router 10.0.0.254", table.get(4));
        assertEquals("         leg router 10.0.0.254 > server", table.get(6));

        List<String> lines = shell.run("onos:mptcp-connections near");
        assertTrue(lines.containsAll(List.of("hosts              " + CLIENT + " > " + ROUTER, "otherLegs          far",
                                             "leg                client > router 10.0.0.254", "deniesJoins        true",
                                             "disjointIn         -")), () -> String.join("\n", lines));
        assertTrue(lines.get(lines.size() - 1).endsWith("(a host wants it as a backup)"), () -> String.join("\n", lines));
    }

    @Test
    void hostsHaveTheirNamesUnlessIdentifiersAreWanted() throws Exception {
        offerHosts();
        mptcp.addLeg("near", CLIENT, ROUTER);
        FrameworkUtil.offer(NameService.class, id -> Optional.of("h1").filter(name -> id.equals(HostId.hostId(CLIENT))));
        assertTrue(shell.run("onos:mptcp-connections near").contains("hosts              h1 > " + ROUTER));
        assertTrue(shell.run("onos:mptcp-connections -l near").contains("hosts              " + CLIENT + " > " + ROUTER));
    }

    @Test
    void aConnectionWithoutARouterHasNoLeg() throws Exception {
        offerHosts();
        mptcp.addLeg("straight", CLIENT, SERVER);
        assertTrue(shell.run("onos:mptcp-connections").get(3).endsWith("/0.00"));
        List<String> lines = shell.run("onos:mptcp-connections straight");
        assertTrue(lines.stream().noneMatch(line -> line.startsWith("leg ") || line.startsWith("otherLegs ")),
                   () -> String.join("\n", lines));
    }

    private static void offerHosts() {
        Map<String, Host> hosts = Map.of(CLIENT, host(CLIENT, "10.0.0.1"), SERVER, host(SERVER, "10.0.0.2"),
                                         ROUTER, host(ROUTER, "10.0.0.254"));
        FrameworkUtil.offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Host getHost(HostId id) {
                return hosts.get(id.toString());
            }
        });
    }

    private static Host host(String name, String address) {
        HostId id = HostId.hostId(name);
        return new DefaultHost(ProviderId.NONE, id, id.mac(), id.vlanId(),
                               new HostLocation(ConnectPoint.deviceConnectPoint("of:1/100"), 0), Set.of(IpAddress.valueOf(address)));
    }

    @Test
    void oneConnectionIsShownEvenIfItIsIdle() throws Exception {
        assertTrue(shell.run("onos:mptcp-connections " + ThreeConnections.IDLE).contains("state              idle"));
        JsonNode json = shell.json("onos:mptcp-connections -j " + ThreeConnections.IDLE);
        assertEquals(ThreeConnections.IDLE, json.path("id").asText(), json::toString);
    }

    @Test
    void anUnknownConnectionIsAnErrorOfOneLine() throws Exception {
        for (String arguments : List.of("nobody", "-j nobody", "-a nobody")) {
            assertEquals("No MPTCP connection has the id nobody; mptcp-connections -a lists them",
                         shell.error("onos:mptcp-connections " + arguments));
        }
    }

    @Test
    void namesOfConnectionsAreCompleted() {
        assertEquals(List.of("bbbb0002"), shell.completed("mptcp-connections b"));
        assertEquals(List.of("aaaa0001", "bbbb0002", "cccc0003"), shell.completed("mptcp-connections -a "));
    }

    @Test
    void withoutTheApplicationItSaysWhatIsMissing() throws Exception {
        FrameworkUtil.withdrawAll();
        Shell.offerAudit();
        assertTrue(shell.error("onos:mptcp-connections").contains("org.subflow.mptcp.api.MptcpService"));
    }
}
