// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.device.DefaultPortStatistics;

/** Whatever two statistics of a port differ by, its rate is not negative and finite, or there is none. */
class PortRatesTest {
    @ParameterizedTest
    @CsvSource({"1000, 1000000, 8e6", "500, 1000000, 16e6", "5000, 0, 0", "0, 1000000, NaN", "0, 0, NaN", "1000, -5, NaN",
            "-1000, 5, NaN", "1000, -9223372036854775808, NaN"})
    void aRateIsNotNegativeOrThereIsNone(long millis, long bytes, double bps) {
        assertEquals(bps, OnosNetworkView.rate(DefaultPortStatistics.builder()
                .setDeviceId(Nets.device(1))
                .setPort(Nets.port(1, 2).port())
                .setBytesSent(bytes)
                .setDurationSec(TimeUnit.MILLISECONDS.toSeconds(millis))
                .setDurationNano(TimeUnit.MILLISECONDS.toNanos(millis % 1000))
                .build()));
    }

    @Test
    void withoutStatisticsItIsNothing() {
        assertEquals(Double.NaN, OnosNetworkView.rate(null));
    }
}
