// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

/** Rates by the first reading of a counter. */
class FirstReadingTest extends MeterScenario {
    @ParameterizedTest
    @CsvSource({"1999, false", "2000, true", "4300, true", "15000, true", "15001, false"})
    void theFirstReadingOfAYoungRuleGivesTheRateSinceItsInstallation(long lifeMillis, boolean isRated) {
        rules.lifeMillis = lifeMillis;
        sample(5000, 100, lifeMillis * MEGABYTE / 1000, 50, 0);
        assertEquals(isRated ? Optional.of(Rates.of(8e6, 0)) : Optional.empty(),
                     meter.measurement(connection.id()).read(connection.first()));
    }

    @Test
    void theFirstRateIsNoneIfThePathDoesNotCarryIt() {
        rules.lifeMillis = 4000;
        // A life of 4 s may be one of 4.9 s: the path carries 10 Mbit/s.
        sample(5000, 5000, 6 * MEGABYTE, 50, 0);
        assertEquals(Rates.of(Nets.CAPACITY, 0), rates());

        meter.forget(connection.id());
        sample(5000, 9000, 7 * MEGABYTE, 9000, 7 * MEGABYTE);
        assertEquals(Optional.empty(), meter.measurement(connection.id()).read(connection.first()), "counters of an older rule");
    }
}
