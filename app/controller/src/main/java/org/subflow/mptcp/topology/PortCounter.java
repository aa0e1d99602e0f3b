// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

/** The sent or received bytes of a port, and the time at which ONOS received that reading. Immutable. */
public final class PortCounter {
    /** When the reading arrived, milliseconds of the Unix epoch. */
    public final long millis;
    /** Bytes sent or received, all traffic together. */
    public final long bytes;

    /** Makes a reading. */
    public PortCounter(long millis, long bytes) {
        this.millis = millis;
        this.bytes = bytes;
    }
}
