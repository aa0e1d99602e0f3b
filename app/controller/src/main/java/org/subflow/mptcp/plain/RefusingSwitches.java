// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.onosproject.net.DeviceId;

/**
 * The switches that have refused a rule, most likely because their flow tables are full. After a refusal a switch is asked for
 * one rule a second, until it accepts one.
 */
final class RefusingSwitches {
    /** So many refusals in a row, a pause after each, tell that a table is full; a switch that changes its master refuses, too. */
    static final int MANY = 4;
    /** Pause after a refusal. */
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier clockNanos;
    private final Map<DeviceId, Refusals> refusals = new HashMap<>();

    private static final class Refusals {
        private int inARow = 1;
        private long notBefore;
        /** Whether the switch has not answered yet since it was asked again. */
        private boolean awaited;
    }

    /** Makes it without any switch; the clock is monotonic, in nanoseconds. */
    RefusingSwitches(LongSupplier clockNanos) {
        this.clockNanos = clockNanos;
    }

    /** Returns whether a switch has refused a rule so lately that it is not to be asked now. */
    boolean isPausing(DeviceId device) {
        Refusals of = refusals.get(device);
        return of != null && clockNanos.getAsLong() - of.notBefore < 0;
    }

    /** Returns whether a switch may be asked for a rule now. If it has refused the last one, this call begins the next pause. */
    boolean mayBeAsked(DeviceId device) {
        Refusals of = refusals.get(device);
        if (of == null) {
            return true;
        }
        boolean isOver = !isPausing(device);
        if (isOver) {
            of.awaited = true;
            pause(of);
        }
        return isOver;
    }

    /** Notes a refusal; returns whether it is the last of {@link #MANY} in a row. Of rules asked for at once, one counts. */
    boolean refused(DeviceId device) {
        Refusals of = refusals.get(device);
        if (of == null) {
            of = new Refusals();
            refusals.put(device, of);
            pause(of);
            return false;
        }
        if (!of.awaited) {
            return false;
        }
        of.awaited = false;
        of.inARow++;
        pause(of);
        return of.inARow % MANY == 0;
    }

    /** Notes that a switch has accepted a rule. */
    void accepted(DeviceId device) {
        Refusals of = refusals.get(device);
        if (of != null && of.awaited) {
            refusals.remove(device);
        }
    }

    private void pause(Refusals of) {
        of.notBefore = clockNanos.getAsLong() + PAUSE_NANOS;
    }
}
