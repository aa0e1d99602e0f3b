// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.loop.SteadyClock;

/** Counters are told with the times of clocks that step, or of other nodes. */
class MeterClockTest extends MeterScenario {
    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void stepsOfTheClockFreezeNoCounterAndMakeNothingIdle(long step) {
        long[] now = {1_000_000, 0};
        SteadyClock clock = new SteadyClock(() -> now[0], () -> now[1]);
        meter = new Meter(ToldRules.APP, port -> Optional.empty(), new MasterClocks(clock, device -> true));
        meter.watch(connection.id(), clock.millis());
        for (long second = 1; second <= 20; second++) {
            now[0] += 1000 + (second == 10 ? step : 0);
            now[1] += 1_000_000_000L;
            sample(now[0] - 300, second, second * MEGABYTE, 0, 0);
            assertEquals(second == 1 ? 0 : 8e6, rates().up(), 1, "second " + second);
            assertTrue(meter.idleMillis(connection.id(), clock.millis()) <= 1000);
            meter.sample(List.of(connection), rules.own().read());
            assertEquals(second == 1 ? 0 : 8e6, rates().up(), 1, "a second look at the same report");
        }
        // It falls silent at the moment of the step.
        now[0] += 1000 - step;
        now[1] += 1_000_000_000L;
        sample(now[0] - 300, 20, 20 * MEGABYTE, 0, 0);
        assertEquals(1000, meter.idleMillis(connection.id(), clock.millis()));
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, 60_000, -60_000, 2000})
    void theClockOfAnotherNodeMakesNothingIdleAndHidesNoIdleTime(long behind) {
        long[] now = {1_000_000, 0};
        SteadyClock clock = new SteadyClock(() -> now[0], () -> now[1]);
        meter = new Meter(ToldRules.APP, port -> Optional.empty(), new MasterClocks(clock, device -> false));
        meter.watch(connection.id(), clock.millis());
        for (long second = 1; second <= 40; second++) {
            now[0] += 1000;
            now[1] += 1_000_000_000L;
            // Another node becomes the master in between.
            sample(now[0] - 300 - (second < 10 ? 0 : behind), Math.min(second, 35), Math.min(second, 35) * MEGABYTE, 0, 0);
            long idle = meter.idleMillis(connection.id(), clock.millis());
            if (second <= 35) {
                assertTrue(idle <= 12_000, "second " + second + ": " + idle);
            }
            if (second > 30 && second <= 35) {
                assertEquals(8e6, rates().up(), 1, "second " + second);
            }
        }
        assertEquals(5000.0, (double) meter.idleMillis(connection.id(), clock.millis()), 1.0);
    }
}
