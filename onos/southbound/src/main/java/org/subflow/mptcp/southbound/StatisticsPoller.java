// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import static java.util.Objects.requireNonNull;
import static org.onlab.util.Tools.groupedThreads;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks every switch that this node is master of for some statistics, at a fixed interval. The replies reach whoever
 * listens to the controller's messages.
 */
public final class StatisticsPoller {

    private static final Logger log = LoggerFactory.getLogger(StatisticsPoller.class);

    private final OpenFlowController controller;
    private final Function<OpenFlowSwitch, OFMessage> request;
    private final ScheduledExecutorService executor;
    private ScheduledFuture<?> polling;

    /**
     * Makes a poller at rest.
     *
     * @param controller whose switches are asked
     * @param name of the polling thread, as "port-statistics"
     * @param request builds the request to a switch
     */
    public StatisticsPoller(OpenFlowController controller, String name, Function<OpenFlowSwitch, OFMessage> request) {
        this.controller = requireNonNull(controller);
        this.request = requireNonNull(request);
        this.executor = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/of", name, log));
    }

    /**
     * Polls every so many seconds from now on, instead of at the interval before.
     *
     * @param seconds interval, at least 1
     */
    public synchronized void setInterval(int seconds) {
        if (polling != null) {
            polling.cancel(false);
        }
        polling = executor.scheduleAtFixedRate(this::pollAll, seconds, seconds, TimeUnit.SECONDS);
    }

    /** Asks one switch now; does nothing if it is gone or has another master. */
    public void poll(OpenFlowSwitch sw) {
        if (sw != null && sw.isConnected()) {
            sw.sendMsg(request.apply(sw));
        }
    }

    /** Stops for good. */
    public void stop() {
        executor.shutdownNow();
    }

    private void pollAll() {
        try {
            controller.getMasterSwitches().forEach(this::poll);
        } catch (RuntimeException e) {
            // An exception that escaped would end the polling silently.
            log.warn("Polling failed, the next round follows: {}", e.toString());
        }
    }
}
