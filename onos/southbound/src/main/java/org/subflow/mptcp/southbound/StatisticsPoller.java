// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound;

import static java.util.Objects.requireNonNull;
import static org.onlab.util.Tools.groupedThreads;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.onosproject.openflow.controller.Dpid;
import org.onosproject.openflow.controller.OpenFlowController;
import org.onosproject.openflow.controller.OpenFlowSwitch;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the switches that this node is master of for some statistics, at a fixed interval. The replies reach whoever
 * listens to the controller's messages.
 *
 * <p>A reply costs a switch and ONOS time for each entry. So whoever reads the replies may say how many entries they have, and
 * how many a second are enough. Then not all switches are asked in each round, but those that were not asked for longest.
 */
public final class StatisticsPoller {

    private static final Logger log = LoggerFactory.getLogger(StatisticsPoller.class);

    private final OpenFlowController controller;
    private final Function<OpenFlowSwitch, OFMessage> request;
    private final ScheduledExecutorService executor;
    private final Map<Dpid, Integer> entries = new ConcurrentHashMap<>();
    /** The rounds in which the switches were asked last. */
    private final Map<Dpid, Long> asked = new HashMap<>();
    private long round;
    private ScheduledFuture<?> polling;
    private volatile long mostPerRound = Long.MAX_VALUE;

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
     * Polls all switches every so many seconds from now on, instead of at the interval before.
     *
     * @param seconds interval, at least 1
     */
    public void setInterval(int seconds) {
        setInterval(seconds, Long.MAX_VALUE);
    }

    /**
     * Polls every so many seconds from now on, instead of at the interval before.
     *
     * @param seconds       interval, at least 1
     * @param mostPerSecond switches are asked in a round until their last replies had so many entries for each second of the
     *                      interval; at least 1. One switch is asked in any case
     */
    public synchronized void setInterval(int seconds, long mostPerSecond) {
        if (polling != null) {
            polling.cancel(false);
        }
        mostPerRound = mostPerSecond == Long.MAX_VALUE ? mostPerSecond : mostPerSecond * seconds;
        polling = executor.scheduleAtFixedRate(this::pollAll, seconds, seconds, TimeUnit.SECONDS);
    }

    /** Asks one switch now; does nothing if it is gone or has another master. */
    public void poll(OpenFlowSwitch sw) {
        if (sw != null && sw.isConnected()) {
            sw.sendMsg(request.apply(sw));
        }
    }

    /** Notes how many entries a switch's last reply had. */
    public void replied(Dpid dpid, int count) {
        entries.put(dpid, count);
    }

    /** Stops for good. */
    public void stop() {
        executor.shutdownNow();
    }

    /** One round. */
    void pollAll() {
        try {
            round++;
            long left = mostPerRound;
            for (OpenFlowSwitch sw : longestNotAskedFirst()) {
                if (left <= 0) {
                    break;
                }
                Dpid dpid = sw.getDpid();
                asked.put(dpid, round);
                left -= entries.getOrDefault(dpid, 0);
                poll(sw);
            }
        } catch (RuntimeException e) {
            // An exception that escaped would end the polling silently.
            log.warn("Polling failed, the next round follows: {}", e.toString());
        }
    }

    private List<OpenFlowSwitch> longestNotAskedFirst() {
        List<OpenFlowSwitch> switches = new ArrayList<>();
        Set<Dpid> present = new HashSet<>();
        for (OpenFlowSwitch sw : controller.getMasterSwitches()) {
            switches.add(sw);
            present.add(sw.getDpid());
        }
        entries.keySet().retainAll(present);
        asked.keySet().retainAll(present);
        switches.sort(Comparator.comparingLong(sw -> asked.getOrDefault(sw.getDpid(), 0L)));
        return switches;
    }
}
