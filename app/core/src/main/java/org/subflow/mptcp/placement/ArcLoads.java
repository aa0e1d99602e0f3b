// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Collection;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;

/**
 * What the connections of a network do to each arc: their expected throughput there, and their number. A change costs what it
 * concerns and a copy of the arrays, however many other connections there are.
 *
 * <p>Rates are summed as whole numbers of 2⁻¹⁶ bit/s. So a sum does not depend on the order of arrivals and departures, and
 * rounding does not add up over them. It holds up to 140 Tbit/s. Immutable.
 */
public final class ArcLoads {
    private static final double UNITS = 1 << 16;

    private final long[] expected;
    /** By link. */
    private final int[] users;
    private final int[] begun;

    private ArcLoads(long[] expected, int[] users, int[] begun) {
        this.expected = expected;
        this.users = users;
        this.begun = begun;
    }

    /** Sums up connections. */
    static ArcLoads of(int arcs, Collection<PlacedConnection> connections) {
        Sums sums = new Sums(new long[arcs], new int[(arcs + 1) / 2], new int[(arcs + 1) / 2]);
        sums.add(connections, 1);
        return sums.loads();
    }

    /** Returns the loads once some connections have gone, and others have come. */
    ArcLoads changed(Collection<PlacedConnection> gone, Collection<PlacedConnection> come) {
        Sums sums = new Sums(expected.clone(), users.clone(), begun.clone());
        sums.add(gone, -1);
        sums.add(come, 1);
        return sums.loads();
    }

    /** Arrays that nobody else knows of yet. */
    private static final class Sums {
        private final long[] expected;
        private final int[] users;
        private final int[] begun;

        private Sums(long[] expected, int[] users, int[] begun) {
            this.expected = expected;
            this.users = users;
            this.begun = begun;
        }

        private ArcLoads loads() {
            return new ArcLoads(expected, users, begun);
        }

        private void add(Collection<PlacedConnection> connections, int sign) {
            int[] lastUser = new int[users.length];
            int[] lastSharer = new int[users.length];
            int number = 0;
            for (PlacedConnection connection : connections) {
                number++;
                addExpected(connection, sign, number, lastSharer);
                count(connection, sign, number, lastUser, lastSharer);
            }
        }

        private void addExpected(PlacedConnection connection, int sign, int number, int[] lastSharer) {
            for (PlacedSubflow subflow : connection.subflows()) {
                Path path = subflow.path().orElse(null);
                long up = sign * Math.round(subflow.expected().up() * UNITS);
                long down = sign * Math.round(subflow.expected().down() * UNITS);
                for (int hop = 0; path != null && (up != 0 || down != 0) && hop < path.hops(); hop++) {
                    int arc = path.arc(hop);
                    expected[arc] += subflow.fromClient() ? up : down;
                    expected[Graph.reverse(arc)] += subflow.fromClient() ? down : up;
                    lastSharer[Graph.linkOf(arc)] = number;
                }
            }
        }

        /** Counts a connection once on each link of its paths: whoever uses one direction uses the other. */
        private void count(PlacedConnection connection, int sign, int number, int[] lastUser, int[] lastSharer) {
            for (PlacedSubflow subflow : connection.subflows()) {
                Path path = subflow.path().orElse(null);
                for (int hop = 0; path != null && hop < path.hops(); hop++) {
                    int link = Graph.linkOf(path.arc(hop));
                    users[link] += lastUser[link] == number ? 0 : sign;
                    lastUser[link] = number;
                    if (subflow.isActive() && lastSharer[link] != number) {
                        lastSharer[link] = number;
                        begun[link] += sign;
                    }
                }
            }
        }
    }

    /** Returns the sum of the expected throughputs on an arc, bit/s. */
    public double expected(int arc) {
        return expected[arc] / UNITS;
    }

    /** Returns how many connections have a path over an arc, each counted once. */
    public int users(int arc) {
        return users[Graph.linkOf(arc)];
    }

    /** Returns how many of {@link #users} have active subflows there, and no expected throughput: these have begun just now. */
    public int begun(int arc) {
        return begun[Graph.linkOf(arc)];
    }
}
