// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

/**
 * The most that a connection would send in each direction if the network let it, bit/s on the wire.
 *
 * <p>{@code up} is from client to server, {@code down} back. Positive infinity stands for a demand that is unknown or has no
 * limit, and 0 for a direction without any packet. A direction may carry acknowledgements only: its demand takes part in
 * sharing, but no path is chosen for its sake. Immutable.
 */
public final class Demand {
    /** The demand of a connection that sends next to nothing in either direction, such as an idle one: bit/s. */
    public static final double FLOOR = 100e3;

    /**
     * The largest part of a direction's rate that acknowledging it takes in the other direction. Receivers send an
     * acknowledgement for every second full-sized segment, and for every one while some are lost (RFC 5681, section 4.2). It
     * has 114 octets at most: 14 of Ethernet, 40 of IPv6, 60 of TCP with all the options that fit. A full segment has 1,514.
     */
    private static final double ACKNOWLEDGEMENTS = 114.0 / 1514;

    /** No limit either way. */
    public static final Demand UNLIMITED = of(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    private final double up;
    private final double down;
    private final boolean sendsUp;
    private final boolean sendsDown;

    private Demand(double up, double down, boolean sendsUp, boolean sendsDown) {
        this.up = up;
        this.down = down;
        this.sendsUp = sendsUp;
        this.sendsDown = sendsDown;
    }

    /**
     * Makes a demand. The connection sends data in each direction in which it demands anything.
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
        return new Demand(up, down, up > 0, down > 0);
    }

    /**
     * Returns this demand, with acknowledgements only in one direction.
     *
     * @param upwards whether that is the direction from client to server
     */
    public Demand acknowledging(boolean upwards) {
        return new Demand(up, down, sendsUp && !upwards, sendsDown && upwards);
    }

    /**
     * Returns whether a rate is no more than acknowledgements of the other direction may take.
     *
     * @param rate  rate of one direction, bit/s
     * @param other rate of the other direction at the same time, bit/s
     */
    public static boolean isAcknowledgements(double rate, double other) {
        return rate < ACKNOWLEDGEMENTS * other;
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

    /** Returns whether it sends data in a direction, or may do so: there, bandwidth is worth something to it. */
    public boolean sends(boolean upwards) {
        return upwards ? sendsUp : sendsDown;
    }

    /** Returns the demand of the same connection if it sent as much as it can in each direction in which it sends now. */
    public Demand greedy() {
        return new Demand(sendsUp ? Double.POSITIVE_INFINITY : up, sendsDown ? Double.POSITIVE_INFINITY : down, sendsUp,
                          sendsDown);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof Demand)) {
            return false;
        }
        Demand that = (Demand) other;
        return up == that.up && down == that.down && sendsUp == that.sendsUp && sendsDown == that.sendsDown;
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
