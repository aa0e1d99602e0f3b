// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Collection;

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
    private final int[] users;
    private final int[] begun;

    private ArcLoads(long[] expected, int[] users, int[] begun) {
        this.expected = expected;
        this.users = users;
        this.begun = begun;
    }

    /** Sums up connections. */
    static ArcLoads of(int arcs, Collection<PlacedConnection> connections) {
        return new ArcLoads(new long[arcs], new int[arcs], new int[arcs]).add(connections, 1);
    }

    /** Returns the loads once some connections have gone, and others have come. */
    ArcLoads changed(Collection<PlacedConnection> gone, Collection<PlacedConnection> come) {
        return new ArcLoads(expected.clone(), users.clone(), begun.clone()).add(gone, -1).add(come, 1);
    }

    /** Adds to the arrays, before anybody else knows of them. */
    private ArcLoads add(Collection<PlacedConnection> connections, int sign) {
        int[] lastUser = new int[users.length];
        int number = 0;
        for (PlacedConnection connection : connections) {
            add(connection, sign, ++number, lastUser);
        }
        return this;
    }

    /** Counts a connection once on each arc of its paths, in both directions. */
    private void add(PlacedConnection connection, int sign, int number, int[] lastUser) {
        int one = connection.expected().larger() == 0 ? sign : 0;
        for (PlacedSubflow subflow : connection.subflows()) {
            for (boolean upwards : new boolean[] {true, false}) {
                long rate = Math.round((upwards ? subflow.expected().up() : subflow.expected().down()) * UNITS);
                for (int arc : subflow.arcs(upwards)) {
                    expected[arc] += sign * rate;
                    if (lastUser[arc] != number) {
                        lastUser[arc] = number;
                        users[arc] += sign;
                        begun[arc] += one;
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
        return users[arc];
    }

    /** Returns how many of {@link #users} have no expected throughput anywhere: they have begun just now. */
    public int begun(int arc) {
        return begun[arc];
    }
}
