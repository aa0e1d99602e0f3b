// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;

/**
 * Estimates the demand of each connection per direction from its rate, so that an idle connection and the direction of
 * acknowledgements reserve almost nothing.
 *
 * <p>The demand is unknown, that is unlimited, until the rules have counted about a second of traffic, and for two more
 * samples. A direction with almost no traffic in that time has a small floor as its demand: a sender with data sends more
 * than that from its first round trip on (ten segments, RFC 6928).
 *
 * <p>A direction with no more traffic than acknowledging the other one takes ({@link Demand#isAcknowledgements}, the maxima of
 * the last three samples) is one of acknowledgements. That is known from the first sample on. Its demand never is without
 * limit, and paths are not chosen for its sake.
 *
 * <p>Later the demand is 1.25 × the maximum of the last three samples, at least the floor, while the connection sends less
 * than its expected throughput. A connection that fills its expected throughput has unlimited demand again. The mean of
 * three samples decides that, because switches update their counters only now and then. A demand rises by at least a tenth
 * and falls by at least a quarter.
 *
 * <p>When paths come, go or change, samples from before say nothing about what the connection could send now. Unlimited
 * demand then stays so for four samples: the first one is partly of the paths before.
 *
 * <p>If every subflow crosses a full link, the factor is 2 instead of 1.25. Hosts share a link by subflow, so a connection
 * may send less there than its fair share although it demands more.
 *
 * <p>What a host itself says of what it sends counts instead, as long as it says so ({@link #report}). The control loop updates
 * the estimates; any thread may ask.
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
    private final AtomicLong changes = new AtomicLong();
    private final LoopGuard guard;

    public Demands(LoopGuard guard) {
        this.guard = checkNotNull(guard, "guard");
    }

    /** Returns the demand of a connection, unlimited as long as it is unknown. */
    public Demand of(ConnectionId id) {
        State state = states.get(id);
        return state == null ? Demand.UNLIMITED : state.demand();
    }

    /** Returns how often a demand has changed. */
    public long changes() {
        return changes.get();
    }

    private boolean changed(boolean really) {
        if (really) {
            changes.incrementAndGet();
        }
        return really;
    }

    /** Returns whether the demand of a connection is known. For the control loop only. */
    public boolean isKnown(ConnectionId id) {
        guard.check();
        State state = states.get(id);
        return state != null && (state.samples > SAMPLES_UNTIL_KNOWN || state.isSilent() || state.isSaid());
    }

    /** Returns whether the demand of a connection is known and above the floor. For the control loop only. */
    public boolean isBusy(ConnectionId id) {
        return isKnown(id) && !states.get(id).isSilent();
    }

    /**
     * Updates the demand from a sample.
     *
     * @param connection   the connection with its expected throughput
     * @param measurement  its measurement
     * @param sampleMillis when the switches reported the sample, milliseconds of the Unix epoch, 0 for none; a sample with
     *                     the time of the last one is ignored
     * @param isCounted    whether the switches have counted about a second of its traffic ({@link Meter#isCounted});
     *                     samples before the first such one are ignored
     * @param isFull       whether a directed link is about fully loaded
     * @return whether a demand has changed
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
        state.follow(connection);
        state.recent.addLast(connection.subflows().stream()
                .map(subflow -> measurement.rates(subflow.tuple()))
                .reduce(Rates.ZERO, Rates::plus));
        if (state.recent.size() > SAMPLES_KEPT) {
            state.recent.removeFirst();
        }
        DoubleSummaryStatistics sentUp = statistics(state.recent, Direction.UP);
        DoubleSummaryStatistics sentDown = statistics(state.recent, Direction.DOWN);
        Demand before = state.demand();
        state.up.acknowledges = Demand.isAcknowledgements(sentUp.getMax(), sentDown.getMax());
        state.down.acknowledges = Demand.isAcknowledgements(sentDown.getMax(), sentUp.getMax());
        state.up.counted = limit(state, state.up, sentUp, connection.expected().up(), headroom(connection, Direction.UP, isFull));
        state.down.counted =
                limit(state, state.down, sentDown, connection.expected().down(), headroom(connection, Direction.DOWN, isFull));
        return changed(!state.demand().equals(before));
    }

    /**
     * Notes what the hosts of a connection say of their demand.
     *
     * @param id   the connection; not null
     * @param up   the client's demand, bit/s on the wire, infinite without a limit; empty if the client does not say
     * @param down the server's demand, in the same way
     * @return whether the demand has changed
     */
    public boolean report(ConnectionId id, OptionalDouble up, OptionalDouble down) {
        guard.check();
        State state = states.computeIfAbsent(id, unused -> new State());
        Demand before = of(id);
        state.up.said = up;
        state.down.said = down;
        return changed(!of(id).equals(before));
    }

    /**
     * Sets the demand of a connection that has become idle to the floor; it stays there until the connection sends again.
     */
    public void rest(ConnectionId id) {
        guard.check();
        State state = states.computeIfAbsent(id, unused -> new State());
        state.samples = SAMPLES_UNTIL_KNOWN;
        state.heldUntil = 0;
        state.recent.clear();
        List.of(state.up, state.down).forEach(each -> {
            each.counted = FLOOR;
            each.acknowledges = false;
        });
        changed(true);
    }

    /** Forgets a connection: its demand is unknown again. */
    public void forget(ConnectionId id) {
        guard.check();
        changed(states.remove(id) != null);
    }

    private static DoubleSummaryStatistics statistics(Collection<Rates> measured, Direction direction) {
        return measured.stream().mapToDouble(direction::of).summaryStatistics();
    }

    private static double headroom(Connection connection, Direction direction, Predicate<Link> isFull) {
        boolean allFull = connection.subflows().stream()
                .filter(subflow -> subflow.state() == SubflowState.ACTIVE)
                .map(subflow -> (direction == Direction.UP) == subflow.fromClient() ? subflow.path() : subflow.reversePath())
                .allMatch(links -> links.stream().anyMatch(isFull));
        return allFull ? HEADROOM_WHERE_FULL : HEADROOM;
    }

    private static double limit(State state, OneWay way, DoubleSummaryStatistics measured, double expected, double headroom) {
        double before = way.counted;
        if (!way.acknowledges) {
            if (state.samples <= SAMPLES_UNTIL_KNOWN) {
                return measured.getMax() < FLOOR ? FLOOR : Double.POSITIVE_INFINITY;
            }
            if (state.isHeld(before) || measured.getAverage() >= FILLED * expected) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double demand = Math.max(FLOOR, headroom * measured.getMax());
        return demand > LEAST_RISE * before || demand < LEAST_FALL * before ? demand : before;
    }

    /** The demand of one direction, bit/s on the wire. */
    private static final class OneWay {
        /** By the counters. */
        private volatile double counted = Double.POSITIVE_INFINITY;
        /** Whether it carries acknowledgements only, by the counters. */
        private volatile boolean acknowledges;
        /** What the host says; empty if it does not. */
        private volatile OptionalDouble said = OptionalDouble.empty();

        /**
         * Returns the demand, by the host's word if it has said something. A host without data to send still sends
         * acknowledgements, which only the counters tell.
         */
        private double demand() {
            double word = said.orElse(counted);
            return word <= FLOOR && counted < Double.POSITIVE_INFINITY ? Math.max(word, counted) : word;
        }

        /** Returns whether it carries acknowledgements only: the host says that it has no data, or the counters do. */
        private boolean isOfAcknowledgements() {
            OptionalDouble word = said;
            return word.isPresent() ? word.getAsDouble() <= FLOOR : acknowledges;
        }
    }

    private static final class State {
        private final OneWay up = new OneWay();
        private final OneWay down = new OneWay();
        private long lastSampleMillis;
        private int samples;
        private final Deque<Rates> recent = new ArrayDeque<>();
        private List<Object> paths = List.of();
        /** The number of samples up to which unlimited demand stays so. */
        private int heldUntil;

        /** Notes the paths of the newest sample. */
        private void follow(Connection connection) {
            List<Object> now = connection.subflows().stream().filter(Subflow::isRouted)
                    .map(subflow -> List.of(subflow.path(), subflow.reversePath())).collect(Collectors.toList());
            if (!now.equals(paths) && samples > 1) {
                heldUntil = samples + SAMPLES_KEPT;
            }
            paths = now;
        }

        private boolean isHeld(double demand) {
            return samples <= heldUntil && demand == Double.POSITIVE_INFINITY;
        }

        private boolean isSilent() {
            return demand().isSilent();
        }

        private boolean isSaid() {
            return up.said.isPresent() && down.said.isPresent();
        }

        private Demand demand() {
            Demand demand = Demand.of(up.demand(), down.demand());
            if (demand.isSilent()) {
                return demand;
            }
            demand = up.isOfAcknowledgements() ? demand.acknowledging(true) : demand;
            return down.isOfAcknowledgements() ? demand.acknowledging(false) : demand;
        }
    }
}
