// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.osgi.ServiceNotFoundException;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.store.ConnectionStore;

/** Registered hosts, their tokens, and what is known of their agents. */
class HostAgentsTest {
    private static final IpAddress HOST = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("fd00::2");

    private long millis = 1_000_000;
    private final AgentBench bench = new AgentBench(new ConnectionStore(new HashMap<>(), now -> now, LoopGuard.NONE), () -> millis);
    private HostAgents agents = bench.agents;

    private static IpAddress address(int number) {
        return IpAddress.valueOf(0x0a000000 + number);
    }

    @Test
    void aTokenIsOf256BitsAndEveryOneIsAnother() {
        String token = agents.register(HOST, List.of(), true);
        assertTrue(token.matches("[A-Za-z0-9_-]{43}"), token);
        assertNotEquals(token, agents.register(OTHER, List.of(), true));
    }

    @Test
    void aTokenIsThatOfItsHostAlone() {
        String token = agents.register(HOST, List.of(), true);
        String others = agents.register(OTHER, List.of(), true);
        assertEquals(HOST, agents.login(HOST, token).orElseThrow().host());
        assertEquals(OTHER, agents.login(OTHER, others).orElseThrow().host());
        for (String wrong : List.of(others, "", token.substring(1), token + "A", token.toLowerCase(Locale.ROOT), "x".repeat(100_000))) {
            assertFalse(agents.login(HOST, wrong).isPresent());
        }
        assertFalse(agents.login(IpAddress.valueOf("10.0.0.3"), token).isPresent());
    }

    @Test
    void aNewTokenReplacesTheOldOne() {
        String before = agents.register(HOST, List.of(), true);
        String now = agents.register(HOST, List.of(), true);
        assertFalse(agents.login(HOST, before).isPresent());
        assertTrue(agents.login(HOST, now).isPresent());
    }

    @Test
    void aRegisteredHostKeepsItsTokenUnlessANewOneIsAskedFor() {
        String token = agents.register(HOST, List.of(), false);
        assertTrue(assertThrows(IllegalStateException.class, () -> agents.register(HOST, List.of(OTHER), false))
                .getMessage().contains("renew"));
        assertTrue(agents.login(HOST, token).isPresent());
        agents.register(OTHER, List.of(), false);
    }

    @Test
    void whatOnosHasNotStoredHasNotHappened() {
        String token = agents.register(HOST, List.of(), true);
        bench.storeAnswers = false;
        assertThrows(ServiceNotFoundException.class, () -> agents.register(HOST, List.of(), true));
        assertThrows(ServiceNotFoundException.class, () -> agents.register(OTHER, List.of(), true));
        assertThrows(ServiceNotFoundException.class, () -> agents.remove(HOST));
        assertTrue(agents.login(HOST, token).isPresent());
        assertEquals(1, agents.agents().size());
        bench.storeAnswers = true;
        assertTrue(bench.restarted().login(HOST, token).isPresent());
    }

    @Test
    void hostsThatCannotBeReadAreNotNone() {
        String token = agents.register(HOST, List.of(), true);
        bench.storeAnswers = false;
        HostAgents again = bench.restarted();
        assertFalse(again.knowsHosts());
        assertThrows(ServiceNotFoundException.class, again::agents);
        assertThrows(ServiceNotFoundException.class, () -> again.register(OTHER, List.of(), true));
        assertThrows(ServiceNotFoundException.class, () -> again.remove(HOST));
        bench.storeTasks.remove(0).run();
        assertFalse(again.knowsHosts());
        bench.storeAnswers = true;
        bench.storeTasks.remove(0).run();
        assertTrue(again.knowsHosts());
        assertTrue(again.login(HOST, token).isPresent());
        assertEquals(List.of(), bench.storeTasks);
    }

    @Test
    void aRemovedHostIsUnknown() {
        String token = agents.register(HOST, List.of(OTHER), true);
        assertTrue(agents.remove(HOST));
        assertFalse(agents.remove(HOST));
        assertFalse(agents.login(HOST, token).isPresent());
        agents.register(OTHER, List.of(), true);
    }

