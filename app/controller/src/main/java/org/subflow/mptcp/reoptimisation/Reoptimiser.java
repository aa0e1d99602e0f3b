// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reoptimisation;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Moves connections to better paths after the network has gained bandwidth or knowledge. A link has come back, a capacity
 * has grown, a sibling has given up its path, or the demands of new connections have become known.
 *
 * <p>When no single connection gains by a move any more, it asks {@link MoveSearch} for a plan for all of them, and makes its
 * moves one after the other. Nothing else is examined meanwhile.
 *
 * <p>It waits until the network has been stable for a while, so that a flapping link moves no connection. Then it examines
 * one connection after another, within a bounded part of the time. Used by the control loop only.
 */
public final class Reoptimiser {
    /** How long the network must be stable. */
    public static final long STILL_MILLIS = 2000;

    /**
     * How long connections are examined again and again after that: the residual bandwidth of a path shows only once the
     * other connections send at their full rates again.
     */
    public static final long LOOK_MILLIS = 30_000;

    private final ConnectionStore store;
    private final NetworkView network;
    private final MoveSearch search;
    private final Provisioner provisioner;
    private final PathReviews reviews;
    private final LongSupplier nanoClock;
    /** Connections to examine; the one that was examined longest ago comes first. */
    private final Map<ConnectionId, Review> waiting = new LinkedHashMap<>();
    private NetworkSnapshot last;
    private long notBeforeMillis;
    /** Time of past examinations that no budget has covered yet. */
    private long owedNanos;
    private Set<ConnectionId> lastLive = Set.of();
    /** Whether something has changed since the last plan. */
    private boolean planIsDue;
    /** The connection that moved last; null if none did. */
    private ConnectionId lastMoved;
    /** Number of examinations without a move since the last change. */
    private int withoutMove;
    private boolean isAwaitingShares;

    /** How long a connection is examined, and whether it is examined without a time limit until a search finds nothing. */
    private static final class Review {
        private long untilMillis = Long.MIN_VALUE;
        private boolean once;
    }

