// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;

/**
 * How much each connection wants per direction, guessed from what it sends, so that an idle connection and the direction
 * of acknowledgements hold next to nothing.
 *
 * <p>Unknown (no limit) until its rules have counted all that it sent for about a second, and for two samples more; but a
 * direction in which next to nothing was sent meanwhile wants a small floor and no more, as whoever has data sends more
 * than that from its first round trip on (ten segments, RFC 6928). Then 1.25 × the most of the last three samples, but
 * never below the floor, as long as it sends less than it may; a connection that fills what it was given has no limit
 * again. One sample says little, as switches add up their counters now and then: what fills is the mean of three. A limit
 * rises by no less than a tenth and falls by no less than a quarter.
 *
 * <p>Where every subflow has a full link on its way, 2 × takes the place of 1.25 ×: hosts share a link subflow by subflow,
 * so a connection that is due more than that is not to be taken for one that wants no more. Learns on the control loop only;
 * any thread may ask.
 */
public final class Demands {
    private static final double FLOOR = Demand.FLOOR;
    private static final int SAMPLES_UNTIL_KNOWN = 2;
    private static final double HEADROOM = 1.25;
    private static final double HEADROOM_WHERE_FULL = 2;
    private static final double FILLED = 0.95;
    private static final int SAMPLES_KEPT = 3;
    private static final double LEAST_RISE = 1.1;
    private static final double LEAST_FALL = 0.75;

    private final Map<ConnectionId, State> states = new ConcurrentHashMap<>();
    private final LoopGuard guard;

    /** Makes one that any thread may teach. */
    public Demands() {
        this(LoopGuard.NONE);
    }

    /**
     * Makes one that knows no demand yet.
     *
     * @param guard lets only the thread through that may teach it; not null
     */
    public Demands(LoopGuard guard) {
        this.guard = checkNotNull(guard, "guard");
    }

    /** Returns what a connection would send, as far as it is known. */
    public Demand of(ConnectionId id) {
        State state = states.get(id);
        return state == null ? Demand.UNLIMITED : Demand.of(state.up, state.down);
    }

    /** Returns whether a connection has shown what it wants. For the control loop only. */
    public boolean isKnown(ConnectionId id) {
        State state = states.get(id);
        return state != null && (state.samples > SAMPLES_UNTIL_KNOWN || state.isSilent());
    }

    /** Returns whether a connection has shown that it sends more than next to nothing. For the control loop only. */
    public boolean isBusy(ConnectionId id) {
        return isKnown(id) && !states.get(id).isSilent();
    }

    /**
     * Learns from a sample.
     *
     * @param connection   the connection with its expected throughput
     * @param measurement  what was measured of it
     * @param sampleMillis when the switches told the sample, milliseconds of the Unix epoch; 0 if they have not, and a sample
     *                     of the same time is not counted again
     * @param isCounted    whether the switches have counted all that it sent for about a second ({@link Meter#isCounted});
     *                     as long as they never have, nothing is learned
     * @param isFull       whether a directed link carries about as much as it can
     * @return whether a limit has moved noticeably
     */
    public boolean update(Connection connection, Measurement measurement, long sampleMillis, boolean isCounted,
                          Predicate<Link> isFull) {
        guard.check();
        State state = states.computeIfAbsent(connection.id(), id -> new State());
        if (sampleMillis <= state.lastSampleMillis || state.samples == 0 && !isCounted) {
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
        DoubleSummaryStatistics sentUp = statistics(state.recent, Rates::up);
        DoubleSummaryStatistics sentDown = statistics(state.recent, Rates::down);
        if (state.samples <= SAMPLES_UNTIL_KNOWN) {
            return state.limit(young(sentUp), young(sentDown));
        }
        return state.limit(limit(state.up, sentUp, connection.expected().up(), headroom(connection, true, isFull)),
                           limit(state.down, sentDown, connection.expected().down(), headroom(connection, false, isFull)));
    }

    /** A connection has become idle: when it wakes, it wants next to nothing until it sends. */
    public void rest(ConnectionId id) {
        guard.check();
        State state = states.computeIfAbsent(id, unused -> new State());
        state.samples = SAMPLES_UNTIL_KNOWN;
        state.recent.clear();
        state.limit(FLOOR, FLOOR);
    }

    /** Forgets a connection: what it wants is unknown again. */
    public void forget(ConnectionId id) {
        guard.check();
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

    private static double young(DoubleSummaryStatistics measured) {
        return measured.getMax() < FLOOR ? FLOOR : Double.POSITIVE_INFINITY;
    }

    private static double limit(double before, DoubleSummaryStatistics measured, double expected, double headroom) {
        if (measured.getAverage() >= FILLED * expected) {
            return Double.POSITIVE_INFINITY;
        }
        double wanted = Math.max(FLOOR, headroom * measured.getMax());
        return wanted > LEAST_RISE * before || wanted < LEAST_FALL * before ? wanted : before;
    }

    private static final class State {
        private volatile double up = Double.POSITIVE_INFINITY;
        private volatile double down = Double.POSITIVE_INFINITY;
        private long lastSampleMillis;
        private int samples;
        private final Deque<Rates> recent = new ArrayDeque<>();

        private boolean isSilent() {
            return Math.max(up, down) <= FLOOR;
        }

        /** Sets both limits; returns whether one of them has moved. */
        private boolean limit(double newUp, double newDown) {
            boolean moved = newUp != up || newDown != down;
            up = newUp;
            down = newDown;
            return moved;
        }
    }
}
