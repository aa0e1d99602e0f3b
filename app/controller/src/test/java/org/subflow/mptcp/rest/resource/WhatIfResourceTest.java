// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.topology.Nets;

/** Questions about connections that do not exist, good and bad ones. */
class WhatIfResourceTest extends RestScenario {
    private static final String CLIENT = "00:00:00:00:00:01/None";
    private static final String SERVER = "00:00:00:00:00:02/None";
    private static final long TIMEOUT_SECONDS = 20;
    /** Has IPv6 addresses only. */
    private static final String SIX = "00:00:00:00:00:06/None";

    private final Map<HostId, Host> hosts = new HashMap<>();
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<Subflow> firsts = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore begun = new Semaphore(0);
    private final CountDownLatch gate = new CountDownLatch(1);

    @BeforeEach
    void attach() {
        attach(CLIENT, Nets.edge(1), "10.0.0.12", "fd00::1", "10.0.0.1");
        attach(SERVER, Nets.edge(5), "10.0.0.2");
        attach(SIX, Nets.edge(2), "fd00::6");
        offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Host getHost(HostId id) {
                return hosts.get(id);
            }

            @Override
            public Set<Host> getHostsByIp(IpAddress address) {
                return hosts.values().stream().filter(host -> host.ipAddresses().contains(address)).collect(Collectors.toSet());
            }
        });
        offer(WhatIfService.class, this::answer);
    }

    @Test
    void eachStrategyGetsAnAnswerInTheOrderAsked() throws Exception {
        JsonNode answers = body(200, ask(question(CLIENT, SERVER, "2", "multiflow", "shortest"))).path("answers");
        assertEquals(2, answers.size());
        assertEquals("multiflow", answers.at("/0/strategy").asText());
        assertEquals("shortest", answers.at("/1/strategy").asText());
        assertTrue(answers.at("/0/error").isNull());
        assertEquals(6.0, answers.at("/0/expectedUpMbps").asDouble());
        assertEquals(3.0, answers.at("/0/expectedDownMbps").asDouble());
        assertEquals(6.0, answers.at("/0/expectedMbps").asDouble());
        assertEquals("[\"of:1\",\"of:3\",\"of:5\"]", answers.at("/0/subflows/0/path").toString());
        assertEquals(7, answers.at("/0/micros").asLong());
        assertEquals(List.of("multiflow 2", "shortest 2"), asked, "at one moment");
    }

    @Test
    void theConnectionIsBetweenTheHostsFirstAddressesOfOneVersion() throws Exception {
        body(200, ask(question(CLIENT, SERVER, "2", "multiflow")));
        assertEquals("10.0.0.1:0>10.0.0.2:0", firsts.get(0).tuple().toString());
        assertEquals(Nets.edge(1), firsts.get(0).ingress());
        assertEquals(Nets.edge(5), firsts.get(0).egress());
        body(200, ask(question(CLIENT, SIX, "2", "multiflow")));
        assertEquals(IpAddress.valueOf("fd00::6"), firsts.get(1).tuple().destination());
    }

    @Test
    void aStrategyThatCannotAnswerSaysWhyAndTheOthersAnswer() throws Exception {
        JsonNode answers = body(200, ask(question(CLIENT, SERVER, "2", "k-max-min", "multiflow"))).path("answers");
        assertEquals("no k for this one", answers.at("/0/error").asText());
        assertTrue(answers.at("/0/subflows").isMissingNode());
        assertEquals(1, answers.at("/1/subflows").size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65", "-1", "1.5", "\"2\"", "null", "true", "99999999999", "4294967298"})
    void kIsANumberOfSubflows(String k) throws Exception {
        assertEquals("k is the number of subflows, from 1 to 64",
                     refusal(400, ask(question(CLIENT, SERVER, k, "multiflow"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "64"})
    void kMayBeAsSmallOrLargeAsItSays(String k) throws Exception {
        body(200, ask(question(CLIENT, SERVER, k, "multiflow")));
    }

    @Test
    void strategiesAreAShortList() throws Exception {
        String message = "strategies is a list of 1 to 16 names";
        assertEquals(message, refusal(400, ask(question(CLIENT, SERVER, "2"))));
        String[] many = Stream.generate(() -> "multiflow").limit(17).toArray(String[]::new);
        assertEquals(message, refusal(400, ask(question(CLIENT, SERVER, "2", many))));
        String good = question(CLIENT, SERVER, "2", "multiflow");
        for (String wrong : List.of("[{}]", "[\"multiflow\", 7]", "[null]", "\"multiflow\"", "{\"a\": \"multiflow\"}")) {
            assertEquals(message, refusal(400, ask(good.replaceFirst("\\[.*\\]", wrong))));
        }
    }

    @Test
    void hostsAreTwoThatOnosKnows() throws Exception {
        assertEquals("client: 'h1' is neither an address nor an id of a host; 'hosts' lists them",
                     refusal(400, ask(question("h1", SERVER, "2", "multiflow"))));
        assertEquals("client: 'h1/None' is neither an address nor an id of a host; 'hosts' lists them",
                     refusal(400, ask(question("h1/None", SERVER, "2", "multiflow"))));
        assertEquals("server: ONOS knows no host 00:00:00:00:00:09/None; 'hosts' lists them",
                     refusal(400, ask(question(CLIENT, "00:00:00:00:00:09/None", "2", "multiflow"))));
        assertEquals("client and server are the same host",
                     refusal(400, ask(question(CLIENT, CLIENT, "2", "multiflow"))));
        assertTrue(refusal(400, ask(question(SERVER, SIX, "2", "multiflow"))).contains("of the same IP version"));
        assertTrue(refusal(400, ask("{\"k\": 2, \"strategies\": [\"multiflow\"]}")).startsWith("client: '' is neither"));
    }

    @Test
    void hostsAreNamedByAnAddressToo() throws Exception {
        body(200, ask(question("10.0.0.1", SERVER, "2", "multiflow")));
        body(200, ask(question(CLIENT, "fd00::6", "2", "multiflow")));
        assertEquals(List.of(Nets.edge(1), Nets.edge(1)), firsts.stream().map(Subflow::ingress).collect(Collectors.toList()));
        assertEquals(List.of(Nets.edge(5), Nets.edge(2)), firsts.stream().map(Subflow::egress).collect(Collectors.toList()));
        assertEquals("server: ONOS knows no host with address 10.0.0.7; 'hosts' lists them",
                     refusal(400, ask(question(CLIENT, "10.0.0.7", "2", "multiflow"))));
        attach("00:00:00:00:00:08/None", Nets.edge(3), "10.0.0.2");
        assertEquals("server: ONOS knows several hosts with address 10.0.0.2; 'hosts' lists them",
                     refusal(400, ask(question(CLIENT, "10.0.0.2", "2", "multiflow"))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "7", "null", "\"text\""})
    void theQuestionIsAnObject(String question) throws Exception {
        assertEquals("the question is an object with client, server, k and strategies", refusal(400, ask(question)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "client=h1", "{\"client\": }"})
    void theQuestionIsJson(String question) throws Exception {
        assertEquals("the question is not JSON", refusal(400, ask(question)));
    }

    @Test
    void aDeepQuestionIsRefusedLikeAnyOther() throws Exception {
        assertEquals("the question is not JSON, or deeper than a question can be",
                     refusal(400, ask("{\"strategies\": " + "[".repeat(9900))));
    }

    @Test
    void nobodyFillsTheMemoryWithAQuestion() throws Exception {
        String endless = question(CLIENT, SERVER, "2", "multiflow").replace("\"k\"", "\"" + "x".repeat(20_000) + "\"");
        assertEquals("the question is longer than 10000 bytes", refusal(400, ask(endless)));
    }

    @Test
    void oneUserHasTwoQuestionsAnsweredAtOnce() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> asking = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            asking.add(CompletableFuture.supplyAsync(() -> askSlowly(ADMIN)));
        }
        for (int i = 0; i < 2; i++) {
            assertTrue(begun.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        }
        assertEquals("other questions are being answered; ask again later",
                     refusal(429, ask(question(CLIENT, SERVER, "2", "multiflow"))));
        body(200, send("another:admin", "POST", "whatif", question(CLIENT, SERVER, "2", "multiflow")));
        gate.countDown();
        for (CompletableFuture<HttpResponse<String>> one : asking) {
            body(200, one.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        }
        body(200, ask(question(CLIENT, SERVER, "2", "multiflow")));
    }

    @Test
    void askingTakesAnAdministrator() throws Exception {
        assertEquals(403, send(VIEWER, "POST", "whatif", question(CLIENT, SERVER, "2", "multiflow")).statusCode());
        assertEquals(List.of(), asked);
    }

    private HttpResponse<String> ask(String question) throws Exception {
        return send(ADMIN, "POST", "whatif", question);
    }

    private HttpResponse<String> askSlowly(String login) {
        try {
            return send(login, "POST", "whatif", question(CLIENT, SERVER, "2", "ecmp"));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String question(String client, String server, String k, String... strategies) {
        return "{\"client\": \"" + client + "\", \"server\": \"" + server + "\", \"k\": " + k + ", \"strategies\": "
                + Stream.of(strategies).map(name -> "\"" + name + "\"").collect(Collectors.joining(",", "[", "]")) + "}";
    }

    private List<WhatIfAnswer> answer(List<String> strategies, int subflows, Subflow first) {
        if (strategies.contains("ecmp")) {
            begun.release();
            try {
                assertTrue(gate.await(TIMEOUT_SECONDS, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        strategies.forEach(strategy -> asked.add(strategy + " " + subflows));
        firsts.add(first);
        Subflow routed = first.withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, 3), Nets.link(3, 5)),
                List.of(Nets.link(5, 3), Nets.link(3, 1)), Nets.CAPACITY).withExpected(Rates.of(6e6, 3e6));
        return strategies.stream().map(strategy -> strategy.equals("k-max-min") ? WhatIfAnswer.failed("no k for this one")
                : WhatIfAnswer.of(Connection.opened(ConnectionId.of("what-if"), 1, null, null, Settings.DEFAULTS.terms(), 0, routed), 7))
                .collect(Collectors.toList());
    }

    private void attach(String name, ConnectPoint port, String... addresses) {
        HostId id = HostId.hostId(name);
        Set<IpAddress> ips = Stream.of(addresses).map(IpAddress::valueOf).collect(Collectors.toSet());
        hosts.put(id, new DefaultHost(ProviderId.NONE, id, MacAddress.valueOf(id.mac().toString()), VlanId.NONE,
                new HostLocation(port.deviceId(), port.port(), 0), ips));
    }
}
