// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import org.subflow.mptcp.placement.Rates;

/** A direction of a connection. Its client is the host that opened it. */
public enum Direction {
    /** From the client to the server. */
    UP,
    /** From the server to the client. */
    DOWN;

    /** Returns the direction with the larger rate; up if they are equal. */
    public static Direction ofMost(Rates rates) {
        return rates.up() >= rates.down() ? UP : DOWN;
    }

    /** Returns the rate in this direction, bit/s. */
    public double of(Rates rates) {
        return this == UP ? rates.up() : rates.down();
    }
}
