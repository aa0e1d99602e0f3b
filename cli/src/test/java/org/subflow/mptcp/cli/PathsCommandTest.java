// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.cli.completer.HostCompleter;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

/** {@code mptcp-paths}: strategies side by side, for hosts by address or id. */
class PathsCommandTest extends CommandScenario {
    private static final List<Host> HOSTS = List.of(host(1, "10.0.0.1", "10.0.0.9"), host(2, "10.0.0.2"), host(3, "10.0.0.9"));

    /** The strategies and numbers of subflows that were asked for. */
    private final List<String> asked = new ArrayList<>();

    @BeforeEach
    void offer() {
        FrameworkUtil.offer(SettingsService.class, () -> Settings.DEFAULTS.with(Settings.SUBFLOWS, 2));
        FrameworkUtil.offer(WhatIfService.class, this::whatIf);
        FrameworkUtil.offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Iterable<Host> getHosts() {
                return HOSTS;
            }

            @Override
            public Host getHost(HostId id) {
                return HOSTS.stream().filter(host -> host.id().equals(id)).findFirst().orElse(null);
            }

            @Override
            public Set<Host> getHostsByIp(IpAddress ip) {
                return HOSTS.stream().filter(host -> host.ipAddresses().contains(ip)).collect(Collectors.toSet());
            }
        });
    }

    @Test
    void eachStrategyHasItsExpectedThroughputAndALineForEachPath() throws Exception {
        List<String> lines = shell.run("onos:mptcp-paths -s widest-disjoint -s shortest 10.0.0.1 10.0.0.2");
        assertEquals(5, lines.size(), () -> String.join("\n", lines));
        assertTrue(lines.get(1).matches("widest-disjoint +20\\.00/2\\.00 +[0-9.]+  s1 > Berlin > s5"), lines.get(1));
        assertTrue(lines.get(2).matches(" +10\\.00/1\\.00 +s1 > Berlin > s5"), lines.get(2));
        assertTrue(lines.get(3).startsWith("shortest "), lines.get(3));
        assertEquals(List.of("widest-disjoint 2", "shortest 2"), asked, "as many subflows as the settings say");
    }

    @Test
    void allStrategiesAreAskedUnlessSomeAreNamed() throws Exception {
        shell.run("onos:mptcp-paths -k 3 10.0.0.1 10.0.0.2");
        assertEquals(PathStrategies.names().stream().map(name -> name + " 3").collect(Collectors.toList()), asked);
    }

    @Test
    void asJsonTheFieldsAreThoseOfRest() throws Exception {
        JsonNode json = shell.json("onos:mptcp-paths -j -s shortest 00:00:00:00:00:01/None 00:00:00:00:00:02/None");
        assertEquals("shortest", json.at("/0/strategy").asText());
        assertTrue(json.at("/0/error").isNull());
        assertEquals(20, json.at("/0/expectedUpMbps").asDouble());
        assertEquals(2, json.at("/0/subflows").size());
        assertEquals("10.0.0.1:0", json.at("/0/subflows/0/src").asText());
        assertEquals(7, json.at("/0/micros").asLong());
    }

    @Test
    void aStrategyThatCannotAnswerDoesNotKeepTheOthersFromIt() throws Exception {
        List<String> lines = shell.run("onos:mptcp-paths -s multiflow -s shortest 10.0.0.1 10.0.0.2");
        assertTrue(lines.get(1).matches("multiflow +- +-  not today"), lines.get(1));
        assertTrue(lines.get(2).startsWith("shortest "), lines.get(2));
        assertEquals("not today", shell.json("onos:mptcp-paths -j -s multiflow 10.0.0.1 10.0.0.2").at("/0/error").asText());
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1 10.0.0.7, ONOS knows no host with address 10.0.0.7",
        "10.0.0.9 10.0.0.2, ONOS knows several hosts with address 10.0.0.9",
        "10.0.0.1 00:00:00:00:00:07/None, ONOS knows no host 00:00:00:00:00:07/None",
        "10.0.0.1 10.0.0.1, client and server are the same host",
        "10.0.0.1 nobody, nobody",
        "-k 0 10.0.0.1 10.0.0.2, from 1 to 64",
        "-k 65 10.0.0.1 10.0.0.2, from 1 to 64",
        "-k few 10.0.0.1 10.0.0.2, from 1 to 64",
        "-s fastest 10.0.0.1 10.0.0.2, no path strategy 'fastest'"})
    void whatCannotBeAnsweredIsAnErrorOfOneLine(String arguments, String says) throws Exception {
        String error = shell.error("onos:mptcp-paths " + arguments);
        assertTrue(error.contains(says.replace("\"", "")), error);
        assertEquals(1, error.lines().count());
        assertEquals(List.of(), asked);
    }

    @Test
    void hostsAreCompletedByAddressAndId() {
        assertEquals(List.of("00:00:00:00:00:02/None", "10.0.0.2"), new HostCompleter().choices().stream()
                .filter(choice -> choice.endsWith("2") || choice.endsWith("02/None")).collect(Collectors.toList()));
    }

    private List<WhatIfAnswer> whatIf(List<String> strategies, int subflows, Subflow first) {
        return strategies.stream().map(strategy -> {
            asked.add(strategy + " " + subflows);
            return strategy.equals("multiflow") ? WhatIfAnswer.failed("not today") : WhatIfAnswer.of(connection(first), 7);
        }).collect(Collectors.toList());
    }

    private static Connection connection(Subflow first) {
        List<Link> path = List.of(Nets.link(1, 2), Nets.link(2, 5));
        List<Link> back = List.of(Nets.link(5, 2), Nets.link(2, 1));
        Subflow routed = first.withRoute(SubflowState.ACTIVE, path, back, 10e6).withExpected(Rates.of(10e6, 1e6));
        return Connection.opened(ConnectionId.of("what-if"), 1, null, null, Settings.DEFAULTS.terms(), 0, routed).withSubflow(routed);
    }

    private static Host host(int number, String... addresses) {
        MacAddress mac = MacAddress.valueOf(number);
        return new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE,
                               new HostLocation(Nets.edge(number == 1 ? 1 : 5), 0),
                               List.of(addresses).stream().map(IpAddress::valueOf).collect(Collectors.toSet()));
    }
}
