// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Finds out what reports say of our connections. Only what differs from the last report waits for the control loop, so a
 * report without news costs it nothing. Thread-safe.
 */
final class ReportReception {
    private static final double HEADROOM = 1.25;

    private final ConnectionStore store;
    private final Runnable news;
    private final SenderWords words = new SenderWords();
    private final HostViews views = new HostViews();
    private final Set<ConnectionId> changed = ConcurrentHashMap.newKeySet();
    private final Set<ConnectionId> ended = ConcurrentHashMap.newKeySet();
    private final UnknownSubflows unknown = new UnknownSubflows();
    private final LongAdder foreign = new LongAdder();

    /**
     * Makes a reception.
     *
     * @param store the connections; not null
     * @param news  called when something waits for the control loop; not null
     */
    ReportReception(ConnectionStore store, Runnable news) {
        this.store = checkNotNull(store, "store");
        this.news = checkNotNull(news, "news");
    }

    void take(Agent agent, Report report, long nowMillis) {
        boolean isNews = false;
        for (ReportedConnection reported : report.connections()) {
            isNews |= take(agent, reported, report.managesPaths(), nowMillis);
        }
        if (isNews) {
            news.run();
        }
    }

    private boolean take(Agent agent, ReportedConnection reported, boolean managesPaths, long nowMillis) {
        Connection connection = null;
        boolean upwards = false;
        boolean isNetworkLimited = false;
        boolean isNews = false;
        double delivery = 0;
        for (ReportedSubflow one : reported.subflows()) {
            if (!agent.has(one.tuple().source())) {
                foreign.increment();
                continue;
            }
            if (connection == null) {
                Optional<Connection> owner = store.owner(one.tuple()).flatMap(store::get);
                Optional<Subflow> subflow = owner.flatMap(known -> known.subflow(one.tuple()));
                connection = subflow.isPresent() ? owner.get() : null;
                upwards = subflow.isPresent() && subflow.get().tuple().equals(one.tuple()) == subflow.get().fromClient();
            }
            isNetworkLimited |= one.isNetworkLimited();
            delivery += one.delivery();
        }
        if (connection == null) {
            return false;
        }
        if (reported.isEnded()) {
            return ended.add(connection.id());
        }
        if (upwards) {
            isNews = unknown.note(connection.id(), unknown(agent, reported, connection), nowMillis);
        }
        if (managesPaths) {
            Set<FiveTuple> present = new HashSet<>();
            reported.subflows().forEach(one -> present.add(one.tuple()));
            boolean isHeldUp = isNetworkLimited && !reported.isApplicationLimited();
            views.put(connection.id(), upwards, new HostView(nowMillis, present, delivery, isHeldUp, reported.isAddable()));
        }
        OptionalDouble demand = demand(reported, delivery, isNetworkLimited);
        return words.note(connection.id(), upwards, demand, nowMillis) && changed.add(connection.id()) || isNews;
    }

    private static Set<FiveTuple> unknown(Agent agent, ReportedConnection reported, Connection connection) {
        return reported.subflows().stream().map(ReportedSubflow::tuple)
                .filter(tuple -> agent.has(tuple.source()) && !connection.subflow(tuple).isPresent())
                .collect(Collectors.toSet());
    }

    private static OptionalDouble demand(ReportedConnection reported, double delivery, boolean isNetworkLimited) {
        if (reported.isApplicationLimited()) {
            return OptionalDouble.of(Math.max(Demand.FLOOR, HEADROOM * delivery));
        }
        return isNetworkLimited ? OptionalDouble.of(Double.POSITIVE_INFINITY) : OptionalDouble.empty();
    }

    /** Forgets words that no longer count. */
    void expire(long nowMillis) {
        views.expire(nowMillis);
        unknown.expire(nowMillis);
        if (changed.addAll(words.expire(nowMillis))) {
            news.run();
        }
    }

    Set<ConnectionId> takeNews() {
        return taken(changed);
    }

    Map<ConnectionId, Set<FiveTuple>> takeUnknown(long nowMillis) {
        return unknown.take(nowMillis);
    }

    Set<ConnectionId> takeEnded() {
        return taken(ended);
    }

    private static Set<ConnectionId> taken(Set<ConnectionId> from) {
        Set<ConnectionId> taken = new HashSet<>(from);
        from.removeAll(taken);
        return taken;
    }

    HostWord word(ConnectionId id, long nowMillis) {
        return new HostWord(words.of(id, true, nowMillis), words.of(id, false, nowMillis));
    }

    Optional<HostView> view(ConnectionId id, boolean upwards, long nowMillis) {
        return views.of(id, upwards, nowMillis);
    }

    boolean isHeard(ConnectionId id, boolean upwards, long nowMillis) {
        return words.isHeard(id, upwards, nowMillis);
    }

    /** Returns how many subflows of reports had another host's address as their local one. */
    long foreign() {
        return foreign.sum();
    }
}
