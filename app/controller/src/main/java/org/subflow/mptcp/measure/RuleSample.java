// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.concurrent.TimeUnit;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;

/**
 * A reading of a rule's counter at the time of its switch's report, and what follows from it and the one before. Immutable.
 *
 * <p>Only a rule that is in its switch (ADDED) has a reading. ONOS shows a rule that replaces another as PENDING_ADD with 0
 * bytes, although the switch goes on with the counters of the old one.
 *
 * <p>A switch counts packets late, by up to {@link LinkAccount#LAG_SECONDS}. So a reading may have what belongs to the time
 * before it, or to a queue, and the rate would be above what the path carries. Such bytes, of that much time at most, are left to
 * the first interval in which the path has room for them, and what it has no room for is forgotten then.
 */
final class RuleSample {
    private static final double BITS_PER_BYTE = 8;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Age of a rule, seconds, from which on its first reading gives a rate: a second of it may be missing, as of its traffic. */
    private static final double LEAST_AGE = 2;
    /** Age of a rule, seconds, to which its first reading tells the rate of now. */
    private static final double MOST_AGE = 15;

    private final Reading reading;
    /** The rate since the reading before, bit/s, without what is left to a later interval; 0 if there is none. */
    final double bps;
    /** Whether there is a rate: the rule has been read twice since it began to count, or has been in its switch for some seconds. */
    final boolean isRated;
    /** Bytes that are left to the first interval with room. */
    private final double late;
    /** The time of the last reading with more packets than the one before, milliseconds of the Unix epoch; 0 if none. */
    final long movedMillis;
    /** Time of the first reading of the uninterrupted series in which the rule is installed; 0 if it is not installed. */
    private final long installedMillis;
    /** The last two readings; null if there is one only, or if the counter of its port belies them. */
    final CounterSpan span;

    private RuleSample(Reading reading, double bps, boolean isRated, double late, long movedMillis, long installedMillis, CounterSpan span) {
        this.reading = reading;
        this.bps = bps;
        this.isRated = isRated;
        this.late = late;
        this.movedMillis = movedMillis;
        this.installedMillis = installedMillis;
        this.span = span;
    }

    /** What a switch has reported. */
    private static final class Reading {
        /** The time as ONOS has stamped it, to tell whether the switch has reported again. */
        private final long stamp;
        private final long millis;
        /** How long the rule had been in the switch by the switch's clock. Some switches report whole seconds, or 0. */
        private final long lifeNanos;
        private final long packets;
        private final long bytes;

        private Reading(FlowEntry entry, long stamp, long millis) {
            this.stamp = stamp;
            this.millis = millis;
            this.lifeNanos = entry.life(TimeUnit.NANOSECONDS);
            // Some switches report -1 for a counter that they do not keep.
            this.packets = Math.max(0, entry.packets());
            this.bytes = Math.max(0, entry.bytes());
        }

        /** Returns the time since an earlier reading, seconds: by the switch's clock, else by the times at which ONOS got the reports. */
        private double secondsSince(Reading before) {
            boolean isExact = lifeNanos % NANOS_PER_SECOND != 0 && before.lifeNanos % NANOS_PER_SECOND != 0;
            return isExact && lifeNanos > before.lifeNanos ? (double) (lifeNanos - before.lifeNanos) / NANOS_PER_SECOND
                    : (millis - before.millis) / MILLIS_PER_SECOND;
        }
    }

    /** What bounds the counter of a rule. */
    interface Limit {
        /** Returns the bytes that it can have counted at most between two times, milliseconds of the Unix epoch. */
        double most(long fromMillis, long toMillis);

        /** Returns what the path of its packets carries, bit/s. */
        double carried();
    }

    /**
     * Returns the sample after another one.
     *
     * @param before the sample before; null if there is none
     * @param entry  the rule as ONOS has it
     * @param stamps makes of a time that ONOS has stamped one of a clock without steps
     * @param limit  what bounds its counter
     * @return the sample; null if there is none before and the rule is not in its switch
     */
    static RuleSample after(RuleSample before, FlowEntry entry, Stamps stamps, Limit limit) {
        if (entry.state() != FlowEntryState.ADDED) {
            return before == null || before.installedMillis == 0 ? before : before.interrupted();
        }
        long stamp = entry.lastSeen();
        boolean isKnown = before != null && stamp == before.reading.stamp;
        Reading now = new Reading(entry, stamp, isKnown ? before.reading.millis : stamps.at(entry.deviceId(), stamp));
        if (before == null || now.packets < before.reading.packets || now.bytes < before.reading.bytes) {
            return first(now, limit.carried());
        }
        Reading last = before.reading;
        if (now.millis <= last.millis) {
            return before;
        }
        double most = limit.most(last.millis, now.millis);
        long grown = now.bytes - last.bytes;
        double seconds = now.secondsSince(last);
        double counted = Math.min((double) grown, most);
        double carried = limit.carried() / BITS_PER_BYTE;
        double excess = counted - carried * seconds;
        double late = grown > most || excess <= 0 ? 0 : Math.min(before.late + excess, carried * LinkAccount.LAG_SECONDS);
        double sent = excess > 0 ? counted - Math.max(0, late - before.late) : counted + Math.min(before.late, -excess);
        return new RuleSample(now, sent * BITS_PER_BYTE / seconds, true, late,
                              now.packets > last.packets ? now.millis : before.movedMillis,
                              before.installedMillis > 0 ? before.installedMillis : now.millis,
                              grown > most ? null : new CounterSpan(last.millis, last.bytes, now.millis, now.bytes));
    }

    /**
     * Returns the first sample of a series. Its rate is that since the rule came to its switch. There is none if the path does not
     * carry as much: then the rule has replaced another one, and goes on with the counters of that.
     */
    private static RuleSample first(Reading now, double carried) {
        double seconds = (double) now.lifeNanos / NANOS_PER_SECOND;
        double bits = now.bytes * BITS_PER_BYTE;
        // A life in whole seconds is up to one second too short.
        boolean isRated = seconds >= LEAST_AGE && seconds <= MOST_AGE && bits <= carried * (seconds + 1);
        return new RuleSample(now, isRated ? Math.min(carried, bits / seconds) : 0, isRated, 0, now.packets > 0 ? now.millis : 0,
                              now.millis, null);
    }

    private RuleSample interrupted() {
        return new RuleSample(reading, bps, isRated, late, movedMillis, 0, span);
    }

    /** Returns the time of the reading, milliseconds of the Unix epoch. */
    long millis() {
        return reading.millis;
    }

    /** Returns the bytes counted since another reading, null for none; a counter that runs backwards has begun anew. */
    long since(RuleSample before) {
        long bytes = reading.bytes;
        return before == null || bytes < before.reading.bytes ? bytes : bytes - before.reading.bytes;
    }

    /** Returns how long the rule has been read in its switch without interruption, milliseconds. */
    long countedMillis() {
        return installedMillis > 0 ? reading.millis - installedMillis : 0;
    }
}
