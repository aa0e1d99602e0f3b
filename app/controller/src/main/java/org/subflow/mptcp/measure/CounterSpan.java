// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

/** A byte counter between its last two readings, each at the moment at which its switch told it. Immutable. */
public final class CounterSpan {
    private final long fromMillis;
    private final long fromBytes;
    private final long toMillis;
    private final long toBytes;

    /**
     * Makes a span.
     *
     * @param fromMillis when the last but one reading was told, milliseconds of the Unix epoch
     * @param fromBytes  what it was
     * @param toMillis   when the last reading was told, later than the other
     * @param toBytes    what it was, not less than the other
     */
    public CounterSpan(long fromMillis, long fromBytes, long toMillis, long toBytes) {
        this.fromMillis = fromMillis;
        this.fromBytes = fromBytes;
        this.toMillis = toMillis;
        this.toBytes = toBytes;
    }

    long fromMillis() {
        return fromMillis;
    }

    long toMillis() {
        return toMillis;
    }

    /** Returns how far the two readings are apart, milliseconds. */
    long millis() {
        return toMillis - fromMillis;
    }

    /** Returns the bytes at a moment between the two readings, as if they had come evenly. */
    public double bytesAt(long millis) {
        return fromBytes + (double) (toBytes - fromBytes) * (millis - fromMillis) / (toMillis - fromMillis);
    }
}
