// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.LongSupplier;
import org.subflow.mptcp.measure.Stamps;

/** The time. */
final class Clocks {
    /** A clock without steps, milliseconds of the Unix epoch at its start. */
    final LongSupplier millis;
    /** The system's clock, milliseconds of the Unix epoch. */
    final LongSupplier epochMillis;
    /** A monotonic clock, nanoseconds. */
    final LongSupplier nanos;
    /** Makes of the time of a counter one of the clock without steps. */
    final Stamps stamps;

    Clocks(LongSupplier millis, LongSupplier epochMillis, LongSupplier nanos, Stamps stamps) {
        this.millis = checkNotNull(millis, "millis");
        this.epochMillis = checkNotNull(epochMillis, "epochMillis");
        this.nanos = checkNotNull(nanos, "nanos");
        this.stamps = checkNotNull(stamps, "stamps");
    }
}
