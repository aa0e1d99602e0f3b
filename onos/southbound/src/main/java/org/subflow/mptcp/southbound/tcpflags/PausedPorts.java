// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import static org.subflow.mptcp.southbound.tcpflags.PortBound.LONGEST_PAUSE_MILLIS;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.onosproject.openflow.controller.Dpid;
import org.projectfloodlight.openflow.types.OFPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the segments that each switch port brings to this node. A port that brings more is paused for a while: its segments
 * are dropped here, and {@link FirstTables} has the switch bring none.
 *
 * <p>The threads that read switches' messages ask {@link #admits}. All else is done on the worker of the first tables.
 */
final class PausedPorts {

    private static final Logger log = LoggerFactory.getLogger(PausedPorts.class);

    /** Does tasks on the worker, in their order. */
    @FunctionalInterface
    interface Worker {

        /** Does a task after so many milliseconds, or never if the worker has ended by then. */
        void after(long millis, Runnable task);
    }

    private final IntSupplier most;
    private final IntSupplier mostUnanswered;
    private final IntSupplier mostSyns;
    private final LongSupplier clock;
    private final Worker worker;
    private final Consumer<Dpid> changed;

    private final AnsweredSyns<PortBound> syns = new AnsweredSyns<>();
    private final Map<Dpid, Map<Integer, PortBound>> bounds = new ConcurrentHashMap<>();

    /**
     * Makes the bounds.
     *
     * @param most how many segments a port may bring in a second; 0 for any number
     * @param mostUnanswered how many of them may be SYNs without an answer; 0 for any number
     * @param mostSyns how many SYNs of a port that flooded of late a switch forwards in a second; 0 for any number
     * @param clock the time in nanoseconds, as {@link System#nanoTime} gives it
     * @param changed told on the worker whenever ports of a switch are paused, or no longer
     */
    PausedPorts(IntSupplier most, IntSupplier mostUnanswered, IntSupplier mostSyns, LongSupplier clock, Worker worker,
            Consumer<Dpid> changed) {
        this.most = most;
        this.mostUnanswered = mostUnanswered;
        this.mostSyns = mostSyns;
        this.clock = clock;
        this.worker = worker;
        this.changed = changed;
    }

    /**
     * Counts a segment that came from a port, and tells whether it is to be looked at.
     *
     * @param frame the frame, which is read only if the port is not paused
     */
    boolean admits(Dpid dpid, int port, Supplier<byte[]> frame) {
        int bound = most.getAsInt();
        int syns = mostUnanswered.getAsInt();
        if (isUnbounded(bound, syns)) {
            return true;
        }
        PortBound counted = bounds.computeIfAbsent(dpid, d -> new ConcurrentHashMap<>())
                .computeIfAbsent(port, p -> new PortBound(OFPort.of(p), clock.getAsLong()));
        if (counted.isPaused()) {
            return false;
        }
        boolean unanswered = isUnanswered(TcpFrame.of(frame.get()), counted);
        switch (counted.count(bound, counted.isFlooding() ? afterFlood(syns) : syns, unanswered, clock.getAsLong())) {
            case TAKEN:
                return true;
            case BEGINS_PAUSE:
                worker.after(0, () -> pause(dpid, counted));
                return false;
            default:
                return false;
        }
    }

    /** Remembers a SYN, and returns whether it is one. What a SYN has cost is given back with its first answer from another port. */
    private boolean isUnanswered(TcpFrame segment, PortBound port) {
        if (segment == null || !segment.isSyn()) {
            return false;
        }
        if (!segment.isAck()) {
            syns.remember(segment, port);
            return true;
        }
        PortBound asking = syns.answered(segment, other -> other != port);
        if (asking != null) {
            asking.giveBack();
        }
        return false;
    }

    private static boolean isUnbounded(int bound, int syns) {
        return bound == 0 && syns == 0;
    }

    /** What a flood brings after a pause has passed its meter: it has to be seen to go on. */
    private int afterFlood(int syns) {
        int metered = mostSyns.getAsInt();
        return metered == 0 || syns == 0 ? syns : Math.max(1, Math.min(syns, metered * 4 / 5));
    }

    /** {@return the ports of a switch of which no segments are wanted now} */
    Set<OFPort> paused(Dpid dpid) {
        return isUnbounded(most.getAsInt(), mostUnanswered.getAsInt()) ? Set.of() : ports(dpid, PortBound::isPaused);
    }

    /** {@return the ports of a switch that are paused now or were {@link PortBound#LONGEST_PAUSE_MILLIS} ago} */
    Set<OFPort> pausedOfLate(Dpid dpid) {
        return isUnbounded(most.getAsInt(), mostUnanswered.getAsInt()) ? Set.of() : ports(dpid, port -> port.pauses() > 0);
    }

    /** {@return those of them that brought too many SYNs without an answer} */
    Set<OFPort> floodedOfLate(Dpid dpid) {
        Set<OFPort> late = pausedOfLate(dpid);
        Set<OFPort> flooded = ports(dpid, PortBound::isFlooding);
        flooded.retainAll(late);
        return flooded;
    }

    /** {@return how many SYNs of a port that flooded of late a switch forwards in a second; 0 for any number} */
    int mostSyns() {
        return mostSyns.getAsInt();
    }

    /** Forgets all ports of a switch that is another node's matter, or gone. */
    void forget(Dpid dpid) {
        bounds.remove(dpid);
    }

    private Set<OFPort> ports(Dpid dpid, Predicate<PortBound> which) {
        return bounds.getOrDefault(dpid, Map.of()).values().stream().filter(which).map(PortBound::port)
                .collect(Collectors.toSet());
    }

    private void pause(Dpid dpid, PortBound port) {
        if (isForgotten(dpid, port)) {
            return;
        }
        long millis = port.nextPause();
        int pauses = port.pauses();
        if (pauses == 1) {
            String brought = port.isFlooding() ? mostUnanswered.getAsInt() + " SYNs without an answer"
                    : most.getAsInt() + " TCP segments with SYN, FIN or RST";
            log.warn("Port {} of {} is paused: it brought more than {} a second", port.port(), dpid, brought);
        }
        changed.accept(dpid);
        worker.after(millis, () -> resume(dpid, port, pauses));
    }

    private void resume(Dpid dpid, PortBound port, int pauses) {
        if (isForgotten(dpid, port)) {
            return;
        }
        port.resume(clock.getAsLong());
        changed.accept(dpid);
        worker.after(LONGEST_PAUSE_MILLIS, () -> beginAnew(dpid, port, pauses));
    }

    /** Forgets a port's pauses, unless another one began after these. */
    private void beginAnew(Dpid dpid, PortBound port, int pauses) {
        if (isForgotten(dpid, port) || port.isPaused() || port.pauses() != pauses) {
            return;
        }
        bounds.get(dpid).remove(port.port().getPortNumber());
        log.info("Port {} of {} kept to its bound for {} ms, after {} pauses", port.port(), dpid, LONGEST_PAUSE_MILLIS, pauses);
        changed.accept(dpid);
    }

    private boolean isForgotten(Dpid dpid, PortBound port) {
        return bounds.getOrDefault(dpid, Map.of()).get(port.port().getPortNumber()) != port;
    }
}