    @Test
    void aRestartKeepsTokensAndNoTokenIsStored() {
        String token = agents.register(HOST, List.of(OTHER), true);
        agents.register(address(77), List.of(), true);
        agents.remove(address(77));
        HostAgents again = bench.restarted();
        assertTrue(again.login(HOST, token).isPresent());
        assertEquals(List.of(List.of(HOST, OTHER)), again.agents().stream().map(AgentStatus::addresses).collect(Collectors.toList()));
        assertFalse(bench.stored.toString().contains(token));
        assertTrue(bench.stored.values().stream().noneMatch(
                value -> new String(value.asArray(), StandardCharsets.ISO_8859_1).contains(token)));
    }

    @Test
    void noTwoHostsHaveTheSameAddress() {
        agents.register(HOST, List.of(OTHER), true);
        assertTrue(assertThrows(IllegalStateException.class, () -> agents.register(OTHER, List.of(), true))
                .getMessage().contains(HOST.toString()));
        assertThrows(IllegalStateException.class, () -> agents.register(address(9), List.of(HOST), true));
        agents.register(HOST, List.of(), true);
        agents.register(OTHER, List.of(), true);
        assertEquals(2L, agents.counters().get("agents.known"));
    }

    @Test
    void aHostHasSixteenAddressesAtMost() {
        List<IpAddress> fifteen = IntStream.range(100, 115).mapToObj(HostAgentsTest::address).collect(Collectors.toList());
        agents.register(HOST, fifteen, true);
        List<IpAddress> sixteen = new ArrayList<>(fifteen);
        sixteen.add(HOST);
        agents.register(HOST, sixteen, true);
        sixteen.add(OTHER);
        assertThrows(IllegalArgumentException.class, () -> agents.register(HOST, sixteen, true));
    }

    @Test
    void thereAreTenThousandHostsAtMost() {
        for (int host = 1; host <= AgentDirectory.MOST; host++) {
            agents.register(address(host), List.of(), true);
        }
        assertThrows(IllegalStateException.class, () -> agents.register(OTHER, List.of(), true));
        agents.register(address(1), List.of(), true);
        agents.remove(address(2));
        agents.register(OTHER, List.of(), true);
    }

    @Test
    void theListHasWhatAgentsHaveReportedLast() {
        Agent agent = agents.login(HOST, agents.register(HOST, List.of(), true)).orElseThrow();
        assertEquals(OptionalLong.empty(), agents.agents().get(0).lastReportMillis());
        assertEquals("", agents.agents().get(0).pathManager());
        List<ReportedConnection> two = List.of(new ReportedConnection(List.of(), false, false), new ReportedConnection(List.of(), true, true));
        agents.report(agent, new Report("1.2", "htb", OptionalLong.empty(), 0, two), answer -> { });
        millis += 1234;
        AgentStatus status = agents.agents().get(0);
        assertEquals(OptionalLong.of(1234), status.lastReportMillis());
        assertEquals(List.of("1.2", "htb", "kernel", 2),
                     List.of(status.version(), status.backend(), status.pathManager(), status.connections()));
        assertEquals(List.of(1L, 1L, 1L, 0L), counters("known", "reporting", "reports", "refused"));
        agents.report(agent, new Report("1.2", "htb", OptionalLong.empty(), 0, two, true), answer -> { });
        assertEquals("user", agents.agents().get(0).pathManager());
        millis += 5234;
        agents.refuse();
        assertEquals(List.of(1L, 0L, 2L, 1L), counters("known", "reporting", "reports", "refused"));
    }

    private List<Long> counters(String... names) {
        return List.of(names).stream().map(name -> agents.counters().get("agents." + name)).collect(Collectors.toList());
    }

    @Test
    void threeReportsAreReadAtATimeAndFiftyInASecond() {
        Agent agent = agents.login(HOST, agents.register(HOST, List.of(), true)).orElseThrow();
        for (int report = 0; report < 3; report++) {
            assertTrue(agents.mayRead(agent));
        }
        assertFalse(agents.mayRead(agent));
        for (int report = 0; report < 3; report++) {
            agents.read(agent);
        }
        for (int report = 3; report < 50; report++) {
            assertTrue(agents.mayRead(agent));
            agents.read(agent);
        }
        assertFalse(agents.mayRead(agent));
        millis += 1000;
        assertTrue(agents.mayRead(agent));
    }
}
