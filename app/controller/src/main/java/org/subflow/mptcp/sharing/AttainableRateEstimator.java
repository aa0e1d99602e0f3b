// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.sharing;

import static com.google.common.base.Preconditions.checkNotNull;

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
import org.subflow.mptcp.placement.rate.AttainableRates;
import org.subflow.mptcp.routing.NetworkModel;

/**
 * Keeps ζ, the attainable rate of each connection (eMPTCP), up to date, a few connections at a time.
 *
 * <p>A fair share over paths that a connection does not use can be expensive to compute, above all where links are full. The
 * estimator therefore works on a thread of its own, which rests between two rounds. As long as nothing changes that shares depend
 * on, no ζ changes, and none is computed twice. One thread refreshes it; any thread reads.
 */
public final class AttainableRateEstimator {
    private static final double NOTICEABLE = 0.05;
    private static final double LEAST_CHANGE_BPS = 50e3;
    private static final long UNKNOWN = -1;

    private final NetworkModel model;
    private final LongSupplier clockNanos;
    private final Consumer<Connection> changes;
    private final Map<ConnectionId, Estimate> known = new ConcurrentHashMap<>();
    private final AttainableRates rates = new AttainableRates();
    private long network;

    /** ζ of a connection. */
    private static final class Estimate {
        private static final Estimate NONE = new Estimate(AttainableRate.NONE, UNKNOWN, AttainableRate.NONE);

        private final AttainableRate rate;
        /** The number of the network that it was computed for; networks are numbered as they follow each other. */
        private final long network;
        private final AttainableRate reported;

        private Estimate(AttainableRate rate, long network, AttainableRate reported) {
            this.rate = rate;
            this.network = network;
            this.reported = reported;
        }
    }

    /**
     * Makes an estimator that knows nothing yet.
     *
     * @param model      the network, used by this thread only; not null
     * @param clockNanos a monotonic clock, nanoseconds; not null
     * @param changes    called with a connection when its ζ differs noticeably from the last reported one; not null
     */
    public AttainableRateEstimator(NetworkModel model, LongSupplier clockNanos, Consumer<Connection> changes) {
        this.model = checkNotNull(model, "model");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.changes = checkNotNull(changes, "changes");
    }

    /** Returns the last computed ζ of a connection; zero if there is none. */
    public AttainableRate attainableRate(ConnectionId id) {
        return known.getOrDefault(id, Estimate.NONE).rate;
    }

    /** Forgets a connection. */
    public void forget(ConnectionId id) {
        known.remove(id);
    }

    /**
     * Computes ζ of as many connections as the budget allows, at least one, and continues there the next time. Those without a
     * known ζ come first, then the oldest; those of the present network are left as they are. Forgets connections that are not in
     * the list.
     *
     * @param connections the connections on the network, with their expected throughputs
     * @param budgetNanos how long to work, nanoseconds, once what all of them need is known
     */
    public void refresh(List<Connection> connections, long budgetNanos) {
        Set<ConnectionId> present = connections.stream().map(Connection::id).collect(Collectors.toSet());
        known.keySet().retainAll(present);
        network += rates.now(model.now().state(connections)) ? 1 : 0;
        long end = clockNanos.getAsLong() + budgetNanos;
        // Sorted by the network that each was computed for, and then as they are listed.
        int count = connections.size();
        long[] old = IntStream.range(0, count).filter(index -> networkOf(connections.get(index)) < network)
                .mapToLong(index -> networkOf(connections.get(index)) * count + index).sorted().toArray();
        for (long place : old) {
            int index = (int) Math.floorMod(place, (long) count);
            Connection connection = connections.get(index);
            AttainableRate rate = rates.of(index);
            AttainableRate reported = known.getOrDefault(connection.id(), Estimate.NONE).reported;
            boolean hasChanged = hasChanged(reported, rate);
            known.put(connection.id(), new Estimate(rate, network, hasChanged ? rate : reported));
            if (hasChanged) {
                changes.accept(connection);
            }
            if (clockNanos.getAsLong() - end >= 0) {
                return;
            }
        }
    }

    private long networkOf(Connection connection) {
        return known.getOrDefault(connection.id(), Estimate.NONE).network;
    }

    private static boolean hasChanged(AttainableRate before, AttainableRate after) {
        return differ(before.available().up(), after.available().up())
                || differ(before.available().down(), after.available().down())
                || differ(before.fair().up(), after.fair().up())
                || differ(before.fair().down(), after.fair().down());
    }

    private static boolean differ(double one, double other) {
        return Math.abs(one - other) > Math.max(LEAST_CHANGE_BPS, NOTICEABLE * Math.max(one, other));
    }
}
