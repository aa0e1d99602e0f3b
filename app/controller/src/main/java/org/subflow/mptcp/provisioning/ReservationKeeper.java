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
 * Writes the requested reservations to ONOS's resource service, on a thread of its own.
 *
 * <p>Also reads the reservations of other applications, so that shares stay within the residual bandwidth.
 *
 * <p>The resource service takes some 10 ms per changed connection, and neither rules nor other connections wait for it. If
 * requests come faster, only the newest of each connection is written. Any thread may request; the thread of the
 * constructor's {@code soon} writes.
 *
 * <p>The keeper repeats refused requests. For example, a port that comes back can carry packets before ONOS has registered
 * its bandwidth, which ONOS does on another thread.
 */
public final class ReservationKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(ReservationKeeper.class);
    private static final int MOST_POLLS_BETWEEN = 64;

    private final Reservations reservations;
    private final UnreservedNetwork network;
    private final Runnable trigger;
    private final Object lock = new Object();
    private Map<ConnectionId, Map<ConnectPoint, Double>> requested = new HashMap<>();
    private Set<ConnectionId> released = new LinkedHashSet<>();
    private volatile Map<ConnectPoint, Double> booked = ImmutableMap.of();
    /** The newest requests that ONOS refused in part. Only the writing thread uses this field and the following ones. */
    private final Map<ConnectionId, Map<ConnectPoint, Double>> refusedRequests = new HashMap<>();
    private Set<ConnectPoint> warnedOf = Set.of();
    private int polls;
    private int nextRetry;

    /**
     * Makes a keeper.
     *
     * @param reservations the reservations in ONOS's resource service; not null
     * @param network      gets the reservations of other applications; not null
     * @param soon         makes a trigger of a task. If it fires several times while the task waits, the task runs once,
     *                     always on the same thread
     */
    public ReservationKeeper(Reservations reservations, UnreservedNetwork network, UnaryOperator<Runnable> soon) {
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

    /** Returns the reserved bandwidth of all connections together, bit/s by egress port. Any thread may ask. */
    public Map<ConnectPoint, Double> booked() {
        return booked;
    }

    private void settle() {
        Map<ConnectionId, Map<ConnectPoint, Double>> amounts;
        List<ConnectionId> gone;
        synchronized (lock) {
            amounts = requested;
            gone = new ArrayList<>(released);
            requested = new HashMap<>();
            released = new LinkedHashSet<>();
        }
        gone.forEach(reservations::release);
        refusedRequests.keySet().removeAll(gone);
        if (!apply(amounts).isEmpty()) {
            polls = 0;
            nextRetry = 1;
            lookAtOthers();
        }
    }

    /** Writes requests, and remembers those that ONOS refused in part; returns the ports of refusals. */
    private Set<ConnectPoint> apply(Map<ConnectionId, Map<ConnectPoint, Double>> amounts) {
        Set<ConnectPoint> refused = reservations.apply(amounts);
        refusedRequests.keySet().removeAll(amounts.keySet());
        amounts.forEach((id, ports) -> {
            if (!Collections.disjoint(ports.keySet(), refused)) {
                refusedRequests.put(id, ports);
            }
        });
        booked = reservations.total();
        return refused;
    }

    /** Repeats the refused requests, because ONOS has new resources. On the writing thread only. */
    public void tryAgain() {
        if (!refusedRequests.isEmpty()) {
            retryRefused();
        }
    }

    private Set<ConnectPoint> retryRefused() {
        return apply(new HashMap<>(refusedRequests));
    }

    /**
     * Reads the reservations of other applications, and from time to time repeats refused requests. The first retry comes
     * at the next call; the number of calls between retries then doubles each time. On the writing thread only.
     */
    public void look() {
        lookAtOthers();
        if (refusedRequests.isEmpty()) {
            warnedOf = Set.of();
        } else if (++polls >= nextRetry) {
            polls = 0;
            nextRetry = Math.min(2 * nextRetry, MOST_POLLS_BETWEEN);
            Set<ConnectPoint> refused = retryRefused();
            if (!warnedOf.containsAll(refused)) {
                LOG.warn("ONOS refuses to reserve bandwidth at {}: others hold it, or ONOS has registered less for the port. "
                                 + "Traffic is forwarded anyway; 'resources' shows the holders.", refused);
                warnedOf = refused;
            }
        }
    }

    /** Reads the reservations of other applications. On the writing thread only. */
    public void lookAtOthers() {
        Set<ConnectPoint> ports = new LinkedHashSet<>();
        network.snapshot().links().forEach(link -> ports.add(NetworkSnapshot.egressPort(link)));
        network.setReservedByOthers(reservations.others(ports));
    }
}
