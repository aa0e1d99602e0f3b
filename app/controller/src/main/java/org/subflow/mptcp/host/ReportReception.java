// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.host;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.host.report.HostView;
import org.subflow.mptcp.host.report.HostViews;
import org.subflow.mptcp.host.report.HostWord;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.host.report.ReportedSubflow;
import org.subflow.mptcp.host.report.SenderWords;
import org.subflow.mptcp.host.report.UnknownSubflows;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Finds out what reports say of our connections. Only what differs from the last report waits for the control loop, so a
 * report without news costs it nothing. Thread-safe.
 */
public final class ReportReception {
    private static final double HEADROOM = 1.25;

    private final ConnectionStore store;
    private final Ends ends;
    private final Runnable news;
    private final LongSupplier clockMillis;
    private final SenderWords words = new SenderWords();
    private final HostViews views = new HostViews();
    private final Set<ConnectionId> changed = ConcurrentHashMap.newKeySet();
    private final Set<ConnectionId> ended = ConcurrentHashMap.newKeySet();
    private final Map<ConnectionId, Map<FiveTuple, Boolean>> priorities = new ConcurrentHashMap<>();
    private final UnknownSubflows unknown = new UnknownSubflows();
    private final LongAdder foreign = new LongAdder();

    /**
     * Makes a reception.
     *
     * @param store the connections; not null
     * @param ends  tells which end of a subflow an agent's host is; not null
     * @param news  called when something waits for the control loop; not null
     * @param clockMillis a clock without steps, milliseconds; not null
     */
    ReportReception(ConnectionStore store, Ends ends, Runnable news, LongSupplier clockMillis) {
        this.store = checkNotNull(store, "store");
        this.ends = checkNotNull(ends, "ends");
        this.news = checkNotNull(news, "news");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    void take(Agent agent, Report report) {
        long nowMillis = clockMillis.getAsLong();
        boolean isNews = false;
        for (ReportedConnection reported : report.connections) {
            isNews |= take(agent, reported, report.managesPaths, nowMillis);
        }
        if (isNews) {
            news.run();
        }
    }

    private boolean take(Agent agent, ReportedConnection reported, boolean managesPaths, long nowMillis) {
        Connection connection = null;
        Direction sent = Direction.DOWN;
        boolean isNetworkLimited = false;
        boolean isNews = false;
        double delivery = 0;
        for (ReportedSubflow one : reported.subflows) {
            if (!agent.has(one.tuple.source())) {
                foreign.increment();
                continue;
            }
            Optional<FiveTuple> leg = connection == null ? leg(agent, one.tuple) : Optional.empty();
            if (leg.isPresent()) {
                Optional<Connection> owner = store.owner(leg.get()).flatMap(store::get);
                Optional<Subflow> subflow = owner.flatMap(known -> known.subflow(leg.get()));
                connection = subflow.isPresent() ? owner.get() : null;
                sent = subflow.isPresent() && subflow.get().tuple().equals(leg.get()) == subflow.get().fromClient()
                        ? Direction.UP : Direction.DOWN;
            }
            isNetworkLimited |= one.isNetworkLimited;
            delivery += one.delivery;
        }
        if (connection == null) {
            return false;
        }
        if (reported.isEnded) {
            return ended.add(connection.id());
        }
        Set<FiveTuple> present = present(agent, reported, connection);
        if (sent == Direction.UP) {
            isNews = unknown.note(connection.id(), unknown(agent, present, connection), nowMillis);
        }
        isNews |= prioritised(agent, reported, connection);
        if (managesPaths) {
            boolean isHeldUp = isNetworkLimited && !reported.isApplicationLimited;
            views.put(connection.id(), sent, new HostView(nowMillis, present, delivery, isHeldUp, reported.isAddable));
        }
        OptionalDouble demand = demand(reported, delivery, isNetworkLimited);
        return words.note(connection.id(), sent, demand, nowMillis) && changed.add(connection.id()) || isNews;
    }

    /** Returns the five-tuple of the leg that begins at an agent's host; empty if no subflow here has these addresses and ports. */
    private Optional<FiveTuple> leg(Agent agent, FiveTuple addresses) {
        return store.legs(addresses).stream().filter(leg -> ends.isSource(agent, leg)).findFirst();
    }

    /** Returns the subflows of a report, between hosts as far as these are known. */
    private Set<FiveTuple> present(Agent agent, ReportedConnection reported, Connection connection) {
        Set<FiveTuple> present = new HashSet<>();
        for (ReportedSubflow one : reported.subflows) {
            present.add(leg(agent, one.tuple).orElseGet(() -> likeSiblings(one.tuple, connection)));
        }
        return present;
    }

    /** A subflow from or to the address of another one is from or to the same host, or by the same router. */
    private static FiveTuple likeSiblings(FiveTuple addresses, Connection connection) {
        HostId from = HostId.NONE;
        HostId to = HostId.NONE;
        for (Subflow subflow : connection.subflows()) {
            for (FiveTuple sibling : List.of(subflow.tuple(), subflow.tuple().reversed())) {
                from = sibling.source().equals(addresses.source()) ? sibling.sourceHost() : from;
                to = sibling.destination().equals(addresses.destination()) ? sibling.destinationHost() : to;
            }
        }
        return addresses.between(from, to);
    }

    private static Set<FiveTuple> unknown(Agent agent, Set<FiveTuple> present, Connection connection) {
        return present.stream()
                .filter(tuple -> agent.has(tuple.source()) && !connection.subflow(tuple).isPresent())
                .collect(Collectors.toSet());
    }

    /** Notes which subflows are backups now and were none, or the other way round; returns whether there are any. */
    private boolean prioritised(Agent agent, ReportedConnection reported, Connection connection) {
        Map<FiveTuple, Boolean> changes = new HashMap<>();
        for (ReportedSubflow one : reported.subflows) {
            if (one.backup.isPresent()) {
                leg(agent, one.tuple).flatMap(connection::subflow)
                        .filter(subflow -> subflow.isBackup() != one.backup.get())
                        .ifPresent(subflow -> changes.put(subflow.tuple(), one.backup.get()));
            }
        }
        if (!changes.isEmpty()) {
            priorities.put(connection.id(), changes);
        }
        return !changes.isEmpty();
    }

    private static OptionalDouble demand(ReportedConnection reported, double delivery, boolean isNetworkLimited) {
        if (reported.isApplicationLimited) {
            return OptionalDouble.of(Math.max(Demand.FLOOR, HEADROOM * delivery));
        }
        return isNetworkLimited ? OptionalDouble.of(Double.POSITIVE_INFINITY) : OptionalDouble.empty();
    }

    /** Forgets words that no longer count. */
    void expire() {
        long nowMillis = clockMillis.getAsLong();
        views.expire(nowMillis);
        unknown.expire(nowMillis);
        if (changed.addAll(words.expire(nowMillis))) {
            news.run();
        }
    }

    /** Returns the connections whose hosts say something else than before, and forgets them. */
    public Set<ConnectionId> takeNews() {
        return taken(changed);
    }

    /** Returns the subflows that clients have reported for a while and that are unknown here, by connection. Not soon again. */
    public Map<ConnectionId, Set<FiveTuple>> takeUnknown() {
        return unknown.take(clockMillis.getAsLong());
    }

    /**
     * Returns the subflows of which a host says that they are backups, or are none any more, and forgets them: the five-tuples of
     * their SYNs by connection. Where the client's agent manages the connection's paths, that is no host's word.
     */
    public Map<ConnectionId, Map<FiveTuple, Boolean>> takePriorities() {
        Map<ConnectionId, Map<FiveTuple, Boolean>> taken = new HashMap<>();
        for (ConnectionId id : List.copyOf(priorities.keySet())) {
            Map<FiveTuple, Boolean> changes = priorities.remove(id);
            if (changes != null) {
                taken.put(id, changes);
            }
        }
        return taken;
    }

    /** Returns the connections that have ended by the word of a host, and forgets them. */
    public Set<ConnectionId> takeEnded() {
        return taken(ended);
    }

    private static Set<ConnectionId> taken(Set<ConnectionId> from) {
        Set<ConnectionId> taken = new HashSet<>(from);
        from.removeAll(taken);
        return taken;
    }

    /** Returns what the host that sends in a direction says of its demand; see {@link HostWord}. */
    public HostWord word(ConnectionId id) {
        long nowMillis = clockMillis.getAsLong();
        return new HostWord(words.of(id, Direction.UP, nowMillis), words.of(id, Direction.DOWN, nowMillis));
    }

    /**
     * Returns a connection as one of its hosts has reported it within the last five seconds; empty if it has not, or if its
     * agent cannot open subflows.
     *
     * @param sent the direction in which the host sends
     */
    public Optional<HostView> view(ConnectionId id, Direction sent) {
        return views.of(id, sent, clockMillis.getAsLong());
    }

    /**
     * Returns whether a connection has an agent: whether the host that sends in its direction with the larger expected
     * throughput has reported it within the last five seconds.
     */
    public boolean isReported(Connection connection) {
        return words.isHeard(connection.id(), Direction.ofMost(connection.expected()), clockMillis.getAsLong());
    }

    /** Returns how many subflows of reports had another host's address as their local one. */
    long foreign() {
        return foreign.sum();
    }
}
