// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for intervals: milliseconds of the Unix epoch at its start, and from then on as a monotonic clock runs. Steps of
 * the system's clock do not change it. Thread-safe.
 */
public final class SteadyClock implements LongSupplier {
    /** The clock of this process. */
    public static final SteadyClock SYSTEM = new SteadyClock(System::currentTimeMillis, System::nanoTime);

    private final LongSupplier epochMillis;
    private final LongSupplier nanos;
    private final long begunMillis;
    private final long begunNanos;

    /**
     * Starts a clock.
     *
     * @param epochMillis the system's clock, milliseconds of the Unix epoch; not null
     * @param nanos       a monotonic clock, nanoseconds; not null
     */
    public SteadyClock(LongSupplier epochMillis, LongSupplier nanos) {
        this.epochMillis = checkNotNull(epochMillis, "epochMillis");
        this.nanos = checkNotNull(nanos, "nanos");
        this.begunMillis = epochMillis.getAsLong();
        this.begunNanos = nanos.getAsLong();
    }

    @Override
    public long getAsLong() {
        return begunMillis + TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - begunNanos);
    }

    /**
     * Returns when something happened that ONOS has stamped with the system's clock. A stamp of the future, from before the
     * system's clock was set back, counts as now.
     *
     * @param stampMillis milliseconds of the Unix epoch
     * @return milliseconds of this clock
     */
    public long at(long stampMillis) {
        return getAsLong() - Math.max(0, ageMillis(stampMillis));
    }

    /** Returns how long ago the system's clock showed a time, both milliseconds; negative for a time of the future. */
    public long ageMillis(long stampMillis) {
        return epochMillis.getAsLong() - stampMillis;
    }
}
