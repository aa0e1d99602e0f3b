// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A pair of rates in bit/s on the wire (Ethernet frames): {@code up} from client to server, {@code down} back.
 *
 * <p>The client is the host that opened the connection. Immutable; both rates are finite and not negative.
 */
public final class Rates {
    /** Nothing either way. */
    public static final Rates ZERO = new Rates(0, 0);

    private final double up;
    private final double down;

    private Rates(double up, double down) {
        this.up = up;
        this.down = down;
    }

    /**
     * Makes a pair of rates.
     *
     * @param up   client to server, bit/s, finite, at least 0
     * @param down server to client, bit/s, finite, at least 0
     * @return the pair
     * @throws IllegalArgumentException if a rate is negative, infinite or not a number
     */
    public static Rates of(double up, double down) {
        check("up", up);
        check("down", down);
        return new Rates(up, down);
    }

    private static void check(String direction, double rate) {
        if (!(rate >= 0 && rate < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(direction + " rate " + rate + " bit/s is not finite and >= 0");
        }
    }

    /** Returns the rate from client to server in bit/s. */
    public double up() {
        return up;
    }

    /** Returns the rate from server to client in bit/s. */
    public double down() {
        return down;
    }

    /** Returns the rate of the direction that carries more, in bit/s. */
    public double larger() {
        return Math.max(up, down);
    }

    /** Returns the sum, direction by direction. */
    public Rates plus(Rates other) {
        return new Rates(up + other.up, down + other.down);
    }

    /**
     * Returns these measured rates as a part of the expected ones.
     *
     * @param expected the expected rates
     * @return measured ÷ expected, in the direction with the larger expected rate; empty if both expected rates are 0
     */
    public OptionalDouble partOf(Rates expected) {
        if (expected.larger() == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(expected.up >= expected.down ? up / expected.up : down / expected.down);
    }

    /** Returns the same rates seen from the server: up and down exchanged. */
    public Rates swapped() {
        return new Rates(down, up);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rates && ((Rates) other).up == up && ((Rates) other).down == down;
    }

    @Override
    public int hashCode() {
        return Objects.hash(up, down);
    }

    @Override
    public String toString() {
        return String.format("%.3f/%.3f Mbit/s", up / 1e6, down / 1e6);
    }
}
