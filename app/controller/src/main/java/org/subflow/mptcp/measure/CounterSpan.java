// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

/** The last two readings of a byte counter, each with the time at which its switch reported it. Immutable. */
public final class CounterSpan {
    final long fromMillis;
    private final long fromBytes;
    final long toMillis;
    private final long toBytes;

    /**
     * Makes a span.
     *
     * @param fromMillis time of the last but one reading, milliseconds of the Unix epoch
     * @param fromBytes  its value
     * @param toMillis   time of the last reading, later than the other
     * @param toBytes    its value, not less than the other
     */
    public CounterSpan(long fromMillis, long fromBytes, long toMillis, long toBytes) {
        this.fromMillis = fromMillis;
        this.fromBytes = fromBytes;
        this.toMillis = toMillis;
        this.toBytes = toBytes;
    }

    /** Returns the time between the two readings, milliseconds. */
    long millis() {
        return toMillis - fromMillis;
    }

    /** Returns the bytes at a time between the two readings, by linear interpolation. */
    public double bytesAt(long millis) {
        return fromBytes + (double) (toBytes - fromBytes) * (millis - fromMillis) / (toMillis - fromMillis);
    }
}
