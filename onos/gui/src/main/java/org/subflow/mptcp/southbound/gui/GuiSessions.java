// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.gui;

import static org.onlab.util.Tools.groupedThreads;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onosproject.ui.UiExtension;
import org.onosproject.ui.UiExtensionService;
import org.onosproject.ui.lion.LionBundle;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps extensions of ONOS's GUI, and opens a session with their message handlers for each connection. */
@Component(immediate = true, service = UiExtensionService.class)
public final class GuiSessions implements UiExtensionService {
    /** The TCP port of 127.0.0.1 where sessions begin. */
    public static final int PORT = 8182;

    private static final Logger LOG = LoggerFactory.getLogger(GuiSessions.class);

    private final List<UiExtension> extensions = new CopyOnWriteArrayList<>();
    private final Set<GuiSession> sessions = ConcurrentHashMap.newKeySet();
    private final int wantedPort;
    private ServerSocket listener;
    private ExecutorService threads;

    /** Makes the service that ONOS activates. */
    public GuiSessions() {
        this(PORT);
    }

    /**
     * Makes the service on another port.
     *
     * @param port the port; 0 for any that is free
     */
    GuiSessions(int port) {
        wantedPort = port;
    }

    /**
     * Begins to listen.
     *
     * @throws IOException if the port is taken
     */
    @Activate
    void activate() throws IOException {
        listener = new ServerSocket(wantedPort, 0, InetAddress.getLoopbackAddress());
        threads = Executors.newCachedThreadPool(groupedThreads("onos/gui", "session-%d", LOG));
        threads.execute(this::accept);
    }

    @Deactivate
    void deactivate() {
        close(listener);
        sessions.forEach(GuiSession::end);
        threads.shutdown();
    }

    /** Returns the port on which it listens. */
    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                GuiSession session = new GuiSession(listener.accept(), extensions, new DefaultServiceDirectory());
                sessions.add(session);
                threads.execute(() -> {
                    session.run();
                    sessions.remove(session);
                });
            } catch (IOException e) {
                LOG.debug("No further session: {}", e.toString());
            }
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{} was not closed: {}", socket, e.toString());
        }
    }

    @Override
    public void register(UiExtension extension) {
        extensions.add(extension);
    }

    @Override
    public void unregister(UiExtension extension) {
        extensions.remove(extension);
    }

    @Override
    public List<UiExtension> getExtensions() {
        return List.copyOf(extensions);
    }

    @Override
    public UiExtension getViewExtension(String viewId) {
        return extensions.stream()
                .filter(extension -> extension.views().stream().anyMatch(view -> view.id().equals(viewId)))
                .findFirst().orElse(null);
    }

    @Override
    public LionBundle getNavLionBundle() {
        return null;
    }

    @Override
    public void refreshModel() {
        // The view's model is the browser's business here.
    }
}
