// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

/**
 * How urgent a task of a {@link ControlLoop} is, most urgent first.
 *
 * <p>A task waits for all tasks of more urgent classes, but only for a bounded time. Then its class gets a turn of one task:
 * at the latest after its patience, or after as long as its last task took if that is longer. So no class waits for ever, and
 * none that must wait takes more than half of the time.
 */
public enum Urgency {
    /** What has happened to the network or to a submission. */
    EVENT(0),
    /** A connection or a subflow begins, wakes or ends. */
    ADMISSION(50),
    /** New shares for all connections. */
    SHARES(50),
    /** The clock's ticks, sweeps, news for listeners, and queries. */
    CHORE(100);

    private final long patienceMillis;

    Urgency(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /** Returns the time after which a waiting class gets a turn although more urgent tasks wait, milliseconds. */
    public long patienceMillis() {
        return patienceMillis;
    }
}
