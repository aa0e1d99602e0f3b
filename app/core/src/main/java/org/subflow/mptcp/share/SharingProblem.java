// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import java.util.Arrays;
import java.util.List;

/**
 * Connections and the arcs that they send over: the input of every {@link Allocator}.
 *
 * <p>A problem has directed arcs with a capacity, connections with a weight and a cap, and for each connection its
 * subflows, each a fixed route. The unknowns are the rates x of the subflows, with A·x ≤ b, where A states which subflow
 * crosses which arc. Subflows of one connection on the same arc add up. All rates are in bit/s.
 *
 * <p>Connections, subflows and arcs are numbered from 0 in the order given; the subflows of a connection are numbered
 * consecutively. Immutable; kept as flat arrays (compressed rows).
 */
public final class SharingProblem {
    private final double[] capacity;
    private final double[] weight;
    private final double[] cap;
    private final int[] firstSubflow;
    private final int[] firstArc;
    private final int[] arcs;

    private SharingProblem(Builder from) {
        capacity = from.capacity;
        weight = Arrays.copyOf(from.weight, from.connections);
        cap = Arrays.copyOf(from.cap, from.connections);
        firstSubflow = Arrays.copyOf(from.firstSubflow, from.connections + 1);
        firstSubflow[from.connections] = from.subflows;
        firstArc = Arrays.copyOf(from.firstArc, from.subflows + 1);
        arcs = Arrays.copyOf(from.arcs, firstArc[from.subflows]);
    }

    /**
     * Starts a problem on the given arcs.
     *
     * @param capacities capacity of each directed arc in bit/s, finite and not negative; copied, not null
     * @return a builder without connections
     * @throws IllegalArgumentException if a capacity is negative, infinite or not a number
     */
    public static Builder builder(double... capacities) {
        return new Builder(capacities);
    }

    /** Two problems are equal if they have the same arcs, connections and subflows, in the same order. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SharingProblem)) {
            return false;
        }
        SharingProblem that = (SharingProblem) other;
        return Arrays.equals(arcs, that.arcs) && Arrays.equals(firstArc, that.firstArc)
                && Arrays.equals(firstSubflow, that.firstSubflow) && Arrays.equals(capacity, that.capacity)
                && Arrays.equals(cap, that.cap) && Arrays.equals(weight, that.weight);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(arcs);
    }

    /** Returns the number of directed arcs. */
    public int arcCount() {
        return capacity.length;
    }

    /** Returns the number of connections. */
    public int connectionCount() {
        return weight.length;
    }

    /** Returns the number of subflows of all connections. */
    public int subflowCount() {
        return firstArc.length - 1;
    }

    /** Returns the capacity of an arc in bit/s. */
    public double capacity(int arc) {
        return capacity[arc];
    }

    /** Returns the weight of a connection: with twice the weight, it is entitled to twice the rate. */
    public double weight(int connection) {
        return weight[connection];
    }

    /** Returns the most that a connection may send in bit/s, or positive infinity. */
    public double cap(int connection) {
        return cap[connection];
    }

    /** Returns the first subflow of a connection; for the number of connections, the number of subflows. */
    public int firstSubflow(int connection) {
        return firstSubflow[connection];
    }

    /** Returns the number of arcs that a subflow crosses. */
    public int hops(int subflow) {
        return firstArc[subflow + 1] - firstArc[subflow];
    }

    /** Returns the arc that a subflow crosses as its {@code hop}-th, from 0. */
    public int arc(int subflow, int hop) {
        return arcs[firstArc[subflow] + hop];
    }

    /** Returns the arcs of a subflow in order, as a copy. */
    public int[] route(int subflow) {
        return Arrays.copyOfRange(arcs, firstArc[subflow], firstArc[subflow + 1]);
    }

    /**
     * Returns the load of each arc at given rates.
     *
     * @param rates rate of each subflow in bit/s, not null
     * @return load of each arc in bit/s
     */
    public double[] loads(double[] rates) {
        double[] load = new double[capacity.length];
        for (int s = 0; s < rates.length; s++) {
            for (int i = firstArc[s]; i < firstArc[s + 1]; i++) {
                load[arcs[i]] += rates[s];
            }
        }
        return load;
    }

