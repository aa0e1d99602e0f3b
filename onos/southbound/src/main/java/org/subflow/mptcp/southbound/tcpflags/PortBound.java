// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.types.OFPort;

/**
 * How many segments one switch port brings, by a token bucket that holds what a second allows, and its pauses. A pause is
 * twice as long as the one before. Thread-safe; the time comes as an argument, in nanoseconds.
 */
final class PortBound {

    /** How long a first pause is, in milliseconds. */
    static final long SHORTEST_PAUSE_MILLIS = 1000;

    /** How long a pause is at most, in milliseconds. */
    static final long LONGEST_PAUSE_MILLIS = 16_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final OFPort port;
    /** What the bucket holds, as the time in which so much is allowed: it stays right when the bound changes. */
    private long credit = SECOND;
    private long filledAt;
    private boolean paused;
    private int pauses;

    /** Makes a bound with a full bucket. */
    PortBound(OFPort port, long now) {
        this.port = port;
        this.filledAt = now;
    }

    /** What comes of one more segment. */
    enum Answer { TAKEN, BEGINS_PAUSE, PAUSED }

    OFPort port() {
        return port;
    }

    /**
     * Counts a segment: it is taken, or the first beyond the bound, or comes during a pause.
     *
     * @param most how many segments a second are taken, from 1 to 1,000,000,000
     */
    synchronized Answer count(int most, long now) {
        if (paused) {
            return Answer.PAUSED;
        }
        long cost = SECOND / most;
        credit = Math.min(SECOND, credit + now - filledAt);
        filledAt = now;
        if (credit < cost) {
            paused = true;
            return Answer.BEGINS_PAUSE;
        }
        credit -= cost;
        return Answer.TAKEN;
    }

    /** {@return how long the pause is that has just begun, in milliseconds} */
    synchronized long nextPause() {
        pauses++;
        long millis = SHORTEST_PAUSE_MILLIS;
        for (int doubled = 1; doubled < pauses && millis < LONGEST_PAUSE_MILLIS; doubled++) {
            millis *= 2;
        }
        return millis;
    }

    /** Ends a pause, with a full bucket. */
    synchronized void resume(long now) {
        paused = false;
        credit = SECOND;
        filledAt = now;
    }

    synchronized boolean isPaused() {
        return paused;
    }

    /** {@return the number of pauses so far} */
    synchronized int pauses() {
        return pauses;
    }
}
