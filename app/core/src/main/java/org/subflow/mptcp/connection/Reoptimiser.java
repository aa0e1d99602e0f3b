// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Looks for better paths when more is to be had or more is known than before: a link has come back, a capacity has grown, a
 * sibling has given up its path, or newcomers have shown what they want.
 *
 * <p>It waits until the network has kept still for a while, so that a link that comes and goes moves nobody. Then one
 * connection after the other is tried: each of its subflows alone as if it had no path, the best move first, as long as one
 * adds enough to what the connection could get in one direction if it wanted all, and all together do not get less. What it
 * wants at the moment is not asked: it may stand still just because the link was down, and a path of its own is worth having
 * before it is needed. Used by the control loop only.
 */
final class Reoptimiser {
    /** For how long the network must have kept still. */
    static final long STILL_MILLIS = 2000;

    /**
     * For how long connections are looked at after that, again and again: what others leave of a path shows only when they
     * send again what they can.
     */
    static final long DUE_MILLIS = 30_000;

    private static final double ROUNDING = 1e-3;

    private final ConnectionStore store;
    private final NetworkView network;
    private final SettingsService settings;
    private final ExpectedThroughput throughput;
    private final RoutePlanner planner;
    private final Provisioner provisioner;
    private final Handover handover;
    private final LongSupplier nanoClock;
    /** Those whose turn is longest ago come first. */
    private final Map<ConnectionId, Due> due = new LinkedHashMap<>();
    private NetworkSnapshot last;
    private long notBeforeMillis;
    /** What looks have taken and budgets have not yet covered. */
    private long owedNanos;

    /** For how long a connection is looked at, and whether it is until a look finds nothing, however long that takes. */
    private static final class Due {
        private long untilMillis = Long.MIN_VALUE;
        private boolean once;
    }

