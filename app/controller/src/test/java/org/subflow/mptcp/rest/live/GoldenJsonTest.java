// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.rest.exceptions.IllegalArgumentExceptionMapper;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.agent.AgentStatus;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.FailedSwitch;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rest.Alone;
import org.subflow.mptcp.rest.Golden;
import org.subflow.mptcp.rest.Scene;
import org.subflow.mptcp.rest.resource.BackgroundPlanResource;
import org.subflow.mptcp.rest.resource.BoundResource;
import org.subflow.mptcp.rest.resource.ConnectionsResource;
import org.subflow.mptcp.rest.resource.CountersResource;
import org.subflow.mptcp.rest.resource.LinksResource;
import org.subflow.mptcp.rest.resource.OverlayResource;
import org.subflow.mptcp.rest.resource.SettingsResource;
import org.subflow.mptcp.rest.resource.TopologyResource;
import org.subflow.mptcp.rest.resource.WhatIfResource;
import org.subflow.mptcp.rest.view.AgentStatusCodec;
import org.subflow.mptcp.rest.view.Views;
import org.subflow.mptcp.topology.Nets;

/**
 * What REST and the stream answer, against the golden files that the page's tests read as well. The resources are the
 * real ones; only the services behind them are invented ({@link Scene}).
 */
class GoldenJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Scene scene = new Scene();
    private final Views views = new Views(scene::get, () -> scene.millis);
    private final WhatIfResource whatIfResource = new WhatIfResource() {
        @Override
        public <T> T get(Class<T> service) {
            return scene.get(service);
        }
    };

    @Test
    void connections() throws IOException {
        ConnectionsResource resource = new ConnectionsResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        };
        Golden.check("connections", entity(resource.connections()));
        Golden.check("connection", entity(resource.connection(Scene.BUSY.value())));
        Golden.check("events", entity(resource.events(Scene.BUSY.value())));
        scene.put(scene.connections.get(Scene.BUSY).mapSubflows(subflow -> subflow.withExpected(Rates.of(10e6, 0.2e6))));
        Golden.check("limits", entity(resource.limits(Scene.BUSY.value())));
    }

    @Test
    void agents() throws IOException {
        IpAddress host = IpAddress.valueOf("10.0.0.1");
        ObjectNode answer = MAPPER.createObjectNode();
        AgentStatusCodec codec = new AgentStatusCodec();
        answer.putArray("agents")
                .add(codec.encode(new AgentStatus(host, List.of(host), OptionalLong.of(1200), "bpf", "0.1.0", 7, "user"), views))
                .add(codec.encode(new AgentStatus(host, List.of(host), OptionalLong.empty(), "", "", 0, ""), views));
        Golden.check("agents", answer);
    }

    @Test
    void links() throws IOException {
        scene.failures.links.add(new FailedLink(Nets.link(1, 2), Nets.CAPACITY, scene.millis, Set.of(Scene.BUSY)));
        Golden.check("links", entity(new LinksResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.links()));
    }

    @Test
    void topology() throws IOException {
        Golden.check("topology", entity(new TopologyResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.topology()));
    }

    @Test
    void bound() throws IOException {
        Golden.check("bound", entity(new BoundResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.bound()));
    }

    @Test
    void backgroundPlan() throws IOException {
        Golden.check("background-plan", entity(new BackgroundPlanResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.plan()));
    }

    @Test
    void counters() throws IOException {
        Golden.check("counters", entity(new CountersResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.counters()));
    }

    @Test
    void settings() throws IOException {
        ObjectNode answer = (ObjectNode) entity(new SettingsResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        }.settings());
        assertTrue(answer.path("millis").asLong() > scene.millis, answer::toString);
        answer.put("millis", scene.millis);
        Golden.check("settings", answer);
    }

    @Test
    void overlay() throws IOException {
        OverlayResource resource = new OverlayResource() {
            @Override
            public <T> T get(Class<T> service) {
                return scene.get(service);
            }
        };
        resource.security = new Visitor();
        Golden.check("overlay", entity(resource.shown()));
    }

    /** The question is a golden file as well: the page's tests hold the page's question against it. */
    @Test
    void whatIf() throws IOException {
        JsonNode answer = entity(whatIfResource.whatIf(stream(Golden.read("whatif-question").toString())));
        ObjectNode found = (ObjectNode) answer.at("/answers/0");
        assertTrue(found.path("micros").isIntegralNumber() && found.get("micros").asLong() >= 0, found::toString);
        found.put("micros", 41);
        Golden.check("whatif", answer);
    }

    @Test
    void errors() throws IOException {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> whatIfResource.whatIf(stream("{}")));
        Response response = new IllegalArgumentExceptionMapper().toResponse(refused);
        assertEquals(400, response.getStatus());
        Golden.check("error", MAPPER.readTree(response.getEntity().toString()));
    }

    @Test
    void theStream() throws Exception {
        LiveFeed feed = new LiveFeed();
        feed.mptcp = scene;
        feed.history = scene.history;
        feed.cluster = new Alone();
        feed.follow(views);
        feed.tick();
        LiveFeed.Listener listener = feed.listen("onos").orElseThrow();
        checkMessages(listener, "snapshot", "stream-snapshot");

        Connection busy = scene.connections.get(Scene.BUSY);
        Connection moved = busy.mapSubflows(subflow -> subflow.equals(busy.first()) ? Scene.first(4) : subflow);
        scene.put(moved);
        scene.connections.remove(Scene.RESTING);
        scene.measured = 7e6;
        scene.handshakes++;
        scene.compared += 60_000;
        scene.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "k-max-min");
        scene.tell(Type.REROUTED, moved, Cause.BETTER);
        scene.tell(Type.ATTAINABLE_RATE_CHANGED, moved);
        feed.tick();
        checkMessages(listener, "delta", "stream-delta", "attainable", "stream-attainable");

        scene.network = Nets.bothWays(new int[][] {{1, 2}, {2, 5}});
        scene.failures.links.add(new FailedLink(Nets.link(1, 3), 0, scene.millis, Set.of()));
        scene.failures.switches.add(new FailedSwitch(Nets.device(3), scene.millis));
        feed.tick();
        checkMessages(listener, "delta", "stream-delta-topology");
    }

    @Test
    void words() throws IOException {
        ObjectNode words = MAPPER.createObjectNode();
        put(words, "ConnectionState", ConnectionState.values());
        put(words, "SubflowState", SubflowState.values());
        put(words, "LifeEventType", LifeEvent.Kind.values());
        Golden.check("words", words);
    }

    /** Takes what a listener is told at once, and compares it with pairs of an event's name and a golden file. */
    private static void checkMessages(LiveFeed.Listener listener, String... namesAndFiles) throws Exception {
        String[] messages = listener.next(0).orElseThrow().split("\n\n");
        assertEquals(namesAndFiles.length, 2 * messages.length);
        for (int i = 0; i < messages.length; i++) {
            String[] lines = messages[i].split("\n");
            assertEquals("event: " + namesAndFiles[2 * i], lines[0]);
            assertTrue(lines.length == 2 && lines[1].startsWith("data: "), messages[i]);
            Golden.check(namesAndFiles[2 * i + 1], MAPPER.readTree(lines[1].substring("data: ".length())));
        }
    }

    private static JsonNode entity(Response response) {
        assertEquals(200, response.getStatus());
        return (JsonNode) response.getEntity();
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void put(ObjectNode words, String name, Enum<?>[] values) {
        ArrayNode array = words.putArray(name);
        Arrays.stream(values).forEach(value -> array.add(value.name().toLowerCase(Locale.ROOT)));
    }

    /** A request of a user whom nobody has asked for a name. */
    private static final class Visitor implements SecurityContext {
        @Override
        public Principal getUserPrincipal() {
            return null;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public String getAuthenticationScheme() {
            return null;
        }
    }
}
