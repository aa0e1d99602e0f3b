// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import static org.onlab.util.Tools.groupedThreads;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.onosproject.ui.UiExtension;
import org.onosproject.ui.UiExtensionService;
import org.onosproject.ui.UiMessageHandler;
import org.onosproject.ui.UiViewHidden;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds our handler to every browser session of ONOS's GUI. Active only if ONOS has its GUI. */
@Component(immediate = true, service = {})
public final class OverlayExtension {
    private static final Logger LOG = LoggerFactory.getLogger(OverlayExtension.class);
    /** Links fade after five seconds. */
    private static final long PERIOD_MILLIS = 2000;

    @Reference
    private volatile UiExtensionService extensions;

    private final List<OverlayHandler> handlers = new CopyOnWriteArrayList<>();
    private UiExtension extension;
    private ScheduledExecutorService timer;

    @SuppressWarnings("FutureReturnValueIgnored") // the task catches what goes wrong
    @Activate
    void activate() {
        // The builder requires a view. A hidden one has no entry in the menu.
        extension = new UiExtension.Builder(getClass().getClassLoader(), List.of(new UiViewHidden("mptcpOverlay")))
                .messageHandlerFactory(this::newHandlers)
                .build();
        extensions.register(extension);
        timer = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/mptcp", "overlay", LOG));
        timer.scheduleWithFixedDelay(this::push, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Deactivate
    void deactivate() {
        timer.shutdownNow();
        forEach(OverlayHandler::end);
        extensions.unregister(extension);
        handlers.clear();
    }

    private Collection<UiMessageHandler> newHandlers() {
        OverlayHandler handler = new OverlayHandler();
        handlers.add(handler);
        return List.of(handler);
    }

    private void push() {
        handlers.removeIf(OverlayHandler::isEnded);
        forEach(OverlayHandler::push);
    }

    private void forEach(Consumer<OverlayHandler> action) {
        for (OverlayHandler handler : handlers) {
            try {
                action.accept(handler);
            } catch (RuntimeException e) {
                LOG.warn("The overlay of a browser session could not be sent: {}", e.toString());
            }
        }
    }
}