    /**
     * Makes it.
     *
     * @param throughput works shares out; one of its own, so that the real one's warm start stays
     * @param nanoClock  nanoseconds of any clock that only goes forward
     */
    Reoptimiser(ConnectionStore store, NetworkView network, SettingsService settings, ExpectedThroughput throughput,
                RoutePlanner planner, Provisioner provisioner, Handover handover, LongSupplier nanoClock) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.settings = checkNotNull(settings, "settings");
        this.throughput = checkNotNull(throughput, "throughput");
        this.planner = checkNotNull(planner, "planner");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.handover = checkNotNull(handover, "handover");
        this.nanoClock = checkNotNull(nanoClock, "nanoClock");
    }

    /** The network may have changed; if it has more to offer, every connection is looked at once it keeps still. */
    void networkChanged(long nowMillis) {
        NetworkSnapshot now = network.snapshot();
        if (now == last) {
            return;
        }
        notBeforeMillis = nowMillis + STILL_MILLIS;
        if (last != null && offersMore(now, last)) {
            lookAt(provisioner.live().stream().map(Connection::id).collect(Collectors.toList()), notBeforeMillis);
        }
        last = now;
    }

    /** These connections are looked at for a while: there may be better paths now. */
    void lookAt(List<ConnectionId> connections, long nowMillis) {
        connections.forEach(id -> due(id).untilMillis = nowMillis + DUE_MILLIS);
    }

    /** These connections are looked at until there is nothing better: there may be better reasons now. */
    void lookOnceAt(List<ConnectionId> connections) {
        connections.forEach(id -> due(id).once = true);
    }

    private Due due(ConnectionId id) {
        return due.computeIfAbsent(id, unused -> new Due());
    }

    /**
     * Looks at connections that are due. A single look may take longer than the budget, as every move takes an allocation of
     * its own: then there is none until as many budgets have passed.
     *
     * @param nowMillis   milliseconds of the Unix epoch
     * @param budgetNanos after so long it leaves the others for the next time
     */
    void tick(long nowMillis, long budgetNanos) {
        handover.tick(nowMillis);
        owedNanos = Math.max(0, owedNanos - budgetNanos);
        if (nowMillis >= notBeforeMillis && owedNanos < budgetNanos) {
            long begun = nanoClock.getAsLong();
            look(nowMillis, begun + budgetNanos);
            owedNanos += nanoClock.getAsLong() - begun;
        }
    }

    private void look(long nowMillis, long endNanos) {
        if (due.isEmpty()) {
            return;
        }
        List<Connection> all = planned();
        for (ConnectionId id : new ArrayList<>(due.keySet())) {
            Due its = due.remove(id);
            Optional<Connection> connection = store.get(id).filter(one -> one.state() != ConnectionState.IDLE);
            if (connection.isPresent() && (its.once || nowMillis <= its.untilMillis)) {
                // Behind the others, which may not have had their turn.
                due.put(id, its);
                if (connection.get().state() == ConnectionState.ACTIVE && !handover.isUnderWay(id)) {
                    Optional<Connection> target = better(connection.get(), all);
                    its.once &= target.isPresent();
                    if (target.isPresent()) {
                        handover.begin(target.get(), nowMillis);
                        all = planned();
                    }
                }
            }
            if (nanoClock.getAsLong() - endNanos >= 0) {
                return;
            }
        }
    }

    /**
     * Returns all connections that are on the network, those that are being moved where they will be, with the shares that
     * come of it: two that part must not both leave for the same place.
     */
    private List<Connection> planned() {
        List<Connection> live = provisioner.live();
        List<Connection> planned = live.stream().map(handover::planned).collect(Collectors.toList());
        if (planned.equals(live)) {
            return live;
        }
        Map<FiveTuple, Rates> expected =
                throughput.expected(network.snapshot(), planned, settings.settings().allocator());
        planned.replaceAll(connection -> connection.mapSubflows(
                subflow -> subflow.withExpected(expected.getOrDefault(subflow.tuple(), Rates.ZERO))));
        return planned;
    }

    private static boolean offersMore(NetworkSnapshot now, NetworkSnapshot before) {
        for (Link link : now.links()) {
            if (now.capacity(link) > before.capacity(link)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a connection with better paths, if there are any. */
    private Optional<Connection> better(Connection connection, List<Connection> all) {
        Connection best = connection;
        Gain gain = gain(connection, all);
        for (int move = 0; move < connection.subflows().size(); move++) {
            Connection next = null;
            for (Connection candidate : moves(best, all)) {
                Gain found = gain(candidate, all);
                if (found.isWorthMoreThan(gain, settings.settings().reoptimisePercent())
                        && (next == null || both(found.own) > both(gain.own))) {
                    next = candidate;
                    gain = found;
                }
            }
            if (next == null) {
                break;
            }
            best = next;
        }
        return best == connection ? Optional.empty() : Optional.of(best);
    }

    private List<Connection> moves(Connection connection, List<Connection> all) {
        List<Connection> moves = new ArrayList<>();
        for (Subflow subflow : connection.subflows()) {
            if (subflow.isRouted() && !subflow.path().isEmpty()) {
                for (Subflow moved : planner.moves(network.snapshot(), connection, subflow, all)) {
                    if (moved.isRouted() && (!moved.path().equals(subflow.path()) || moved.state() != subflow.state())) {
                        moves.add(connection.mapSubflows(other -> other == subflow ? moved : other));
                    }
                }
            }
        }
        return moves;
    }

    /** What all connections could get if one of them were as given and wanted all. */
    private Gain gain(Connection candidate, List<Connection> all) {
        List<Connection> with = new ArrayList<>(all);
        with.replaceAll(other -> other.id().equals(candidate.id()) ? candidate : other);
        Map<FiveTuple, Rates> expected =
                throughput.possible(network.snapshot(), with, settings.settings().allocator(), candidate.id());
        Rates own = sum(candidate.subflows().stream().map(subflow -> expected.getOrDefault(subflow.tuple(), Rates.ZERO)));
        return new Gain(own, sum(expected.values().stream()));
    }

    private static Rates sum(Stream<Rates> rates) {
        return rates.reduce(Rates.ZERO, Rates::plus);
    }

    private static double both(Rates rates) {
        return rates.up() + rates.down();
    }

    /** What a connection and all together get. */
    private static final class Gain {
        private final Rates own;
        private final Rates everybody;

        private Gain(Rates own, Rates everybody) {
            this.own = own;
            this.everybody = everybody;
        }

        /** Whether it adds enough to one direction without taking more from the other, or anything from all together. */
        private boolean isWorthMoreThan(Gain other, int percent) {
            double enough = 1 + percent / 100.0;
            boolean adds = own.up() > other.own.up() * enough || own.down() > other.own.down() * enough;
            return adds && both(own) > both(other.own) && both(everybody) >= both(other.everybody) * (1 - ROUNDING);
        }
    }
}
