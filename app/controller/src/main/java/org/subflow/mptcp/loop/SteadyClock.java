// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock for intervals: milliseconds of the Unix epoch at its start, and from then on as a monotonic clock runs. Steps of
 * the system's clock do not change it. Thread-safe.
 */
public final class SteadyClock implements Clock {
    /** The clock of this process; nothing else asks the system for the time. */
    public static final Clock SYSTEM = new SteadyClock(System::currentTimeMillis, System::nanoTime);

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
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public long millis() {
        return begunMillis + TimeUnit.NANOSECONDS.toMillis(nanos() - begunNanos);
    }

    @Override
    public long epochMillis() {
        return epochMillis.getAsLong();
    }
}
