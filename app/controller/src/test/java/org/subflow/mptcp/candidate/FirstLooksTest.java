// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.candidate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.FiveTuple;

/** When connections are looked at first. */
class FirstLooksTest {
    private static final int CONNECTIONS = 4000;
    private final FirstLooks looks = new FirstLooks();

    private static FiveTuple to(int server, int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 40_000, IpAddress.valueOf(0x0a010000 + server), port);
    }

    @Test
    void aServiceOfWhichNothingIsKnownIsLookedAtEarly() {
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(1, 80)));
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 100, 150, 200})
    void mostShortConnectionsEndWithoutALook(int meanMillis) {
        Random random = new Random(meanMillis);
        int inVain = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            double lifetime = -Math.log(1 - random.nextDouble()) * TimeUnit.MILLISECONDS.toNanos(meanMillis);
            if (lifetime > looks.age(to(1, 80))) {
                looks.inVain(to(1, 80));
                inVain++;
            } else {
                looks.endedBefore(to(1, 80));
            }
        }
        assertTrue(inVain < CONNECTIONS * 0.07, inVain + " of " + CONNECTIONS);
    }

    @Test
    void noConnectionWaitsLongForItsFirstLook() {
        for (int i = 0; i < 100; i++) {
            looks.inVain(to(1, 80));
        }
        assertEquals(FirstLooks.LATEST_NANOS, looks.age(to(1, 80)));
    }

    @Test
    void whereLooksFindTransfersTheyComeEarly() {
        for (int i = 0; i < 100; i++) {
            looks.inVain(to(1, 80));
        }
        for (int i = 0; i < 10; i++) {
            looks.earned(to(1, 80));
        }
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(1, 80)));
    }

    @Test
    void aNetworkThatIsFastAgainIsLookedAtEarlyAgain() {
        for (int i = 0; i < 100; i++) {
            looks.inVain(to(1, 80));
        }
        for (int i = 0; i < 200; i++) {
            looks.endedBefore(to(1, 80));
        }
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(1, 80)));
        assertEquals(0, looks.size(), "nothing is kept of it");
    }

    @Test
    void whereMostLooksAreInVainOnlySoManyASecondAreTaken() {
        for (int i = 0; i < 100; i++) {
            looks.inVain(to(1, 80));
        }
        int taken = 0;
        for (int millis = 0; millis < 10_000; millis++) {
            // As of a clock that began long ago, or counts from a time to come.
            long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(5) + TimeUnit.MILLISECONDS.toNanos(millis);
            taken += looks.take(to(1, 80), now) ? 1 : 0;
            assertTrue(looks.take(to(1, 443), now), "another service does not wait for it");
        }
        assertTrue(taken >= 10 * FirstLooks.MOST_DOUBTFUL_PER_SECOND && taken <= 11 * FirstLooks.MOST_DOUBTFUL_PER_SECOND,
                taken + " looks");
    }

    @Test
    void otherServicesOfTheServerDoNotCount() {
        looks.inVain(to(1, 80));
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(1, 443)));
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(2, 80)));
    }

    @Test
    void theServicesAreBounded() {
        for (int server = 0; server < FirstLooks.MOST + 10; server++) {
            looks.inVain(to(server, 80));
        }
        assertEquals(FirstLooks.MOST, looks.size());
        assertEquals(FirstLooks.EARLIEST_NANOS, looks.age(to(0, 80)), "the oldest is forgotten");
    }
}