    /**
     * Returns the same problem with another cap and other routes for one connection.
     *
     * @param connection the connection
     * @param newCap     its cap in bit/s
     * @param routes     its routes; if empty, its subflows stay as they are
     */
    SharingProblem with(int connection, double newCap, List<int[]> routes) {
        Builder builder = builder(capacity);
        for (int c = 0; c < weight.length; c++) {
            builder.connection(weight[c], c == connection ? newCap : cap[c]);
            if (c == connection && !routes.isEmpty()) {
                routes.forEach(builder::subflow);
            } else {
                for (int s = firstSubflow[c]; s < firstSubflow[c + 1]; s++) {
                    builder.subflow(route(s));
                }
            }
        }
        return builder.build();
    }

    /** Takes connections and their subflows one after the other. Not thread-safe. */
    public static final class Builder {
        private final double[] capacity;
        private final int[] seenAt;
        private double[] weight = new double[8];
        private double[] cap = new double[8];
        private int[] firstSubflow = new int[9];
        private int[] firstArc = new int[17];
        private int[] arcs = new int[64];
        private int connections;
        private int subflows;

        private Builder(double[] capacities) {
            capacity = capacities.clone();
            seenAt = new int[capacity.length];
            Arrays.fill(seenAt, -1);
            for (int a = 0; a < capacity.length; a++) {
                require(capacity[a] >= 0 && capacity[a] < Double.POSITIVE_INFINITY,
                        "capacity of arc %d must be finite and not negative, not %s bit/s", a, capacity[a]);
            }
        }

        /** Begins a connection of weight 1 without a cap; the subflows that follow are its own. */
        public Builder connection() {
            return connection(1, Double.POSITIVE_INFINITY);
        }

        /**
         * Begins a connection; the subflows that follow are its own.
         *
         * @param connectionWeight its weight, finite and above 0
         * @param connectionCap    the most that it may send in bit/s, not negative, positive infinity for no limit
         * @return this builder
         * @throws IllegalArgumentException if one of them is out of range
         */
        public Builder connection(double connectionWeight, double connectionCap) {
            require(connectionWeight > 0 && connectionWeight < Double.POSITIVE_INFINITY,
                    "weight of connection %d must be finite and above 0, not %s", connections, connectionWeight);
            require(connectionCap >= 0,
                    "cap of connection %d must not be negative, not %s bit/s", connections, connectionCap);
            checkBounded();
            if (connections == weight.length) {
                weight = Arrays.copyOf(weight, 2 * connections);
                cap = Arrays.copyOf(cap, 2 * connections);
                firstSubflow = Arrays.copyOf(firstSubflow, 2 * connections + 1);
            }
            weight[connections] = connectionWeight;
            cap[connections] = connectionCap;
            firstSubflow[connections] = subflows;
            connections++;
            return this;
        }

        /**
         * Adds a subflow to the latest connection.
         *
         * @param route the arcs that it crosses, each once, not null; empty only if the connection has a cap
         * @return this builder
         * @throws IllegalArgumentException if an arc does not exist or comes twice
         * @throws IllegalStateException    if no connection was begun
         */
        public Builder subflow(int... route) {
            if (connections == 0) {
                throw new IllegalStateException("begin a connection before its first subflow");
            }
            for (int arc : route) {
                require(arc >= 0 && arc < capacity.length,
                        "subflow %d crosses arc %d, but arcs go from 0 to %d", subflows, arc, capacity.length - 1);
                require(seenAt[arc] != subflows, "subflow %d crosses arc %d twice", subflows, arc);
                seenAt[arc] = subflows;
            }
            append(route);
            return this;
        }

        private void append(int[] route) {
            int start = firstArc[subflows];
            if (subflows == firstArc.length - 1) {
                firstArc = Arrays.copyOf(firstArc, 2 * subflows + 1);
            }
            if (start + route.length > arcs.length) {
                arcs = Arrays.copyOf(arcs, Math.max(2 * arcs.length, start + route.length));
            }
            System.arraycopy(route, 0, arcs, start, route.length);
            subflows++;
            firstArc[subflows] = start + route.length;
        }

        /**
         * Returns the problem.
         *
         * @throws IllegalArgumentException if a connection could send without limit: it has no cap, and one of its subflows
         *                                  crosses no arc
         */
        public SharingProblem build() {
            checkBounded();
            return new SharingProblem(this);
        }

        private void checkBounded() {
            if (connections == 0 || cap[connections - 1] < Double.POSITIVE_INFINITY) {
                return;
            }
            for (int s = firstSubflow[connections - 1]; s < subflows; s++) {
                require(firstArc[s + 1] > firstArc[s],
                        "subflow %d crosses no arc and connection %d has no cap: give one of them", s, connections - 1);
            }
        }

        private static void require(boolean holds, String message, Object... arguments) {
            if (!holds) {
                throw new IllegalArgumentException(String.format(message, arguments));
            }
        }
    }
}
