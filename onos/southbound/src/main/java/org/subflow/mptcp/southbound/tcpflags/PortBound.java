// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import java.util.concurrent.TimeUnit;
import org.projectfloodlight.openflow.types.OFPort;

/**
 * How many segments one switch port brings, by token buckets that hold what a second allows, and its pauses. One bucket is for
 * all segments, one for SYNs that nobody has answered yet. A pause is twice as long as the one before. Thread-safe; the time
 * comes as an argument, in nanoseconds.
 */
final class PortBound {

    /** How long a first pause is, in milliseconds. */
    static final long SHORTEST_PAUSE_MILLIS = 1000;

    /** How long a pause is at most, in milliseconds. */
    static final long LONGEST_PAUSE_MILLIS = 16_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final OFPort port;
    /** What the buckets hold, as the time in which so much is allowed: it stays right when a bound changes. */
    private long credit = SECOND;
    private long unansweredCredit = SECOND;
    private long unansweredCost;
    private long filledAt;
    private boolean flooding;
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
     * Counts a segment: it is taken, or the first beyond a bound, or comes during a pause.
     *
     * @param most how many segments a second are taken, from 1 to 1,000,000,000, or 0 for any number
     * @param mostUnanswered how many of them may be SYNs without an answer, likewise
     * @param unanswered whether it is one
     */
    synchronized Answer count(int most, int mostUnanswered, boolean unanswered, long now) {
        if (paused) {
            return Answer.PAUSED;
        }
        long cost = cost(most);
        unansweredCost = cost(mostUnanswered);
        credit = Math.min(SECOND, credit + now - filledAt);
        unansweredCredit = Math.min(SECOND, unansweredCredit + now - filledAt);
        filledAt = now;
        boolean floods = unanswered && unansweredCredit < unansweredCost;
        if (credit < cost || floods) {
            paused = true;
            flooding |= floods;
            return Answer.BEGINS_PAUSE;
        }
        credit -= cost;
        unansweredCredit -= unanswered ? unansweredCost : 0;
        return Answer.TAKEN;
    }

    private static long cost(int most) {
        return most == 0 ? 0 : SECOND / most;
    }

    /** Notes that a SYN has been answered. */
    synchronized void giveBack() {
        unansweredCredit = Math.min(SECOND, unansweredCredit + unansweredCost);
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

    /** Ends a pause, with full buckets. */
    synchronized void resume(long now) {
        paused = false;
        credit = SECOND;
        unansweredCredit = SECOND;
        filledAt = now;
    }

    synchronized boolean isPaused() {
        return paused;
    }

    /** {@return whether it was paused for SYNs that nobody answered} */
    synchronized boolean isFlooding() {
        return flooding;
    }

    /** {@return the number of pauses so far} */
    synchronized int pauses() {
        return pauses;
    }
}
