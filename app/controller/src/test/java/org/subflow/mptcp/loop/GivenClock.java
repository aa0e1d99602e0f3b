// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import java.util.function.LongSupplier;

/** The time that a test gives. */
public final class GivenClock implements Clock {
    private final LongSupplier nanos;
    private final LongSupplier millis;
    private final LongSupplier epochMillis;

    public GivenClock(LongSupplier nanos, LongSupplier millis, LongSupplier epochMillis) {
        this.nanos = nanos;
        this.millis = millis;
        this.epochMillis = epochMillis;
    }

    @Override
    public long nanos() {
        return nanos.getAsLong();
    }

    @Override
    public long millis() {
        return millis.getAsLong();
    }

    @Override
    public long epochMillis() {
        return epochMillis.getAsLong();
    }
}
