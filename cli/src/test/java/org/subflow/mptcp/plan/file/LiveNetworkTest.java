// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a controller answers over HTTP, and what is said if it does not. */
class LiveNetworkTest {
    private static final Map<String, String> LOGIN = Map.of(LiveNetwork.USER, "onos", LiveNetwork.PASSWORD, "rocks");
    private static final String TOPOLOGY = "{\"devices\": [{\"id\": \"of:0000000000000001\"}, {\"id\": \"of:0000000000000002\"}], \"links\": ["
            + "{\"source\": \"of:0000000000000001/1\", \"target\": \"of:0000000000000002/1\", \"capacityMbps\": 7},"
            + "{\"source\": \"of:0000000000000002/1\", \"target\": \"of:0000000000000001/1\", \"capacityMbps\": 4}]}";
    private static final String PATH = "\"path\": [\"of:0000000000000001\", \"of:0000000000000002\"]";

    private HttpServer server;
    private String connections = "{\"connections\": []}";

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/onos/v1/mptcp/topology", exchange -> answer(exchange, TOPOLOGY));
        server.createContext("/onos/v1/mptcp/connections", exchange -> answer(exchange, connections));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        boolean mayRead = "Basic b25vczpyb2Nrcw==".equals(exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] body = (mayRead ? text : "").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(mayRead ? 200 : 401, mayRead ? body.length : -1);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Test
    void connectionsAreDemandsInTheDirectionInWhichTheySend() {
        connections = "{\"connections\": ["
                + "{\"id\": \"up\", \"expectedUpMbps\": 3, \"expectedDownMbps\": 0.1, \"demandUpMbps\": null, \"subflows\": ["
                + "{\"path\": null}, {\"fromClient\": true, " + PATH + "}]},"
                + "{\"id\": \"down\", \"expectedUpMbps\": 0.1, \"expectedDownMbps\": 2, \"demandDownMbps\": 2.5, \"subflows\": ["
                + "{\"fromClient\": true, " + PATH + "}]},"
                + "{\"id\": \"joined\", \"expectedUpMbps\": 5, \"expectedDownMbps\": 1, \"demandUpMbps\": 6, \"subflows\": ["
                + "{\"fromClient\": false, " + PATH + "}]},"
                + "{\"id\": \"idle\", \"subflows\": [{\"path\": null}]}]}";
        TopologyFile network = read("/onos/", LOGIN);
        assertEquals("up 1>2 Infinity 2, down 2>1 2.5 1, joined 2>1 6.0 1", network.demands.stream()
                .map(demand -> demand.id + " " + last(demand.source) + ">" + last(demand.target) + " " + demand.mbps + " " + demand.subflows)
                .collect(Collectors.joining(", ")));
        assertEquals(7e6, network.topology.graph().capacity(0));
        assertEquals(4e6, network.topology.graph().capacity(1));
    }

    private static String last(String device) {
        return device.substring(device.length() - 1);
    }

    @Test
    void whatIsWrongIsSaidWithWhatToDo() {
        refused("set ONOS_WEB_USER and ONOS_WEB_PASS", "/onos", Map.of());
        refused("set ONOS_WEB_USER and ONOS_WEB_PASS", "/onos", Map.of(LiveNetwork.USER, "onos"));
        refused("the address ends in /onos", "", LOGIN);
        connections = "<html>";
        refused("not JSON", "/onos", LOGIN);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> LiveNetwork.read("http://", 1, LOGIN)).getMessage()
                .contains("no address, such as"));
        int port = server.getAddress().getPort();
        server.stop(0);
        String message = assertThrows(IOException.class, () -> LiveNetwork.read("http://127.0.0.1:" + port + "/onos", 1, LOGIN)).getMessage();
        assertTrue(message.startsWith("no answer from http://127.0.0.1:" + port + "/onos/v1/mptcp/"), message);
    }

    private void refused(String says, String path, Map<String, String> login) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(path, login)).getMessage();
        assertTrue(message.contains(says), message);
    }

    private TopologyFile read(String path, Map<String, String> login) {
        try {
            return LiveNetwork.read("http://127.0.0.1:" + server.getAddress().getPort() + path, Double.NaN, login);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
