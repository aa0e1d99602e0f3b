// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

/** The time. It is handed in where the parts are put together, so that tests need not wait. Thread-safe. */
public interface Clock {
    /** Returns nanoseconds of a monotonic clock; only differences mean something. */
    long nanos();

    /** Returns milliseconds that run as {@link #nanos()} do: those of the Unix epoch unless the system's clock is set. */
    long millis();

    /** Returns milliseconds of the Unix epoch, as the system's clock shows them. */
    long epochMillis();

    /**
     * Returns when something happened that ONOS has stamped with the system's clock. A stamp of the future, from before the
     * system's clock was set back, counts as now.
     *
     * @param stampMillis milliseconds of the Unix epoch
     * @return what {@link #millis()} was then
     */
    default long at(long stampMillis) {
        return millis() - Math.max(0, ageMillis(stampMillis));
    }

    /** Returns how long ago the system's clock showed a time, both milliseconds; negative for a time of the future. */
    default long ageMillis(long stampMillis) {
        return epochMillis() - stampMillis;
    }
}
