// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

/** The sent or received bytes of a port, and the time at which ONOS received that reading. Immutable. */
public final class PortCounter {
    private final long millis;
    private final long bytes;

    /**
     * Makes a reading.
     *
     * @param millis when it arrived, milliseconds of the Unix epoch
     * @param bytes  bytes sent or received, all traffic together
     */
    public PortCounter(long millis, long bytes) {
        this.millis = millis;
        this.bytes = bytes;
    }

    /** Returns when the reading arrived, milliseconds of the Unix epoch. */
    public long millis() {
        return millis;
    }

    /** Returns the bytes. */
    public long bytes() {
        return bytes;
    }
}
