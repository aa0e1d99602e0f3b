// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.cluster.DefaultControllerNode;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.Host;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.osgi.framework.FrameworkUtil;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.history.ConnectionHistory;
import org.subflow.mptcp.history.Histories;
import org.subflow.mptcp.rest.Alone;
import org.subflow.mptcp.rest.DiamondView;
import org.subflow.mptcp.rest.KnownAwaited;
import org.subflow.mptcp.rest.KnownConnections;
import org.subflow.mptcp.rest.KnownFailures;
import org.subflow.mptcp.topology.NetworkView;

/** What pages that listen get to hear, second by second, and how the stream carries it to them. */
class LiveFeedTest {
    private static final long TIMEOUT_MILLIS = 30_000;

    private final KnownConnections mptcp = new KnownConnections();
    private final ConnectionHistory history = new ConnectionHistory();
    private final SettingsService settings = () -> Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow");
    private final LiveFeed feed = new LiveFeed();
    private final Alone cluster = new Alone();
    private boolean active;

    @BeforeEach
    void start() throws ReflectiveOperationException {
        FrameworkUtil.offer(MptcpService.class, mptcp);
        FrameworkUtil.offer(SettingsService.class, settings);
        FrameworkUtil.offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Iterable<Host> getHosts() {
                return List.of();
            }
        });
        FrameworkUtil.offer(NameService.class, NameService.UNSTATED);
        FrameworkUtil.offer(DeviceService.class, new DeviceServiceAdapter());
        FrameworkUtil.offer(NetworkView.class, new DiamondView());
        FrameworkUtil.offer(NetworkBoundService.class, Optional::empty);
        FrameworkUtil.offer(FailureService.class, new KnownFailures());
        FrameworkUtil.offer(AwaitedService.class, new KnownAwaited());
        FrameworkUtil.offer(LiveFeed.class, feed);
        inject("history", history);
        inject("mptcp", mptcp);
        inject("settings", settings);
        inject("cluster", cluster);
        feed.activate();
        active = true;
    }

    @AfterEach
    void stop() {
        deactivate();
        FrameworkUtil.withdrawAll();
    }

    @Test
    void aNewListenerHearsEverything() throws Exception {
        mptcp.addRunning();
        LiveFeed.Listener page = feed.listen("onos").orElseThrow();
        Message snapshot = next(page);
        assertEquals("snapshot", snapshot.kind);
        assertEquals("62c2ac68", snapshot.data.at("/connections/0/id").asText());
        assertEquals("multiflow", snapshot.data.at("/settings/strategy").asText());
        assertEquals(5, snapshot.data.at("/topology/devices").size());
    }

    @Test
    void aNewListenerHearsWhatHasHappenedBefore() throws Exception {
        Connection connection = mptcp.addRunning();
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
        feed.tick();
        JsonNode snapshot = next(feed.listen("onos").orElseThrow()).data;
        assertEquals("opened", snapshot.at("/events/0/type").asText());
        assertEquals(1, snapshot.at("/samples/millis").size());
        assertEquals("[1]", snapshot.at("/samples/connections").toString());
        assertEquals("[4.0]", snapshot.at("/samples/rates/0/measuredMbps").toString());
        assertEquals("[8.0]", snapshot.at("/samples/rates/0/expectedMbps").toString());
    }

    @Test
    void inAClusterNothingIsSampledWhileNobodyListens() throws Exception {
        cluster.nodes.add(new DefaultControllerNode(NodeId.nodeId("2"), IpAddress.valueOf("127.0.0.2")));
        feed.tick();
        assertEquals("[]", next(feed.listen("onos").orElseThrow()).data.at("/samples/millis").toString());
        feed.tick();
        assertEquals(1, next(feed.listen("other").orElseThrow()).data.at("/samples/millis").size());
    }

    @Test
    void thenItHearsWhatHasChanged() throws Exception {
        LiveFeed.Listener page = feed.listen("onos").orElseThrow();
        next(page);
        Connection connection = mptcp.addRunning();
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
        Message delta = nextWith(page, "connections");
        assertEquals("delta", delta.kind);
        assertEquals("62c2ac68", delta.data.at("/connections/0/id").asText());
        assertFalse(delta.data.has("topology"), "nothing has come or gone there");
        assertFalse(delta.data.has("settings"));
        mptcp.remove(connection.id());
        assertEquals("[\"62c2ac68\"]", nextWith(page, "closed").data.path("closed").toString());
    }

    @Test
    void eventsAreToldOnceAndNoneFromBeforeAnybodyListened() throws Exception {
        Connection connection = mptcp.addRunning();
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.OPENED, connection));
        LiveFeed.Listener page = feed.listen("onos").orElseThrow();
        next(page);
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.CLOSED, connection));
        JsonNode events = nextWith(page, "events").data.path("events");
        assertEquals(1, events.size(), events.toString());
        assertEquals("closed", events.at("/0/type").asText());
        assertFalse(next(page).data.has("events"));
    }

    @Test
    void tooManyListenersAreTurnedAwayUntilOneLeaves() {
        List<LiveFeed.Listener> pages = new ArrayList<>();
        for (int i = 0; i < LiveFeed.MOST_LISTENERS; i++) {
            pages.add(feed.listen("user" + i).orElseThrow());
        }
        assertEquals(Optional.empty(), feed.listen("onos"));
        feed.leave(pages.get(0));
        assertTrue(feed.listen("onos").isPresent());
    }

    @Test
    void oneUserLeavesRoomForTheOthers() {
        for (int i = 0; i < LiveFeed.MOST_OF_A_USER; i++) {
            assertTrue(feed.listen("guest").isPresent());
        }
        assertEquals(Optional.empty(), feed.listen("guest"));
        Response crowded = new Response();
        serve(crowded, "guest");
        assertEquals(List.of("setStatus 503", "setContentType application/json"), crowded.calls);
        assertTrue(feed.listen("onos").isPresent());
    }

    @Test
    void aPageThatDoesNotKeepUpHoldsItsPlaceUntilItLeaves() {
        List<LiveFeed.Listener> pages = new ArrayList<>();
        for (int i = 0; i < LiveFeed.MOST_OF_A_USER; i++) {
            pages.add(feed.listen("guest").orElseThrow());
        }
        while (!pages.get(0).isEnded()) {
            feed.tick();
        }
        assertEquals(Optional.empty(), feed.listen("guest"), "its thread of the web server has not ended");
        feed.leave(pages.get(0));
        assertTrue(feed.listen("guest").isPresent());
        assertEquals(Optional.empty(), feed.listen("guest"));
    }

    @Test
    void onceStoppedItLetsEverybodyGo() {
        LiveFeed.Listener page = feed.listen("onos").orElseThrow();
        deactivate();
        assertTrue(page.isEnded());
        assertEquals(Set.of(), mptcp.listeners);
    }

    @Test
    void onceItsServicesHaveGoneItLetsEverybodyGo() {
        LiveFeed.Listener page = feed.listen("onos").orElseThrow();
        FrameworkUtil.withdrawAll();
        feed.tickSafely();
        assertTrue(page.isEnded());
        FrameworkUtil.offer(LiveFeed.class, feed);
        Response stopping = new Response();
        serve(stopping);
        assertEquals(List.of("setStatus 503", "setContentType application/json"), stopping.calls);
    }

    @Test
    void theStreamCarriesServerSentEventsUntilTheFeedEnds() throws Exception {
        Response response = new Response();
        Thread server = new Thread(() -> serve(response));
        server.start();
        String first = response.written.poll(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
        assertTrue(first.startsWith("event: snapshot\ndata: {") && first.endsWith("}\n\n"), first);
        deactivate();
        server.join(TIMEOUT_MILLIS);
        assertFalse(server.isAlive());
        assertEquals(List.of("setContentType text/event-stream", "setCharacterEncoding UTF-8",
                "setHeader Cache-Control no-store", "setHeader X-Accel-Buffering no"), response.calls);
    }

    @Test
    void aPageThatHasGoneFreesItsPlace() throws Exception {
        for (int i = 1; i < LiveFeed.MOST_OF_A_USER; i++) {
            feed.listen("onos");
        }
        Response response = new Response();
        response.isGone = true;
        serve(response);
        assertTrue(feed.listen("onos").isPresent());
    }

    @Test
    void withoutAFeedOrAPlaceTheStreamIsUnavailable() {
        for (int i = 0; i < LiveFeed.MOST_LISTENERS; i++) {
            feed.listen("user" + i);
        }
        Response crowded = new Response();
        serve(crowded);
        assertEquals(List.of("setStatus 503", "setContentType application/json"), crowded.calls);
        FrameworkUtil.withdrawAll();
        Response stopping = new Response();
        serve(stopping);
        assertEquals(List.of("setStatus 503", "setContentType application/json"), stopping.calls);
    }

    private void deactivate() {
        if (active) {
            active = false;
            feed.deactivate();
        }
    }

    private static void serve(Response response) {
        serve(response, "onos");
    }

    private static void serve(Response response, String user) {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(LiveFeedTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getRemoteUser")) {
                        return user;
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
        try {
            new StreamServlet().doGet(request, response.asServletResponse());
        } catch (IOException e) {
            assertTrue(response.isGone, e::toString);
        }
    }

    /** Sets a field as the framework does with a reference. */
    private void inject(String name, Object service) throws ReflectiveOperationException {
        Field field = LiveFeed.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(feed, service);
    }

    private static Message next(LiveFeed.Listener page) throws Exception {
        return new Message(page.next(TIMEOUT_MILLIS).orElseThrow());
    }

    /** Waits for a message that has something to say of this. */
    private static Message nextWith(LiveFeed.Listener page, String part) throws Exception {
        Message message = next(page);
        for (int i = 0; !message.data.has(part) && i < 30; i++) {
            message = next(page);
        }
        assertTrue(message.data.has(part), part);
        return message;
    }

    /** A server-sent event. */
    private static final class Message {
        private final String kind;
        private final JsonNode data;

        private Message(String text) throws IOException {
            String[] lines = text.split("\n");
            kind = lines[0].substring("event: ".length());
            data = new ObjectMapper().readTree(lines[1].substring("data: ".length()));
        }
    }

    /** A response that notes what is called and written. */
    private static final class Response {
        private final List<String> calls = new ArrayList<>();
        private final BlockingQueue<String> written = new LinkedBlockingQueue<>();
        private boolean isGone;

        private HttpServletResponse asServletResponse() {
            return (HttpServletResponse) Proxy.newProxyInstance(LiveFeedTest.class.getClassLoader(),
                    new Class<?>[] {HttpServletResponse.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("getOutputStream")) {
                            return new Output();
                        }
                        StringBuilder call = new StringBuilder(method.getName());
                        for (Object argument : arguments) {
                            call.append(' ').append(argument);
                        }
                        calls.add(call.toString());
                        return null;
                    });
        }

        private final class Output extends ServletOutputStream {
            @Override
            public void write(byte[] bytes) throws IOException {
                if (isGone) {
                    throw new IOException("the page has gone");
                }
                written.add(new String(bytes, StandardCharsets.UTF_8));
            }

            @Override
            public void write(int octet) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new UnsupportedOperationException();
            }
        }
    }
}
