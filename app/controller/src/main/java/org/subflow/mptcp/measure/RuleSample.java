// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

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

    /** The time as ONOS has stamped it, to tell whether the switch has reported again. */
    private final long stamp;
    private final long millis;
    private final long packets;
    private final long bytes;
    private final double bps;
    /** Bytes that are left to the first interval with room. */
    private final double late;
    private final long movedMillis;
    /** Time of the first reading of the uninterrupted series in which the rule is installed; 0 if it is not installed. */
    private final long installedMillis;
    private final CounterSpan span;

    private RuleSample(long stamp, long millis, long packets, long bytes, double bps, double late, long movedMillis,
                       long installedMillis, CounterSpan span) {
        this.stamp = stamp;
        this.millis = millis;
        this.packets = packets;
        this.bytes = bytes;
        this.bps = bps;
        this.late = late;
        this.movedMillis = movedMillis;
        this.installedMillis = installedMillis;
        this.span = span;
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
        // Some switches report -1 for a counter that they do not keep.
        long packets = Math.max(0, entry.packets());
        long bytes = Math.max(0, entry.bytes());
        long millis = before != null && stamp == before.stamp ? before.millis : stamps.at(entry.deviceId(), stamp);
        if (before == null || packets < before.packets || bytes < before.bytes) {
            return new RuleSample(stamp, millis, packets, bytes, 0, 0, packets > 0 ? millis : 0, millis, null);
        }
        if (millis <= before.millis) {
            return before;
        }
        double most = limit.most(before.millis, millis);
        long grown = bytes - before.bytes;
        double seconds = (millis - before.millis) / MILLIS_PER_SECOND;
        double counted = Math.min((double) grown, most);
        double carried = limit.carried() / BITS_PER_BYTE;
        double excess = counted - carried * seconds;
        double late = grown > most || excess <= 0 ? 0 : Math.min(before.late + excess, carried * LinkAccount.LAG_SECONDS);
        double sent = excess > 0 ? counted - Math.max(0, late - before.late) : counted + Math.min(before.late, -excess);
        return new RuleSample(stamp, millis, packets, bytes, sent * BITS_PER_BYTE / seconds, late,
                              packets > before.packets ? millis : before.movedMillis,
                              before.installedMillis > 0 ? before.installedMillis : millis,
                              grown > most ? null : new CounterSpan(before.millis, before.bytes, millis, bytes));
    }

    private RuleSample interrupted() {
        return new RuleSample(stamp, millis, packets, bytes, bps, late, movedMillis, 0, span);
    }

    /** Returns the time of the reading, milliseconds of the Unix epoch. */
    long millis() {
        return millis;
    }

    /** Returns the bytes counted since another reading, null for none; a counter that runs backwards has begun anew. */
    long since(RuleSample before) {
        return before == null || bytes < before.bytes ? bytes : bytes - before.bytes;
    }

    /** Returns the rate since the reading before, bit/s, without what is left to a later interval; 0 if there is none. */
    double bps() {
        return bps;
    }

    /** Returns the time of the last reading with more packets than the one before, milliseconds of the Unix epoch; 0 if none. */
    long movedMillis() {
        return movedMillis;
    }

    /** Returns how long the rule has been read in its switch without interruption, milliseconds. */
    long countedMillis() {
        return installedMillis > 0 ? millis - installedMillis : 0;
    }

    /** Returns the last two readings; null if there is one only, or if the counter of its port belies them. */
    CounterSpan span() {
        return span;
    }
}
