// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Reach;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.OtherTraffic;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.MaximumFlow;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.share.WhatIfShares;
import org.subflow.mptcp.share.Zeta;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Keeps ζ, the largest rate that each connection could reach (eMPTCP), up to date, a few connections at a time.
 *
 * <p>A fair share over paths that a connection does not have takes work, and with 1,000 connections much of it. So this has
 * a thread of its own, and after every look at some connections it rests for several times as long as that took. Access
 * links are no part of the graph and put no limit on ζ. Refreshed by one thread; read by any.
 */
final class ReachEstimator {
    private static final int MOST_PATHS = 8;
    private static final double NOTICEABLE = 0.05;
    private static final double LEAST_NEWS = 50e3;
    /** With this much rest after work, ζ takes at most a fifth of a processor. */
    private static final int REST = 4;
    private static final PathStrategy EVERY_PATH = PathStrategies.named("widest-disjoint");

    private final Demands demands;
    private final OtherTraffic others;
    private final LongSupplier clockNanos;
    private final Consumer<Connection> changes;
    private final Map<ConnectionId, Reach> known = new ConcurrentHashMap<>();
    private final Map<ConnectionId, Reach> told = new ConcurrentHashMap<>();
    private final WhatIfShares shares = new WhatIfShares();
    private int next;
    private long notBeforeNanos;

    /**
     * Makes an estimator that knows nothing yet.
     *
     * @param demands    what connections want
     * @param others     other traffic
     * @param clockNanos a clock that only runs forward, nanoseconds
     * @param changes    told of a connection whose ζ has changed noticeably since it was last told
     */
    ReachEstimator(Demands demands, OtherTraffic others, LongSupplier clockNanos, Consumer<Connection> changes) {
        this.demands = checkNotNull(demands, "demands");
        this.others = checkNotNull(others, "others");
        this.clockNanos = checkNotNull(clockNanos, "clockNanos");
        this.changes = checkNotNull(changes, "changes");
        this.notBeforeNanos = clockNanos.getAsLong();
    }

    /** Returns ζ of a connection as last worked out; zero if it has not been. */
    Reach reach(ConnectionId id) {
        return known.getOrDefault(id, Reach.NONE);
    }

    /** Forgets a connection. */
    void forget(ConnectionId id) {
        known.remove(id);
        told.remove(id);
    }

    /**
     * Works ζ out anew for as many connections as the time allows, at least one, and goes on from there the next time; those
     * for which it is not known come first. Does nothing if it has not rested enough. Forgets connections that are not among
     * those given.
     *
     * @param network     the network
     * @param connections those on it, with their expected throughputs
     * @param budgetNanos after how long to stop
     */
    void refresh(NetworkSnapshot network, List<Connection> connections, long budgetNanos) {
        Set<ConnectionId> present = connections.stream().map(Connection::id).collect(Collectors.toSet());
        known.keySet().retainAll(present);
        told.keySet().retainAll(present);
        long begin = clockNanos.getAsLong();
        if (begin - notBeforeNanos >= 0) {
            work(network, connections, begin + budgetNanos);
            long end = clockNanos.getAsLong();
            notBeforeNanos = end + REST * (end - begin);
        }
    }

    private void work(NetworkSnapshot network, List<Connection> connections, long end) {
        Competition competition = Competition.of(network, connections, demands::wanted, others::on);
        double[] rates = competition.expected();
        Deque<Connection> unknown = connections.stream()
                .filter(connection -> !known.containsKey(connection.id()))
                .collect(Collectors.toCollection(ArrayDeque::new));
        for (int done = 0; done < connections.size(); done++) {
            Connection connection = unknown.isEmpty() ? connections.get(next++ % connections.size()) : unknown.poll();
            Reach reach = estimate(network, competition, rates, connection);
            known.put(connection.id(), reach);
            next %= connections.size();
            if (isNews(told.getOrDefault(connection.id(), Reach.NONE), reach)) {
                told.put(connection.id(), reach);
                changes.accept(connection);
            }
            if (clockNanos.getAsLong() - end >= 0) {
                return;
            }
        }
    }

    private static boolean isNews(Reach before, Reach after) {
        return differ(before.available().up(), after.available().up())
                || differ(before.available().down(), after.available().down())
                || differ(before.fair().up(), after.fair().up())
                || differ(before.fair().down(), after.fair().down());
    }

    private static boolean differ(double one, double other) {
        return Math.abs(one - other) > Math.max(LEAST_NEWS, NOTICEABLE * Math.max(one, other));
    }

    private Reach estimate(NetworkSnapshot network, Competition competition, double[] rates, Connection connection) {
        Subflow first = connection.first();
        int client = network.node(first.ingress().deviceId());
        int server = network.node(first.egress().deviceId());
        if (client < 0 || server < 0 || client == server) {
            return Reach.NONE;
        }
        Zeta up = zeta(network, competition, rates, connection, true, client, server);
        Zeta down = zeta(network, competition, rates, connection, false, server, client);
        return new Reach(Rates.of(available(up), available(down)), Rates.of(fair(up), fair(down)));
    }

    private static double available(Zeta zeta) {
        return zeta == null ? 0 : Math.max(0, zeta.available());
    }

    private static double fair(Zeta zeta) {
        return zeta == null ? 0 : Math.max(0, zeta.fair());
    }

    private Zeta zeta(NetworkSnapshot network, Competition competition, double[] rates, Connection connection,
                      boolean upwards, int from, int to) {
        OptionalInt number = competition.number(connection.id(), upwards);
        if (!number.isPresent()) {
            return null;
        }
        Graph graph = network.graph();
        List<int[]> paths = EVERY_PATH.findPaths(PathRequest.on(graph).from(from).to(to).k(MOST_PATHS).build())
                .paths().stream().map(Path::arcs).collect(Collectors.toList());
        // What the connection wants does not limit what it could reach.
        return Zeta.of(competition.problem(), rates, number.getAsInt(), connection.terms().cap(),
                       capacities -> MaximumFlow.value(graph, capacities, new int[] {from}, new int[] {to}), paths, shares);
    }
}
