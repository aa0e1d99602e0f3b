// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

/**
 * The most that a connection would send in each direction if the network let it, bit/s on the wire.
 *
 * <p>{@code up} is from client to server, {@code down} back. Positive infinity stands for a demand that is unknown or has no
 * limit, and 0 for a direction without any packet. Immutable.
 */
public final class Demand {
    /** The demand of a connection that sends next to nothing, such as acknowledgements only: bit/s. */
    public static final double FLOOR = 100e3;

    /** No limit either way. */
    public static final Demand UNLIMITED = new Demand(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    private final double up;
    private final double down;

    private Demand(double up, double down) {
        this.up = up;
        this.down = down;
    }

    /**
     * Makes a demand.
     *
     * @param up   client to server, bit/s, at least 0, or positive infinity
     * @param down server to client, bit/s, at least 0, or positive infinity
     * @return the demand
     * @throws IllegalArgumentException if one of them is negative or not a number
     */
    public static Demand of(double up, double down) {
        if (!(up >= 0) || !(down >= 0)) {
            throw new IllegalArgumentException("a demand must be 0 or more bit/s, not " + up + " up and " + down + " down");
        }
        return new Demand(up, down);
    }

    /** Returns the demand from client to server in bit/s. */
    public double up() {
        return up;
    }

    /** Returns the demand from server to client in bit/s. */
    public double down() {
        return down;
    }

    /** Returns {@link #up} or {@link #down}, bit/s. */
    public double of(boolean upwards) {
        return upwards ? up : down;
    }

    /** Returns whether the connection sends next to nothing in either direction. */
    public boolean isSilent() {
        return Math.max(up, down) <= FLOOR;
    }

    /**
     * Returns the demand of the same connection if it sent as much as it can. That is without limit in each direction in
     * which it sends now. A silent connection has no limit in any direction that it uses.
     */
    public Demand greedy() {
        return new Demand(greedy(up), greedy(down));
    }

    private double greedy(double demand) {
        boolean counts = isSilent() ? demand > 0 : demand > FLOOR;
        return counts ? Double.POSITIVE_INFINITY : demand;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Demand && ((Demand) other).up == up && ((Demand) other).down == down;
    }

    @Override
    public int hashCode() {
        return 31 * Double.hashCode(up) + Double.hashCode(down);
    }

    @Override
    public String toString() {
        return String.format("%.3f/%.3f Mbit/s", up / 1e6, down / 1e6);
    }
}
