// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;

/** Probes of switches whose masters' clocks are apart from the one here. */
class ProbeAgesTest {
    private static final DeviceId S1 = DeviceId.deviceId("of:0000000000000001");
    private static final DeviceId S2 = DeviceId.deviceId("of:0000000000000002");
    private static final long MINUTE = 60_000;
    private static final long NOW = 1_700_000_000_000L;

    private final ProbeAges ages = new ProbeAges();
    private long elapsed;

    @Test
    void aProbeOfAClockThatIsAheadOrBehindIsFresh() {
        for (long ahead : new long[] {-MINUTE, 0, MINUTE}) {
            elapsed += 3 * ProbeAges.SPAN_MILLIS;
            assertEquals(0, age(S1, NOW + elapsed + ahead));
            elapsed += 1000;
            assertEquals(0, age(S1, NOW + elapsed + ahead));
        }
    }

    @Test
    void aRecordedOneIsAsOldAsItIsBehindTheSwitchsNewest() {
        age(S1, NOW + MINUTE);
        elapsed = 1000;
        assertEquals(20_000, age(S1, NOW + elapsed + MINUTE - 20_000));
        assertEquals(0, age(S2, NOW - MINUTE), "another switch, another master");
    }

    @Test
    void aRecordedOneDoesNotCountForTheNext() {
        age(S1, NOW);
        age(S1, NOW - MINUTE);
        elapsed = 1000;
        assertEquals(0, age(S1, NOW + elapsed));
    }

    /** Sooner than links go for want of probes. */
    @Test
    void afterAChangeToAClockThatIsBehindProbesAreFreshAgain() {
        age(S1, NOW + MINUTE);
        long old = 0;
        while (age(S1, NOW + elapsed) > 0) {
            elapsed += 500;
            old = elapsed;
        }
        assertEquals(2.0 * ProbeAges.SPAN_MILLIS, (double) old, 500.0);
    }

    /** A probe comes in with this time on it. */
    private long age(DeviceId from, long stampMillis) {
        return ages.age(from, stampMillis, NOW + elapsed, elapsed);
    }
}
