// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.onlab.util.Tools.groupedThreads;
import static org.onlab.util.Tools.isPropertyEnabled;

import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
@Component(immediate = true, service = {}, property = TcpFlagCopies.COPY_TCP_FLAGS + ":Boolean=true")
public class TcpFlagCopies {

    static final String COPY_TCP_FLAGS = "copyTcpFlags";

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

    private final Segments segments = new Segments();
    private final PacketListener listener = packet -> segments.handle(controller, packet);
    private ExecutorService worker;
    private volatile FirstTables tables;
    private volatile boolean ending;

    /** Makes the component; the framework starts it. */
    public TcpFlagCopies() {
        // Nothing can be done before activate.
    }

    @Activate
    protected void activate(ComponentContext context) {
        cfgService.registerProperties(getClass());
        worker = Executors.newSingleThreadExecutor(groupedThreads("onos/of", "first-tables", log));
        FirstTables keeper = new FirstTables(controller, linkService, annotations, this::wanted, worker);
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
        log.info("Segments with SYN, FIN or RST are {} to processors that want them", copyTcpFlags ? "copied" : "not copied");
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

    private void wantedChanged() {
        FirstTables keeper = tables;
        // Processors may come before activate.
        if (keeper != null) {
            keeper.wantedChanged();
        }
    }
}
