// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.onosproject.net.ConnectPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.Reservations;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.UnreservedNetwork;

/**
 * Brings reservations in line with what connections are to hold, without making anybody wait for it.
 *
 * <p>Also looks at what other applications reserve, so that shares stay within what these leave.
 *
 * <p>ONOS's resource store takes some 10 ms for each connection that changes; rules and other connections do not wait so
 * long. Wishes may come faster than they can be met: then only the newest of each connection is. Wishes come from any
 * thread, and are met on the one that the constructor's {@code soon} uses.
 *
 * <p>What ONOS refuses is asked for again: a port that comes back can carry packets before ONOS has entered its bandwidth
 * in the books, which it does on a thread of its own.
 */
public final class ReservationKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationKeeper.class);
    private static final int MOST_LOOKS_BETWEEN = 64;

    private final Reservations reservations;
    private final UnreservedNetwork network;
    private final Runnable trigger;
    private final Object lock = new Object();
    private Map<ConnectionId, Map<ConnectPoint, Double>> wanted = new HashMap<>();
    private Set<ConnectionId> released = new LinkedHashSet<>();
    private volatile Map<ConnectPoint, Double> booked = ImmutableMap.of();
    /** The newest wishes of connections that ONOS refused a part of. This and the rest: of the thread that meets wishes only. */
    private final Map<ConnectionId, Map<ConnectPoint, Double>> unmet = new HashMap<>();
    private Set<ConnectPoint> told = Set.of();
    private int looks;
    private int nextTry;

    /**
     * Makes a keeper.
     *
     * @param reservations the book; not null
     * @param network      told what others have reserved; not null
     * @param soon         makes a trigger of a task: however often it is pulled while the task waits, the task runs once;
     *                     always on the same thread
     */
    public ReservationKeeper(Reservations reservations, UnreservedNetwork network, UnaryOperator<Runnable> soon) {
        this.reservations = checkNotNull(reservations, "reservations");
        this.network = checkNotNull(network, "network");
        this.trigger = soon.apply(this::settle);
    }

    /** Wants these amounts, bit/s by egress port, for these connections; the others keep what they are to have. */
    public void demand(Map<ConnectionId, Map<ConnectPoint, Double>> amounts) {
        synchronized (lock) {
            wanted.putAll(amounts);
        }
        trigger.run();
    }

    /** Wants nothing any more for a connection, until more is wanted. */
    public void release(ConnectionId id) {
        synchronized (lock) {
            wanted.remove(id);
            released.add(id);
        }
        trigger.run();
    }

    /** Returns what ONOS has given all connections together, bit/s by egress port. From any thread. */
    public Map<ConnectPoint, Double> booked() {
        return booked;
    }

    private void settle() {
        Map<ConnectionId, Map<ConnectPoint, Double>> amounts;
        List<ConnectionId> gone;
        synchronized (lock) {
            amounts = wanted;
            gone = new ArrayList<>(released);
            wanted = new HashMap<>();
            released = new LinkedHashSet<>();
        }
        gone.forEach(reservations::release);
        unmet.keySet().removeAll(gone);
        if (!apply(amounts).isEmpty()) {
            looks = 0;
            nextTry = 1;
            lookAtOthers();
        }
    }

    /** Returns the ports at which ONOS refused something, and remembers whose wishes these were. */
    private Set<ConnectPoint> apply(Map<ConnectionId, Map<ConnectPoint, Double>> amounts) {
        Set<ConnectPoint> refused = reservations.apply(amounts);
        unmet.keySet().removeAll(amounts.keySet());
        amounts.forEach((id, ports) -> {
            if (!Collections.disjoint(ports.keySet(), refused)) {
                unmet.put(id, ports);
            }
        });
        booked = reservations.total();
        return refused;
    }

    /** ONOS has new resources: asks again for what it refused. On the thread that meets wishes only. */
    public void tryAgain() {
        if (!unmet.isEmpty()) {
            askAgain();
        }
    }

    private Set<ConnectPoint> askAgain() {
        return apply(new HashMap<>(unmet));
    }

    /**
     * Looks at what others have reserved, and now and then asks again for what ONOS refused: at the first look after it did,
     * then after twice as many looks each time. On the thread that meets wishes only.
     */
    public void look() {
        lookAtOthers();
        if (unmet.isEmpty()) {
            told = Set.of();
        } else if (++looks >= nextTry) {
            looks = 0;
            nextTry = Math.min(2 * nextTry, MOST_LOOKS_BETWEEN);
            Set<ConnectPoint> refused = askAgain();
            if (!told.containsAll(refused)) {
                LOG.warn("ONOS refuses bandwidth at {}: others hold it, or the port's bandwidth in ONOS's own books is less. "
                                 + "Traffic is forwarded all the same; 'resources' shows the holders.", refused);
                told = refused;
            }
        }
    }

    /** Looks at what other applications have reserved; on the thread that meets wishes only. */
    public void lookAtOthers() {
        Set<ConnectPoint> ports = new LinkedHashSet<>();
        network.snapshot().links().forEach(link -> ports.add(NetworkSnapshot.egressPort(link)));
        network.claims(reservations.others(ports));
    }
}