    /**
     * Makes a reoptimiser.
     *
     * @param nanoClock a monotonic clock, nanoseconds
     */
    public Reoptimiser(ConnectionStore store, NetworkView network, MoveSearch search, Provisioner provisioner,
                       PathReviews reviews, LongSupplier nanoClock) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.search = checkNotNull(search, "search");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.reviews = checkNotNull(reviews, "reviews");
        this.nanoClock = checkNotNull(nanoClock, "nanoClock");
    }

    /**
     * Notes that the network may have changed. A plan ends. If a capacity has grown, every connection is examined once the
     * network is stable.
     */
    public void networkChanged(long nowMillis) {
        store.checkThread();
        NetworkSnapshot now = network.snapshot();
        if (now == last) {
            return;
        }
        notBeforeMillis = nowMillis + STILL_MILLIS;
        search.drop();
        // A loss, too: connections on new paths may be in each other's way.
        somethingChanged(last != null);
        if (last != null && offersMore(now, last)) {
            lookAt(provisioner.live().stream().map(Connection::id).collect(Collectors.toList()), notBeforeMillis);
        }
        last = now;
    }

    /** Examines these connections for a while, because there may be better paths now. */
    public void lookAt(List<ConnectionId> connections, long nowMillis) {
        store.checkThread();
        connections.forEach(id -> review(id).untilMillis = nowMillis + LOOK_MILLIS);
        somethingChanged(!connections.isEmpty());
    }

    /** Examines these connections until a search finds no better path, because more demands are known now. */
    public void lookOnceAt(List<ConnectionId> connections) {
        store.checkThread();
        connections.forEach(id -> review(id).once = true);
        somethingChanged(!connections.isEmpty());
    }

    /**
     * Examines connections now, as a user asks, and begins to move those that gain. The network need not have been stable. The
     * same connections are examined again until a search finds no better path. A plan ends; another one follows when no single
     * move gains any more.
     *
     * @param connections the connections to examine; those that are not active do not move
     * @param nowMillis   milliseconds of the Unix epoch
     * @param budgetNanos time after which the other connections wait for {@link #tick}
     * @return the connections that begin to move, on their new paths, with the expected throughputs after that
     */
    public List<Connection> examine(List<ConnectionId> connections, long nowMillis, long budgetNanos) {
        store.checkThread();
        search.drop();
        lookOnceAt(connections);
        awaitNoShares();
        provisioner.settle();
        Set<ConnectionId> moved = look(connections, nowMillis, budgetNanos, () -> {
            provisioner.settle();
            return true;
        });
        return settled().stream().filter(connection -> moved.contains(connection.id())).collect(Collectors.toList());
    }

    private void somethingChanged(boolean really) {
        if (really) {
            planIsDue = true;
            withoutMove = 0;
        }
    }

    private Review review(ConnectionId id) {
        return waiting.computeIfAbsent(id, unused -> new Review());
    }

    /**
     * Examines waiting connections, and those whose demands are known only now. One examination may exceed the budget, because every move needs an allocation of its
     * own. The following calls then examine nothing until their budgets cover the excess.
     *
     * <p>Shares that are under way are waited for until the next call at most, and never on the control loop: with thousands of
     * connections they take seconds.
     *
     * @param nowMillis   milliseconds of the Unix epoch
     * @param budgetNanos time after which the other connections wait for the next call
     */
    public void tick(long nowMillis, long budgetNanos) {
        lookOnceAt(reviews.toReview(provisioner.live(), nowMillis));
        owedNanos = Math.max(0, owedNanos - budgetNanos);
        if (isAwaitingShares || provisioner.isSettled()) {
            proceed(nowMillis, budgetNanos);
        } else {
            proceedWhenShared(nowMillis, budgetNanos);
        }
    }

    private void proceedWhenShared(long nowMillis, long budgetNanos) {
        isAwaitingShares = true;
        provisioner.whenShared(() -> proceed(nowMillis, budgetNanos));
    }

    private void awaitNoShares() {
        isAwaitingShares = false;
        provisioner.whenShared(() -> { });
    }

    private void proceed(long nowMillis, long budgetNanos) {
        awaitNoShares();
        if (nowMillis >= notBeforeMillis && owedNanos < budgetNanos) {
            long begun = nanoClock.getAsLong();
            if (!makePlannedMove()) {
                Set<ConnectionId> moved = look(List.copyOf(waiting.keySet()), nowMillis, budgetNanos, provisioner::isSettled);
                if (!moved.isEmpty() && !provisioner.isSettled()) {
                    proceedWhenShared(nowMillis, budgetNanos);
                }
                plan();
            }
            owedNanos += nanoClock.getAsLong() - begun;
        }
    }

    /** Makes the next move of a plan once the one before has ended; returns whether a plan is under way. */
    private boolean makePlannedMove() {
        if (!search.isUnderWay()) {
            return false;
        }
        if (!isMoving()) {
            search.next(settled()).ifPresent(this::move);
            if (!search.isUnderWay()) {
                // Single moves may gain now. Another plan is due only when something else has changed.
                provisioner.live().forEach(connection -> review(connection.id()).once = true);
                withoutMove = 0;
            }
        }
        return true;
    }

    /** Asks for a plan once no single move gains any more. */
    private void plan() {
        List<Connection> live = provisioner.live();
        Set<ConnectionId> ids = live.stream().map(Connection::id).collect(Collectors.toSet());
        // A newcomer counts once its demand is known, which is when it is examined.
        somethingChanged(!ids.containsAll(lastLive));
        lastLive = ids;
        if (planIsDue && withoutMove >= waiting.size() && !isMoving()) {
            planIsDue = false;
            if (search.mayPlan(live.size())) {
                search.ask(settled());
            }
        }
    }

    /**
     * Examines waiting connections one after the other, with the last shares.
     *
     * @param mayGoOn asked after a move: whether its shares are there
     * @return those that begin to move
     */
    private Set<ConnectionId> look(List<ConnectionId> ids, long nowMillis, long budgetNanos, BooleanSupplier mayGoOn) {
        long endNanos = nanoClock.getAsLong() + budgetNanos;
        Set<ConnectionId> moved = new HashSet<>();
        for (ConnectionId id : ids) {
            Review review = waiting.remove(id);
            Optional<Connection> connection = store.get(id).filter(one -> one.state() != ConnectionState.IDLE);
            if (connection.isPresent() && (review.once || nowMillis <= review.untilMillis)) {
                // Move it to the end: the others may not have had their turn.
                waiting.put(id, review);
                if (connection.get().state() == ConnectionState.ACTIVE) {
                    Optional<Connection> target = search.better(connection.get(), provisioner.live());
                    review.once &= target.isPresent();
                    withoutMove = target.isPresent() ? 0 : withoutMove + 1;
                    if (target.isPresent()) {
                        move(target.get());
                        moved.add(id);
                    }
                }
            }
            if (moved.contains(id) && !mayGoOn.getAsBoolean() || nanoClock.getAsLong() - endNanos >= 0) {
                break;
            }
        }
        return moved;
    }

    private void move(Connection target) {
        provisioner.apply(List.of(target), Type.REROUTED, Cause.BETTER);
        lastMoved = target.id();
    }

    /** Returns whether the new rules of the last move are still on their way. */
    private boolean isMoving() {
        return lastMoved != null && store.get(lastMoved).filter(one -> one.state() == ConnectionState.PENDING).isPresent();
    }

    /** Returns all connections on the network with the shares that result from all moves. */
    private List<Connection> settled() {
        provisioner.settle();
        return provisioner.live();
    }

    private static boolean offersMore(NetworkSnapshot now, NetworkSnapshot before) {
        for (Link link : now.links()) {
            if (now.capacity(link) > before.capacity(link)) {
                return true;
            }
        }
        return false;
    }
}
