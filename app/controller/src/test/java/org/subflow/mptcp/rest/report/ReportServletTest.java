// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.host.AgentBench;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.host.Later;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.Nets;

/** Reports over HTTP, in the web server that ONOS has, with a pool of few threads. */
class ReportServletTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final IpAddress HOST = IpAddress.valueOf("10.0.0.1");
    private static final int THREADS = 8;
    private static final int MORE_THAN_THREADS = 40;
    private static final int SECONDS = 60;
    private static final int FEWER_THAN_A_SECONDS = 30;

    private final ConnectionStore store = new ConnectionStore(new HashMap<>(), now -> now, LoopGuard.NONE);
    private final Later.OnThread later = new Later.OnThread(Thread::new);
    private final AgentBench bench = new AgentBench(store, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), later);
    private final HostAgents agents = bench.agents;
    private final String token = agents.register(HOST, List.of(), true);
    private final HttpClient client = HttpClient.newHttpClient();
    private Server server;

    @BeforeEach
    void serve() throws Exception {
        FrameworkUtil.offer(HostAgents.class, agents);
        server = new Server(new QueuedThreadPool(THREADS));
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        ServletHolder holder = new ServletHolder(new ReportServlet());
        holder.setAsyncSupported(true);
        context.addServlet(holder, "/agents/report/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void close() throws Exception {
        agents.stop();
        later.stop();
        server.stop();
        FrameworkUtil.withdrawAll();
    }

    @Test
    void otherMethodsAreTheClientsError() throws Exception {
        for (String method : List.of("GET", "PATCH", "HEAD", "OPTIONS", "NONSENSE")) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getURI().getPort() + "/agents/report/" + HOST))
                            .method(method, HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(405, answer.statusCode(), method);
            assertEquals("POST", answer.headers().firstValue("Allow").orElse(""), method);
        }
    }

    private CompletableFuture<HttpResponse<String>> send(IpAddress host, String authorization, byte[] body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getURI().getPort()
                + "/agents/report/" + host)).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<HttpResponse<String>> report(String body) {
        return send(HOST, "Bearer " + token, body.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode body(int status, CompletableFuture<HttpResponse<String>> of) throws Exception {
        HttpResponse<String> response = of.get(SECONDS, TimeUnit.SECONDS);
        assertEquals(status, response.statusCode(), response.body());
        assertFalse(response.body().contains("\n"), response.body());
        JsonNode body = MAPPER.readTree(response.body());
        assertEquals(status == 200 ? 0 : status, body.path("code").asInt());
        return body;
    }

    private void open(double expected) {
        ConnectPoint ingress = Nets.edge(1);
        FiveTuple tuple = FiveTuple.of(HOST, 38130, IpAddress.valueOf("10.0.0.2"), 5201);
        Subflow subflow = Subflow.unrouted(tuple, true, false, ingress, Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(), List.of(), 1e9).withExpected(Rates.of(expected, 1e6));
        Connection connection = Connection.opened(ConnectionId.of("62c2ac68"), 1, null, null,
                Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").terms(), 1, subflow);
        store.put(connection);
        agents.changed(new ConnectionEvent(ConnectionEvent.Type.SHARES_CHANGED, connection));
    }

    @Test
    void theAnswerHasTheHostsSubflowsAndTheirRates() throws Exception {
        open(9.1e6);
        JsonNode answer = body(200, report("{}"));
        assertTrue(answer.path("revision").isIntegralNumber());
        assertEquals("[{\"id\":\"62c2ac68\",\"attainableMbps\":0.0,\"availableMbps\":0.0,\"expectedMbps\":9.1,\"subflows\":["
                             + "{\"local\":\"10.0.0.1:38130\",\"remote\":\"10.0.0.2:5201\",\"expectedMbps\":9.1,\"state\":\"active\"}]}]",
                     answer.path("connections").toString());
    }

    @Test
    void whileTheStoreDoesNotSayWhoIsRegisteredNobodyIsRefused() throws Exception {
        body(200, report("{}"));
        bench.storeAnswers = false;
        agents.stop();
        HostAgents again = bench.restarted();
        FrameworkUtil.withdrawAll();
        FrameworkUtil.offer(HostAgents.class, again);
        body(503, report("{}"));
        bench.storeAnswers = true;
        bench.storeTasks.remove(0).run();
        body(200, report("{}"));
        again.stop();
    }

    @Test
    void theAnswerComesWithTheChange() throws Exception {
        long revision = body(200, report("{}")).path("revision").asLong();
        CompletableFuture<HttpResponse<String>> waiting = report("{\"since\":" + revision + ",\"waitMillis\":10000}");
        open(5e6);
        JsonNode answer = body(200, waiting);
        assertEquals(5.0, answer.at("/connections/0/expectedMbps").asDouble());
    }

    @Test
    void withoutAChangeItComesInTime() throws Exception {
        long revision = body(200, report("{}")).path("revision").asLong();
        assertEquals(revision, body(200, report("{\"since\":" + revision + ",\"waitMillis\":300}")).path("revision").asLong());
    }

    @Test
    void whoWaitsHoldsNoThread() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
        for (int number = 1; number <= MORE_THAN_THREADS; number++) {
            IpAddress host = IpAddress.valueOf(0x0a010000 + number);
            String word = "Bearer " + agents.register(host, List.of(), true);
            long revision = body(200, send(host, word, "{}".getBytes(StandardCharsets.UTF_8))).path("revision").asLong();
            String body = "{\"since\":" + revision + ",\"waitMillis\":10000}";
            waiting.add(send(host, word, body.getBytes(StandardCharsets.UTF_8)));
        }
        body(200, report("{}"));
        agents.agents().forEach(agent -> agents.remove(agent.host()));
        for (CompletableFuture<HttpResponse<String>> each : waiting) {
            // Some may have been removed before they asked: what counts is that all are answered.
            int status = each.get(SECONDS, TimeUnit.SECONDS).statusCode();
            assertTrue(status == 200 || status == 401, () -> Integer.toString(status));
        }
    }

    @Test
    void whoHasNoTokenIsRefusedWithOneLineAndUnread() throws Exception {
        for (String authorization : List.of("", "Bearer", "Bearer ", "Bearer " + token + "x", "Basic " + token, token, "bearer x y z")) {
            assertTrue(body(401, send(HOST, authorization, "{}".getBytes(StandardCharsets.UTF_8))).path("message").asText()
                               .contains("token"), authorization);
        }
        body(401, send(IpAddress.valueOf("10.0.0.2"), "Bearer " + token, "{}".getBytes(StandardCharsets.UTF_8)));
        assertEquals(8L, agents.counters().get("agents.refused"));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getURI().getPort()));
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(SECONDS));
            // The web server waits for the first byte of the body. The others never come, and the answer does.
            String begun = "POST /agents/report/10.0.0.1 HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n{";
            socket.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
            byte[] head = socket.getInputStream().readNBytes("HTTP/1.1 401".length());
            assertEquals("HTTP/1.1 401", new String(head, StandardCharsets.US_ASCII));
        }
    }

    @Test
    void whatIsNoReportIsRefusedWithOneLine() throws Exception {
        for (String body : List.of("", "[]", "{", "{\"connections\":[{\"subflows\":[{\"local\":\"x\"}]}]}", "{\"version\":\"\\n\"}",
                                   "{\"x\":" + "[".repeat(200_000))) {
            body(400, report(body));
        }
        body(200, report("{}"));
    }

    @Test
    void aReportHas256KilobytesAtMost() throws Exception {
        byte[] most = "{}".concat(" ".repeat(256 * 1024 - 3)).getBytes(StandardCharsets.US_ASCII);
        body(200, send(HOST, "Bearer " + token, most));
        body(413, report(" ".repeat(256 * 1024)));
        HttpRequest unknownLength = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getURI().getPort()
                + "/agents/report/" + HOST)).header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[300_000]))).build();
        try {
            assertEquals(413, client.send(unknownLength, HttpResponse.BodyHandlers.ofString()).statusCode());
        } catch (IOException e) {
            // The server may close the connection before it has taken all.
            assertTrue(agents.counters().get("agents.refused") >= 2);
        }
    }

    @Test
    void aHostThatSendsTooMuchIsToldSo() throws Exception {
        List<Integer> statuses = new ArrayList<>();
        for (int request = 0; request < 2000 && !statuses.contains(429); request++) {
            statuses.add(report("{}").get(SECONDS, TimeUnit.SECONDS).statusCode());
        }
        assertTrue(statuses.contains(429), () -> "of " + statuses.size());
    }

    /** As when the link of a host fails in the middle of a report. The host then reports over another TCP connection. */
    @Test
    void aReportOfWhichTheRestNeverComesHoldsUpNoOther() throws Exception {
        try (Socket broken = new Socket(InetAddress.getLoopbackAddress(), server.getURI().getPort())) {
            broken.getOutputStream().write(("POST /agents/report/" + HOST + " HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n"
                    + "Authorization: Bearer " + token + "\r\n\r\n{").getBytes(StandardCharsets.US_ASCII));
            for (int next = 0; next < FEWER_THAN_A_SECONDS; next++) {
                body(200, report("{}"));
            }
        }
    }

    @Test
    void withoutTheApplicationThereIsNobody() throws Exception {
        FrameworkUtil.withdrawAll();
        body(503, report("{}"));
    }
}
