// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.gui.overlay;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;

/** Which connections and subflows the view shows, and how many more there are: more than a few could not be told apart. */
final class ShownConnections {
    /** So many connections are shown at most unless the user has named some. */
    static final int MOST = 5;
    /** What expects less than this part of the largest is left out, as the control connection beside a transfer. */
    private static final double LEAST = 0.01;

    private final List<Connection> shown;
    private final List<Connection> left;

    private ShownConnections(List<Connection> shown, List<Connection> left) {
        this.shown = shown;
        this.left = left;
    }

    /** Returns those that are shown. */
    List<Connection> shown() {
        return shown;
    }

    /** Returns those that only their number keeps from being shown. */
    List<Connection> left() {
        return left;
    }

    /**
     * Chooses connections.
     *
     * @param all   all connections; not null
     * @param named the names of those that the user wants to see; if empty, those that expect most are chosen
     * @return those of them that are not idle; without names the few that expect most, and those without a path
     */
    static ShownConnections of(Collection<Connection> all, Set<ConnectionId> named) {
        List<Connection> living = all.stream()
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .collect(Collectors.toList());
        if (!named.isEmpty()) {
            return new ShownConnections(living.stream().filter(connection -> named.contains(connection.id()))
                    .collect(Collectors.toList()), List.of());
        }
        double largest = living.stream().mapToDouble(connection -> connection.expected().larger()).max().orElse(0);
        List<Connection> worth = living.stream()
                .filter(connection -> connection.state() == ConnectionState.DOWN
                        || connection.expected().larger() > 0 && connection.expected().larger() >= LEAST * largest)
                .sorted(Comparator.comparingDouble(connection -> -connection.expected().larger()))
                .collect(Collectors.toList());
        int most = Math.min(MOST, worth.size());
        return new ShownConnections(worth.subList(0, most), worth.subList(most, worth.size()));
    }

    /** Returns the subflows of a connection that are worth a line: with a path or waiting for one, and not almost unused. */
    static List<Subflow> subflows(Connection connection) {
        double most = connection.subflows().stream().mapToDouble(subflow -> subflow.expected().larger()).max().orElse(0);
        return connection.subflows().stream()
                .filter(subflow -> subflow.isUsed() && (subflow.state() != SubflowState.ACTIVE
                        || subflow.expected().larger() >= LEAST * most))
                .collect(Collectors.toList());
    }
}
