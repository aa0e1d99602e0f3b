// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Finds better paths for a connection that has some.
 *
 * <p>Each of its subflows is tried alone as if it had no path, the best move first, as long as one adds enough to what the
 * connection could get in one direction if it wanted all, and all together do not get less. What it wants at the moment is
 * not asked: it may stand still just because a link was down, and a path of its own is worth having before it is needed. Used
 * by the control loop only.
 */
final class BetterPaths {
    private static final double ROUNDING = 1e-3;

    private final NetworkView network;
    private final SettingsService settings;
    private final ExpectedThroughput throughput;
    private final RoutePlanner planner;

    /**
     * Makes a finder.
     *
     * @param throughput works shares out; one of its own, so that the real one's warm start stays
     * @param planner    chooses paths
     */
    BetterPaths(NetworkView network, SettingsService settings, ExpectedThroughput throughput, RoutePlanner planner) {
        this.network = checkNotNull(network, "network");
        this.settings = checkNotNull(settings, "settings");
        this.throughput = checkNotNull(throughput, "throughput");
        this.planner = checkNotNull(planner, "planner");
    }

    /** Returns connections with the expected throughputs that come of where they are, if only they are on the network. */
    List<Connection> shared(List<Connection> connections) {
        Map<FiveTuple, Rates> expected =
                throughput.expected(network.snapshot(), connections, settings.settings().allocator());
        return connections.stream().map(connection -> connection.withExpected(expected)).collect(Collectors.toList());
    }

    /**
     * Looks for them.
     *
     * @param connection the connection
     * @param all        all on the network, itself among them, with their expected throughputs
     * @return the connection on better paths; empty if there are none
     */
    Optional<Connection> of(Connection connection, List<Connection> all) {
        Connection best = connection;
        Gain gain = gain(connection, all);
        for (int move = 0; move < connection.subflows().size(); move++) {
            Connection next = null;
            Gain most = null;
            for (Connection candidate : moves(best, all)) {
                Gain found = gain(candidate, all);
                if (found.isWorthMoreThan(gain, settings.settings().reoptimisePercent())
                        && (most == null || both(found.own) > both(most.own))) {
                    next = candidate;
                    most = found;
                }
            }
            if (next == null) {
                break;
            }
            best = next;
            gain = most;
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
        return new Gain(candidate.withExpected(expected).expected(),
                        expected.values().stream().reduce(Rates.ZERO, Rates::plus));
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
