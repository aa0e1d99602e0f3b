// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.AttainableRates;
import org.subflow.mptcp.routing.NetworkModel;

/**
 * Keeps ζ, the largest rate that each connection could attain (eMPTCP), up to date, a few connections at a time.
 *
 * <p>A fair share over paths that a connection does not have takes work, and with 1,000 connections much of it. So this has
 * a thread of its own, and after every look at some connections it rests for several times as long as that took. Refreshed by
 * one thread; read by any.
 */
public final class AttainableRateEstimator {
    private static final double NOTICEABLE = 0.05;
    private static final double LEAST_NEWS = 50e3;
    /** With this much rest after work, ζ takes at most a fifth of a processor. */
    private static final int REST = 4;

    private final NetworkModel model;
    private final LongSupplier clockNanos;
    private final Consumer<Connection> changes;
    private final Map<ConnectionId, AttainableRate> known = new ConcurrentHashMap<>();
    private final Map<ConnectionId, AttainableRate> told = new ConcurrentHashMap<>();
    private final AttainableRates rates = new AttainableRates();
    private int next;
    private long notBeforeNanos;

    /**
     * Makes an estimator that knows nothing yet.
     *
     * @param model      the network; one of its own, as this has a thread of its own; not null
     * @param clockNanos a clock that only runs forward, nanoseconds; not null
     * @param changes    told of a connection whose ζ has changed noticeably since it was last told; not null
     */
    public AttainableRateEstimator(NetworkModel model, LongSupplier clockNanos, Consumer<Connection> changes) {
        this.model = checkNotNull(model, "model");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.changes = checkNotNull(changes, "changes");
        this.notBeforeNanos = clockNanos.getAsLong();
    }

    /** Returns ζ of a connection as last worked out; zero if it has not been. */
    public AttainableRate attainableRate(ConnectionId id) {
        return known.getOrDefault(id, AttainableRate.NONE);
    }

    /** Forgets a connection. */
    public void forget(ConnectionId id) {
        known.remove(id);
        told.remove(id);
    }

    /**
     * Works ζ out anew for as many connections as the time allows, at least one, and goes on from there the next time; those
     * for which it is not known come first. Does nothing if it has not rested enough. Forgets connections that are not among
     * those given.
     *
     * @param connections those on the network, with their expected throughputs
     * @param budgetNanos after how long to stop
     */
    public void refresh(List<Connection> connections, long budgetNanos) {
        Set<ConnectionId> present = connections.stream().map(Connection::id).collect(Collectors.toSet());
        known.keySet().retainAll(present);
        told.keySet().retainAll(present);
        long begin = clockNanos.getAsLong();
        if (begin - notBeforeNanos >= 0) {
            work(connections, begin + budgetNanos);
            long end = clockNanos.getAsLong();
            notBeforeNanos = end + REST * (end - begin);
        }
    }

    private void work(List<Connection> connections, long end) {
        rates.now(model.now().state(connections));
        Deque<Integer> unknown = IntStream.range(0, connections.size())
                .filter(index -> !known.containsKey(connections.get(index).id()))
                .boxed()
                .collect(Collectors.toCollection(ArrayDeque::new));
        for (int done = 0; done < connections.size(); done++) {
            int index = unknown.isEmpty() ? next++ % connections.size() : unknown.poll();
            Connection connection = connections.get(index);
            AttainableRate rate = rates.of(index);
            known.put(connection.id(), rate);
            next %= connections.size();
            if (isNews(told.getOrDefault(connection.id(), AttainableRate.NONE), rate)) {
                told.put(connection.id(), rate);
                changes.accept(connection);
            }
            if (clockNanos.getAsLong() - end >= 0) {
                return;
            }
        }
    }

    private static boolean isNews(AttainableRate before, AttainableRate after) {
        return differ(before.available().up(), after.available().up())
                || differ(before.available().down(), after.available().down())
                || differ(before.fair().up(), after.fair().up())
                || differ(before.fair().down(), after.fair().down());
    }

    private static boolean differ(double one, double other) {
        return Math.abs(one - other) > Math.max(LEAST_NEWS, NOTICEABLE * Math.max(one, other));
    }
}
