// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.gui;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.onlab.osgi.ServiceDirectory;
import org.onosproject.ui.UiConnection;
import org.onosproject.ui.UiExtension;
import org.onosproject.ui.UiMessageHandler;
import org.onosproject.ui.model.topo.UiTopoLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One browser session: its user, and a set of the extensions' message handlers of its own. */
final class GuiSession implements UiConnection {
    private static final Logger LOG = LoggerFactory.getLogger(GuiSession.class);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Socket socket;
    private final Collection<UiExtension> extensions;
    private final ServiceDirectory directory;
    /** By the event that they handle. As in ONOS, the last of several handlers of an event has it. */
    private final Map<String, UiMessageHandler> handlers = new LinkedHashMap<>();
    private final Writer output;
    private String user;
    private UiTopoLayout layout;
    private String view = "topo2";

    GuiSession(Socket socket, Collection<UiExtension> extensions, ServiceDirectory directory) throws IOException {
        this.socket = socket;
        this.extensions = extensions;
        this.directory = directory;
        output = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
    }

    /** Handles messages until either side ends the session. */
    void run() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                receive((ObjectNode) MAPPER.readTree(line));
            }
        } catch (IOException e) {
            LOG.debug("The session of {} has ended: {}", user, e.toString());
        } finally {
            List.copyOf(handlers.values()).stream().distinct().forEach(UiMessageHandler::destroy);
        }
    }

    /** Ends the session. */
    void end() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{} was not closed: {}", socket, e.toString());
        }
    }

    private void receive(ObjectNode message) {
        String event = message.path("event").asText();
        if (user == null) {
            user = message.at("/payload/token").asText();
            begin();
        } else if (handlers.containsKey(event)) {
            handlers.get(event).process(message);
        }
    }

    private void begin() {
        extensions.stream().map(UiExtension::messageHandlerFactory).filter(Objects::nonNull)
                .flatMap(factory -> factory.newHandlers().stream())
                .forEach(handler -> {
                    handler.init(this, directory);
                    handler.messageTypes().forEach(type -> handlers.put(type, handler));
                });
    }

    @Override
    public String userName() {
        return user;
    }

    @Override
    public UiTopoLayout currentLayout() {
        return layout;
    }

    @Override
    public void setCurrentLayout(UiTopoLayout newLayout) {
        layout = newLayout;
    }

    @Override
    public String currentView() {
        return view;
    }

    @Override
    public void setCurrentView(String viewId) {
        view = viewId;
    }

    @Override
    public synchronized void sendMessage(ObjectNode message) {
        try {
            output.write(message + "\n");
            output.flush();
        } catch (IOException e) {
            LOG.debug("A message to {} was lost: {}", user, e.toString());
        }
    }

    @Override
    public void sendMessage(String event, ObjectNode payload) {
        ObjectNode message = MAPPER.createObjectNode().put("event", event);
        message.set("payload", payload == null ? MAPPER.createObjectNode() : payload);
        sendMessage(message);
    }
}
