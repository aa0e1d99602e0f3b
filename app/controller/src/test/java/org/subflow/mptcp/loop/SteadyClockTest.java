// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the system's clock does. */
class SteadyClockTest {
    private long epochMillis = 1_000_000;
    private long nanos = 77;
    private final SteadyClock clock = new SteadyClock(() -> epochMillis, () -> nanos);

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000, 0})
    void itGoesOnAsTheMonotonicClock(long step) {
        pass(5000);
        assertEquals(1_005_000, clock.millis());
        assertEquals(1_004_000, clock.at(epochMillis - 1000));

        epochMillis += step;
        assertEquals(1_005_000, clock.millis());
        pass(2000);
        assertEquals(1_007_000, clock.millis());
        assertEquals(1_006_500, clock.at(epochMillis - 500), "stamped after the step");
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void aStampFromBeforeAStepIsNeverOfTheFuture(long step) {
        long stamp = epochMillis;
        epochMillis += step;
        assertEquals(step > 0 ? 1_000_000 - step : 1_000_000, clock.at(stamp));
    }

    private void pass(long millis) {
        epochMillis += millis;
        nanos += millis * 1_000_000;
    }
}
