// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.onlab.util.Tools.getIntegerProperty;
import static org.onlab.util.Tools.groupedThreads;
import static org.onlab.util.Tools.isPropertyEnabled;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.onosproject.cfg.ComponentConfigService;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.packet.PacketProcessor;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.PacketListener;
import org.osgi.service.component.ComponentContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.device.DeviceAnnotations;

/** Keeps the switches' first tables, and gives segments to the processors that have the property {@code tcp.flags}. */
@Component(immediate = true, service = {}, property = {
        TcpFlagCopies.COPY_TCP_FLAGS + ":Boolean=true",
        TcpFlagCopies.MOST_COPIES + ":Integer=" + TcpFlagCopies.MOST_COPIES_DEFAULT,
        TcpFlagCopies.MOST_UNANSWERED + ":Integer=" + TcpFlagCopies.MOST_UNANSWERED_DEFAULT,
        TcpFlagCopies.MOST_SYNS + ":Integer=" + TcpFlagCopies.MOST_SYNS_DEFAULT
    })
public class TcpFlagCopies {

    static final String COPY_TCP_FLAGS = "copyTcpFlags";
    static final String MOST_COPIES = "mostCopiesPerSecond";
    static final int MOST_COPIES_DEFAULT = 8000;
    static final String MOST_UNANSWERED = "mostUnansweredSynsPerSecond";
    static final int MOST_UNANSWERED_DEFAULT = 2000;
    static final String MOST_SYNS = "mostSynsPerSecond";
    static final int MOST_SYNS_DEFAULT = 2000;

    private static final Logger log = LoggerFactory.getLogger(TcpFlagCopies.class);

    /** Place among this node's packet listeners, before the one that gives packets to ONOS. */
    private static final int LISTENER_PRIORITY = 10;

    /** How long the end waits for the last messages to be written. */
    private static final int LAST_MESSAGES_SECONDS = 5;

    @Reference
    protected OpenFlowController controller;

    @Reference
    protected LinkService linkService;

    @Reference
    protected DeviceAnnotations annotations;

    @Reference
    protected ComponentConfigService cfgService;

    /** Whether processors get segments at all. */
    private volatile boolean copyTcpFlags = true;

    /** How many segments a port may bring in a second; 0 for any number. */
    private volatile int mostCopiesPerSecond = MOST_COPIES_DEFAULT;

    /** How many SYNs without an answer a port may bring in a second; 0 for any number. */
    private volatile int mostUnansweredPerSecond = MOST_UNANSWERED_DEFAULT;

    /** How many SYNs a switch forwards in a second from a port that flooded of late; 0 for any number. */
    private volatile int mostSynsPerSecond = MOST_SYNS_DEFAULT;

    private volatile FirstTables tables;
    private final Segments segments = new Segments();
    private final PausedPorts pauses = new PausedPorts(() -> mostCopiesPerSecond, () -> mostUnansweredPerSecond,
            () -> mostSynsPerSecond, System::nanoTime, this::onWorker, dpid -> tables.pausesChanged(dpid));
    private final PacketListener listener = packet -> segments.handle(controller, packet, pauses);
    private ExecutorService worker;
    private volatile boolean ending;

    /** Makes the component; the framework starts it. */
    public TcpFlagCopies() {
        // Nothing can be done before activate.
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        worker = Executors.newSingleThreadExecutor(groupedThreads("onos/of", "first-tables", log));
        FirstTables keeper = new FirstTables(controller, linkService, annotations, this::wanted, pauses, worker);
        tables = keeper;
        modified(context);
        controller.addListener(keeper);
        controller.addEventListener(keeper);
        controller.addPacketListener(LISTENER_PRIORITY, listener);
        linkService.addListener(keeper);
        keeper.start();
        log.info("Started");
    }

    @Deactivate
    protected void deactivate() throws InterruptedException {
        cfgService.unregisterProperties(getClass(), false);
        linkService.removeListener(tables);
        controller.removePacketListener(listener);
        ending = true;
        wantedChanged();
        controller.removeListener(tables);
        controller.removeEventListener(tables);
        worker.shutdown();
        if (!worker.awaitTermination(LAST_MESSAGES_SECONDS, TimeUnit.SECONDS)) {
            log.warn("Rules that copy TCP segments may stay in switches");
        }
        log.info("Stopped");
    }

    @Modified
    protected void modified(ComponentContext context) {
        copyTcpFlags = isPropertyEnabled(context.getProperties(), COPY_TCP_FLAGS, true);
        mostCopiesPerSecond = Math.max(0, getIntegerProperty(context.getProperties(), MOST_COPIES, MOST_COPIES_DEFAULT));
        mostUnansweredPerSecond =
                Math.max(0, getIntegerProperty(context.getProperties(), MOST_UNANSWERED, MOST_UNANSWERED_DEFAULT));
        mostSynsPerSecond = Math.max(0, getIntegerProperty(context.getProperties(), MOST_SYNS, MOST_SYNS_DEFAULT));
        log.info("Segments with SYN, FIN or RST are {} to processors that want them, at most {} a second and port (0: any)",
                copyTcpFlags ? "copied" : "not copied", mostCopiesPerSecond);
        wantedChanged();
    }

    @Reference(service = PacketProcessor.class, target = "(tcp.flags=copies)",
            cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected void bindCopies(PacketProcessor processor) {
        segments.add(Delivery.COPIES, processor);
        wantedChanged();
    }

    protected void unbindCopies(PacketProcessor processor) {
        segments.remove(Delivery.COPIES, processor);
        wantedChanged();
    }

    @Reference(service = PacketProcessor.class, target = "(tcp.flags=diverted-syns)",
            cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected void bindDivertedSyns(PacketProcessor processor) {
        segments.add(Delivery.DIVERTED_SYNS, processor);
        wantedChanged();
    }

    protected void unbindDivertedSyns(PacketProcessor processor) {
        segments.remove(Delivery.DIVERTED_SYNS, processor);
        wantedChanged();
    }

    @Reference(service = PacketProcessor.class, target = "(tcp.flags=observed)",
            cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected void bindObserver(PacketProcessor processor) {
        segments.addObserver(processor);
    }

    protected void unbindObserver(PacketProcessor processor) {
        segments.removeObserver(processor);
    }

    private Set<Delivery> wanted() {
        return copyTcpFlags && !ending ? segments.wanted() : Set.of();
    }

    private void onWorker(long millis, Runnable task) {
        Executor executor = millis == 0 ? worker : CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, worker);
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("A port is paused too late, the southbound is ending");
        }
    }

    private void wantedChanged() {
        FirstTables keeper = tables;
        // Processors may come before activate.
        if (keeper != null) {
            keeper.wantedChanged();
        }
    }
}
