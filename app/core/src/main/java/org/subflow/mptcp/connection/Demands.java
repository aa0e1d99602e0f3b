// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.SubflowState;

/**
 * How much each connection wants per direction, guessed from what it sends, so that an idle connection and the direction
 * of acknowledgements hold next to nothing.
 *
 * <p>Unknown (no limit) for the first two samples. Then 1.25 × the most of the last three samples, but never below a small
 * floor, as long as it sends less than it may; a connection that fills what it was given has no limit again. One sample
 * says little, as switches add up their counters now and then: what fills is the mean of three. A limit rises by no less
 * than a tenth and falls by no less than a quarter.
 *
 * <p>Where every subflow has a full link on its way, 2 × takes the place of 1.25 ×: hosts share a link subflow by subflow,
 * so a connection that is due more than that is not to be taken for one that wants no more. Used by the control loop only.
 */
final class Demands {
    /** What a connection is always given room for, bit/s. */
    static final double FLOOR = 100e3;

    private static final int SAMPLES_UNTIL_KNOWN = 2;
    private static final double HEADROOM = 1.25;
    private static final double HEADROOM_WHERE_FULL = 2;
    private static final double FILLED = 0.95;
    private static final int SAMPLES_KEPT = 3;
    private static final double LEAST_RISE = 1.1;
    private static final double LEAST_FALL = 0.75;

    private final Map<ConnectionId, State> states = new HashMap<>();

    /** Returns the most that a connection is taken to want from client to server, bit/s; infinite if unknown. */
    double up(ConnectionId id) {
        State state = states.get(id);
        return state == null ? Double.POSITIVE_INFINITY : state.up;
    }

    /** Returns the most that a connection is taken to want from server to client, bit/s; infinite if unknown. */
    double down(ConnectionId id) {
        State state = states.get(id);
        return state == null ? Double.POSITIVE_INFINITY : state.down;
    }

    /**
     * Learns from a sample.
     *
     * @param connection   the connection with its expected throughput
     * @param measurement  what was measured of it
     * @param sampleMillis when the switches told the sample; a sample of the same time is not counted again
     * @param isFull       whether a directed link carries about as much as it can
     * @return whether a limit has moved noticeably
     */
    boolean update(Connection connection, Measurement measurement, long sampleMillis, Predicate<Link> isFull) {
        State state = states.computeIfAbsent(connection.id(), id -> new State());
        if (sampleMillis <= state.lastSampleMillis) {
            return false;
        }
        state.lastSampleMillis = sampleMillis;
        state.samples++;
        state.recent.addLast(connection.subflows().stream()
                .map(subflow -> measurement.rates(subflow.tuple()))
                .reduce(Rates.ZERO, Rates::plus));
        if (state.recent.size() > SAMPLES_KEPT) {
            state.recent.removeFirst();
        }
        if (state.samples <= SAMPLES_UNTIL_KNOWN) {
            return false;
        }
        double up = limit(state.up, statistics(state.recent, Rates::up), connection.expected().up(),
                          headroom(connection, true, isFull));
        double down = limit(state.down, statistics(state.recent, Rates::down), connection.expected().down(),
                            headroom(connection, false, isFull));
        boolean moved = up != state.up || down != state.down;
        state.up = up;
        state.down = down;
        return moved;
    }

    /** Forgets a connection: what it wants is unknown again. */
    void forget(ConnectionId id) {
        states.remove(id);
    }

    private static DoubleSummaryStatistics statistics(Collection<Rates> measured, ToDoubleFunction<Rates> direction) {
        return measured.stream().mapToDouble(direction).summaryStatistics();
    }

    private static double headroom(Connection connection, boolean upwards, Predicate<Link> isFull) {
        boolean allFull = connection.subflows().stream()
                .filter(subflow -> subflow.state() == SubflowState.ACTIVE)
                .map(subflow -> upwards == subflow.fromClient() ? subflow.path() : subflow.reversePath())
                .allMatch(links -> links.stream().anyMatch(isFull));
        return allFull ? HEADROOM_WHERE_FULL : HEADROOM;
    }

    private static double limit(double before, DoubleSummaryStatistics measured, double expected, double headroom) {
        if (measured.getAverage() >= FILLED * expected) {
            return Double.POSITIVE_INFINITY;
        }
        double wanted = Math.max(FLOOR, headroom * measured.getMax());
        return wanted > LEAST_RISE * before || wanted < LEAST_FALL * before ? wanted : before;
    }

    private static final class State {
        private double up = Double.POSITIVE_INFINITY;
        private double down = Double.POSITIVE_INFINITY;
        private long lastSampleMillis = Long.MIN_VALUE;
        private int samples;
        private final Deque<Rates> recent = new ArrayDeque<>();
    }
}
