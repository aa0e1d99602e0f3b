// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.ui.RequestHandler;
import org.onosproject.ui.UiExtension;
import org.onosproject.ui.UiMessageHandler;
import org.onosproject.ui.UiViewHidden;

/** What a browser and an extension's message handler get from each other. */
class GuiSessionTest {
    private static final String LOGIN = "{\"event\": \"authentication\", \"payload\": {\"token\": \"alice\"}}";
    private static final int MILLIS = 10_000;

    private final GuiSessions sessions = new GuiSessions(0);
    private final CountDownLatch destroyed = new CountDownLatch(1);
    private final UiExtension extension = new UiExtension.Builder(getClass().getClassLoader(), List.of(new UiViewHidden("echo")))
            .messageHandlerFactory(() -> List.of(new Echo()))
            .build();
    private Socket browser;
    private BufferedReader received;

    @BeforeEach
    void begin() throws IOException {
        sessions.activate();
        sessions.register(extension);
        browser = new Socket(InetAddress.getLoopbackAddress(), sessions.port());
        browser.setSoTimeout(MILLIS);
        received = new BufferedReader(new InputStreamReader(browser.getInputStream(), StandardCharsets.UTF_8));
    }

    @AfterEach
    void end() throws IOException {
        browser.close();
        sessions.deactivate();
    }

    @Test
    void aHandlerAnswersItsEventAndKnowsTheUser() throws IOException {
        send(LOGIN);
        send("{\"event\": \"echo\", \"payload\": {\"text\": \"hello\"}}");
        assertEquals("{\"event\":\"echoed\",\"payload\":{\"text\":\"hello\",\"user\":\"alice\"}}", received.readLine());
    }

    @Test
    void anEventWithoutHandlerIsLeftAlone() throws IOException {
        send(LOGIN);
        send("{\"event\": \"requestDetails\", \"payload\": {}}");
        send("{\"event\": \"echo\", \"payload\": {}}");
        assertEquals("{\"event\":\"echoed\",\"payload\":{\"user\":\"alice\"}}", received.readLine());
    }

    @Test
    void aHandlerIsDestroyedWhenTheBrowserGoes() throws Exception {
        send(LOGIN);
        send("{\"event\": \"echo\", \"payload\": {}}");
        received.readLine();
        browser.close();
        assertTrue(destroyed.await(MILLIS, TimeUnit.MILLISECONDS));
    }

    @Test
    void sessionsEndWithTheService() throws IOException {
        send(LOGIN);
        send("{\"event\": \"echo\", \"payload\": {}}");
        received.readLine();
        sessions.deactivate();
        assertNull(received.readLine());
    }

    @Test
    void viewsAreFoundByName() {
        assertSame(extension, sessions.getViewExtension("echo"));
        assertNull(sessions.getViewExtension("other"));
        sessions.unregister(extension);
        assertEquals(List.of(), sessions.getExtensions());
    }

    private void send(String message) throws IOException {
        browser.getOutputStream().write((message + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends back what it gets, with the user's name. */
    private final class Echo extends UiMessageHandler {
        @Override
        protected Collection<RequestHandler> createRequestHandlers() {
            return List.of(new RequestHandler("echo") {
                @Override
                public void process(ObjectNode payload) {
                    connection().sendMessage("echoed", payload.put("user", connection().userName()));
                }
            });
        }

        @Override
        public void destroy() {
            super.destroy();
            destroyed.countDown();
        }
    }
}
