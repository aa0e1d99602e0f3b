// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.tcpflags;

import org.projectfloodlight.openflow.types.OFPort;
import org.subflow.mptcp.rate.TokenBucket;

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

    private final OFPort port;
    private final TokenBucket segments;
    private final TokenBucket unansweredSyns;
    private long unansweredCost;
    private boolean flooding;
    private boolean paused;
    private int pauses;

    /** Makes a bound with a full bucket. */
    PortBound(OFPort port, long now) {
        this.port = port;
        this.segments = new TokenBucket(now);
        this.unansweredSyns = new TokenBucket(now);
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
        long cost = TokenBucket.cost(most);
        unansweredCost = TokenBucket.cost(mostUnanswered);
        segments.fill(now);
        unansweredSyns.fill(now);
        boolean floods = unanswered && !unansweredSyns.has(unansweredCost);
        if (!segments.has(cost) || floods) {
            paused = true;
            flooding |= floods;
            return Answer.BEGINS_PAUSE;
        }
        segments.take(cost);
        unansweredSyns.take(unanswered ? unansweredCost : 0);
        return Answer.TAKEN;
    }

    /** Notes that a SYN has been answered. */
    synchronized void giveBack() {
        unansweredSyns.giveBack(unansweredCost);
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
        segments.reset(now);
        unansweredSyns.reset(now);
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
