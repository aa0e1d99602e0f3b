// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

/**
 * Decides when a connection needs further subflows (eMPTCP): when its rate ξ is below λ·ζ in three samples running, and the
 * network limits it. Afterwards it waits, and twice as long each time that a request has not helped. Not thread-safe.
 */
public final class RequestRule {
    /** λ: the part of ζ with which a connection is content. */
    static final double LAMBDA = 0.8;
    /** Samples running in which the rate must be too low. */
    static final int SAMPLES = 3;
    /** Least time between two samples, milliseconds: an agent that is to report every second does so a little early at times. */
    static final long SAMPLE_MILLIS = 900;
    /** Time after a request until the next one, if it has helped, milliseconds. */
    static final long WAIT_MILLIS = 5000;
    /** Longest such time, milliseconds. */
    static final long MOST_WAIT_MILLIS = 300_000;

    private static final double HELPED = 1.1;

    private long sampledMillis = Long.MIN_VALUE / 2;
    private long notBeforeMillis = Long.MIN_VALUE / 2;
    private long waitMillis = WAIT_MILLIS;
    private int samples;
    private double requestedAt;

    /**
     * Takes a sample.
     *
     * @param millis           when it was taken; one of less than 0.9 s after the last is passed over
     * @param rate             ξ, bit/s on the wire
     * @param attainable       ζ, bit/s on the wire
     * @param isNetworkLimited whether the network limits what the connection sends
     * @return whether further subflows are needed now
     */
    boolean needsMore(long millis, double rate, double attainable, boolean isNetworkLimited) {
        if (millis - sampledMillis < SAMPLE_MILLIS) {
            return false;
        }
        sampledMillis = millis;
        samples = isNetworkLimited && rate < LAMBDA * attainable ? samples + 1 : 0;
        if (samples < SAMPLES || millis < notBeforeMillis) {
            return false;
        }
        waitMillis = rate >= HELPED * requestedAt ? WAIT_MILLIS : Math.min(MOST_WAIT_MILLIS, 2 * waitMillis);
        notBeforeMillis = millis + waitMillis;
        requestedAt = rate;
        samples = 0;
        return true;
    }
}
