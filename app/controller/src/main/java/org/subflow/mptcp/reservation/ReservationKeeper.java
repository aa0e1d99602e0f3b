// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Maps;
import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.reservation.Reservations.Outcome;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.UnreservedNetwork;

/**
 * Writes the requested reservations to ONOS's resource service, on a thread of its own.
 *
 * <p>Also reads the reservations of other applications, so that shares stay within the residual bandwidth.
 *
 * <p>The resource service takes its time for each change, and neither rules nor other connections wait for it. If requests come
 * faster, only the newest of each connection is written. Any thread may request; the thread of the
 * constructor's {@code soon} writes.
 *
 * <p>A thousand connections whose demands vary would keep ONOS's store busy all the time. So the keeper pauses after changes
 * that took long, for at least four times as long. New, moved and released reservations do not wait for that.
 *
 * <p>After a failure rules come first: {@link #hold}.
 *
 * <p>The keeper repeats refused requests. For example, a port that comes back can carry packets before ONOS has registered
 * its bandwidth, which ONOS does on another thread. It also repeats requests that ended with an error, such as a time-out.
 */
public final class ReservationKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationKeeper.class);
    private static final int MOST_POLLS_BETWEEN = 64;
    private static final int PAUSE_FACTOR = 4;
    /** Changes that took less long are followed by no pause. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** So long transactions may last that the loss of a node or of the storage nodes has left half done. */
    private static final long LOCKED_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Rules that take longer may never come. */
    private static final long LONGEST_HOLD_NANOS = TimeUnit.SECONDS.toNanos(4);

    private final Reservations reservations;
    private final UnreservedNetwork network;
    private final LongSupplier nanos;
    private final Runnable trigger;
    private final Object lock = new Object();
    private final Map<ConnectionId, Map<ConnectPoint, Double>> requested = new HashMap<>();
    private Set<ConnectionId> released = new LinkedHashSet<>();
    private Set<ConnectPoint> leftovers = new LinkedHashSet<>();
    /** Since when reservations wait for rules; empty if they do not. */
    private volatile OptionalLong heldSinceNanos = OptionalLong.empty();
    private volatile Map<ConnectPoint, Double> booked = ImmutableMap.of();
    /** Where the last reservation was released since {@link #vacated} was asked. Only the writing thread uses it. */
    private final Set<ConnectPoint> vacated = new LinkedHashSet<>();
    /** The newest requests that ONOS refused in part or did not take. Only the writing thread uses this field and the following ones. */
    private final Map<ConnectionId, Map<ConnectPoint, Double>> unwritten = new HashMap<>();
    private Set<ConnectPoint> warnedOf = Set.of();
    /** Whether ONOS did not say at the last look what others have reserved. */
    private boolean isUntold;
    private int polls;
    private int nextRetry;
    private long pauseUntilNanos;
    /** Empty unless {@link #mayBeLocked}. */
    private volatile OptionalLong lockedUntilNanos = OptionalLong.empty();

    /**
     * Makes a keeper.
     *
     * @param soon         makes a trigger of a task. If it fires several times while the task waits, the task runs once,
     *                     always on the same thread
     * @param nanos        a monotonic clock, nanoseconds; not null
     */
    public ReservationKeeper(Reservations reservations, UnreservedNetwork network, UnaryOperator<Runnable> soon,
                             LongSupplier nanos) {
        this.nanos = checkNotNull(nanos, "nanos");
        this.pauseUntilNanos = nanos.getAsLong();
        this.reservations = checkNotNull(reservations, "reservations");
        this.network = checkNotNull(network, "network");
        this.trigger = soon.apply(this::settle);
    }

    /** Requests reservations for some connections, bit/s by egress port. The requests of other connections stay. */
    public void request(Map<ConnectionId, Map<ConnectPoint, Double>> amounts) {
        synchronized (lock) {
            requested.putAll(amounts);
        }
        trigger.run();
    }

    /** Releases the reservations of a connection, until the next request for it. */
    public void release(ConnectionId id) {
        synchronized (lock) {
            requested.remove(id);
            released.add(id);
        }
        trigger.run();
    }

    /** Releases what an earlier run of the application has reserved at these egress ports, before the next request. */
    public void releaseLeftovers(Set<ConnectPoint> ports) {
        synchronized (lock) {
            leftovers.addAll(ports);
        }
        trigger.run();
    }

    /**
     * Holds all changes back until {@link #proceed}, but not for long. ONOS's resource service would take the time that the rules of
     * moved connections need.
     */
    public void hold() {
        if (!isHeld()) {
            heldSinceNanos = OptionalLong.of(nanos.getAsLong());
        }
    }

    /** Lets changes go on. */
    public void proceed() {
        heldSinceNanos = OptionalLong.empty();
        trigger.run();
    }

    /** Returns whether changes wait for rules. Any thread may ask. */
    public boolean isHeld() {
        OptionalLong since = heldSinceNanos;
        return since.isPresent() && nanos.getAsLong() - since.getAsLong() <= LONGEST_HOLD_NANOS;
    }

    /** Returns the reserved bandwidth of all connections together, bit/s by egress port. Any thread may ask. */
    public Map<ConnectPoint, Double> booked() {
        return booked;
    }

    private void settle() {
        if (isHeld()) {
            return;
        }
        boolean isPause = isPause();
        Map<ConnectionId, Map<ConnectPoint, Double>> amounts = new HashMap<>();
        List<ConnectionId> gone;
        Set<ConnectPoint> left;
        synchronized (lock) {
            requested.forEach((id, ports) -> {
                if (!isPause || isElsewhere(id, ports)) {
                    amounts.put(id, ports);
                }
            });
            requested.keySet().removeAll(amounts.keySet());
            gone = new ArrayList<>(released);
            left = leftovers;
            leftovers = new LinkedHashSet<>();
            released = new LinkedHashSet<>();
        }
        timed(() -> write(gone, left, amounts));
    }

    private boolean isPause() {
        return nanos.getAsLong() - pauseUntilNanos < 0;
    }

    /**
     * Changes something, and begins a pause if that has taken long. Not where ONOS's store did not answer: it may be back long
     * before the pause would end.
     */
    private void timed(Supplier<Outcome> change) {
        long begun = nanos.getAsLong();
        Outcome outcome = change.get();
        long ended = nanos.getAsLong();
        if (ended - begun >= SHORT_NANOS && outcome != Outcome.INTERRUPTED && !isLocked()) {
            pauseUntilNanos = ended + PAUSE_FACTOR * (ended - begun);
        }
    }

    /**
     * Returns whether a request is for other ports than the connection has so far. It also has the ports where ONOS refused a
     * request: else the keeper would repeat the refused ones at every change, without a pause.
     */
    private boolean isElsewhere(ConnectionId id, Map<ConnectPoint, Double> ports) {
        Set<ConnectPoint> held = reservations.held(id).keySet();
        Set<ConnectPoint> refused = unwritten.getOrDefault(id, ImmutableMap.of()).keySet();
        return !ports.keySet().containsAll(held) || ports.entrySet().stream()
                .anyMatch(entry -> entry.getValue() >= 1 && !held.contains(entry.getKey()) && !refused.contains(entry.getKey()));
    }

    private Outcome write(List<ConnectionId> gone, Set<ConnectPoint> left, Map<ConnectionId, Map<ConnectPoint, Double>> amounts) {
        unwritten.keySet().removeAll(gone);
        // What ONOS does not release now goes with a later look at its port.
        unlessItFails(() -> reservations.release(gone));
        unlessItFails(() -> reservations.clean(left));
        Set<ConnectPoint> refused = new LinkedHashSet<>();
        Outcome outcome = apply(amounts, refused);
        if (!refused.isEmpty() || outcome == Outcome.INTERRUPTED) {
            polls = 0;
            nextRetry = 1;
        }
        if (!refused.isEmpty()) {
            lookAtOthers();
        }
        return outcome;
    }

    /** Returns the ports where nothing is reserved any more, each once. On the writing thread only. */
    public Set<ConnectPoint> vacated() {
        Set<ConnectPoint> ports = ImmutableSet.copyOf(vacated);
        vacated.clear();
        return ports;
    }

    private static void unlessItFails(Runnable change) {
        try {
            change.run();
        } catch (RuntimeException e) {
            LOG.warn("ONOS did not release reservations: {}; they are released later", e.toString());
        }
    }

    /** Writes requests, and remembers those that ONOS refused in part or did not take; {@code refused} gets the ports. */
    private Outcome apply(Map<ConnectionId, Map<ConnectPoint, Double>> amounts, Set<ConnectPoint> refused) {
        Outcome outcome = reservations.apply(amounts, this::isHeld, refused);
        unwritten.keySet().removeAll(amounts.keySet());
        if (outcome == Outcome.POSTPONED) {
            synchronized (lock) {
                amounts.keySet().stream().filter(id -> !released.contains(id))
                        .forEach(id -> requested.putIfAbsent(id, amounts.get(id)));
            }
        } else {
            unwritten.putAll(Maps.filterValues(amounts, ports -> outcome == Outcome.INTERRUPTED
                    || !Collections.disjoint(ports.keySet(), refused)));
        }
        Map<ConnectPoint, Double> total = reservations.total();
        vacated.addAll(Sets.difference(booked.keySet(), total.keySet()));
        booked = total;
        return outcome;
    }

    /** Repeats the refused requests, because ONOS has new resources; in a pause after it. On the writing thread only. */
    public void tryAgain() {
        if (unwritten.isEmpty()) {
            return;
        }
        if (isPause() || isHeld()) {
            polls = 0;
            nextRetry = 1;
        } else {
            retry();
        }
    }

    /**
     * Notes that another node, or this one, has just lost the right to decide. Its half-done transactions lock ports
     * until {@link org.subflow.mptcp.store.TransactionRecovery} has finished them. So for a while there are no pauses.
     */
    public void mayBeLocked() {
        lockedUntilNanos = OptionalLong.of(nanos.getAsLong() + LOCKED_NANOS);
    }

    private boolean isLocked() {
        return lockedUntilNanos.isPresent() && nanos.getAsLong() - lockedUntilNanos.getAsLong() < 0;
    }

    /** Returns whether ONOS has refused requests, or not answered; on the writing thread only. */
    public boolean isAnyUnwritten() {
        return !unwritten.isEmpty();
    }

    /** Repeats refused requests while ports may be locked. On the writing thread only. */
    public void tryLocked() {
        if (isLocked()) {
            tryAgain();
        }
    }

    private Set<ConnectPoint> retry() {
        Set<ConnectPoint> refused = new LinkedHashSet<>();
        timed(() -> apply(new HashMap<>(unwritten), refused));
        return refused;
    }

    /**
     * Writes what a pause has held back, once the pause has ended. Reads the reservations of other applications, and from time
     * to time repeats refused requests. The first retry comes at the next call; the number of calls between retries then
     * doubles each time. On the writing thread only.
     */
    public void look() {
        if (isHeld()) {
            return;
        }
        if (isAnyRequested()) {
            settle();
        }
        lookAtOthers();
        if (unwritten.isEmpty()) {
            warnedOf = Set.of();
        } else if (!isPause() && ++polls >= nextRetry) {
            polls = 0;
            nextRetry = Math.min(2 * nextRetry, MOST_POLLS_BETWEEN);
            Set<ConnectPoint> refused = retry();
            if (!warnedOf.containsAll(refused)) {
                LOG.warn("ONOS refuses to reserve bandwidth at {}: others hold it, or ONOS has registered less for the port. "
                                 + "Traffic is forwarded anyway; 'resources' shows the holders.", refused);
                warnedOf = refused;
            }
        }
    }

    private boolean isAnyRequested() {
        synchronized (lock) {
            return !requested.isEmpty();
        }
    }

    /** Reads the reservations of other applications. On the writing thread only. */
    public void lookAtOthers() {
        Set<ConnectPoint> ports = new LinkedHashSet<>();
        network.snapshot().links().forEach(link -> ports.add(NetworkSnapshot.egressPort(link)));
        Map<ConnectPoint, Double> others;
        try {
            others = reservations.others(ports);
        } catch (RuntimeException e) {
            if (!isUntold) {
                LOG.warn("ONOS does not say what others have reserved: {}; its last word holds", e.toString());
            }
            isUntold = true;
            return;
        }
        isUntold = false;
        network.setReservedByOthers(others);
    }
}
