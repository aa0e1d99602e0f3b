// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;

class BusyServicesTest {
    private static final IpAddress FAR = IpAddress.valueOf("192.0.2.1");
    private static final HostId CLIENT = HostId.hostId("00:00:00:00:00:01/None");
    private static final HostId SERVER = HostId.hostId("00:00:00:00:00:02/None");

    private final Set<IpAddress> behindRouter = Set.of(FAR);
    private long nanos = Long.MAX_VALUE - 1;
    private final BusyServices services = new BusyServices(tuple -> !behindRouter.contains(tuple.source()), () -> nanos);

    private static FiveTuple connection(int clientPort, int serverPort) {
        return from("10.0.0.1", clientPort, serverPort);
    }

    private static FiveTuple from(String client, int clientPort, int serverPort) {
        return FiveTuple.of(IpAddress.valueOf(client), clientPort, IpAddress.valueOf("10.0.0.2"), serverPort)
                .between(CLIENT, SERVER);
    }

    /** Opens so many connections of a service; returns how many of them made it busy. */
    private long open(int count, int serverPort) {
        return IntStream.range(0, count).filter(number -> services.opened(connection(10_000 + number, serverPort), () -> true) > 0).count();
    }

    private void pass(long millis) {
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void manyConnectionsWithinASecondMakeAServiceBusyAgainAndAgain() {
        assertEquals(0, open(BusyServices.BURST - 1, 80));
        assertEquals(1, open(1, 80));
        assertEquals(2, open(2 * BusyServices.BURST, 80));
    }

    @Test
    void whetherItMayGoUnseenIsAskedOnlyForTheOneThatMakesItBusy() {
        AtomicInteger asked = new AtomicInteger();
        for (int number = 1; number <= BusyServices.BURST; number++) {
            assertEquals(0, services.opened(connection(number, 80), () -> asked.incrementAndGet() < 0));
        }
        assertEquals(1, asked.get());
        assertFalse(services.mayBeShort(connection(1, 80)));
    }

    @Test
    void slowOnesNeverDo() {
        for (int second = 0; second < 10; second++) {
            assertEquals(0, open(BusyServices.BURST - 1, 80));
            pass(1000);
        }
        assertFalse(services.mayBeShort(connection(1, 80)));
    }

    @Test
    void eachServiceIsCountedByItself() {
        open(BusyServices.BURST, 80);
        assertTrue(services.mayBeShort(connection(1, 80)));
        assertTrue(services.mayBeShort(connection(2, 80).reversed()), "what the server sends");
        assertFalse(services.mayBeShort(connection(1, 81)));
        assertEquals(0, open(BusyServices.BURST - 1, 81));
    }

    @Test
    void subflowsFromFurtherAddressesOfAHostAreOfTheSameService() {
        open(BusyServices.BURST, 80);
        assertTrue(services.mayBeShort(from("10.0.1.1", 1, 80)));
        assertTrue(services.wasBusyWithin(from("10.0.1.2", 1, 80), 0));
    }

    @Test
    void addressesBehindARouterAreCountedByThemselves() {
        for (int number = 0; number < BusyServices.BURST; number++) {
            services.opened(from("192.0.2.1", 10_000 + number, 80), () -> true);
        }
        assertTrue(services.mayBeShort(from("192.0.2.1", 1, 80)));
        assertFalse(services.mayBeShort(connection(1, 80)), "the router's own");
    }

    @Test
    void aConnectionThatIsSeenAgainLaterIsNotShort() {
        open(BusyServices.BURST, 80);
        assertTrue(services.mayBeShort(connection(1, 80)));
        pass(1000);
        assertTrue(services.mayBeShort(connection(1, 80).reversed()));
        pass(1000);
        assertFalse(services.mayBeShort(connection(1, 80)));
        assertTrue(services.mayBeShort(connection(2, 80)), "this one is noticed for the first time");
    }

    @Test
    void aFiveTupleThatWasSilentMayBeThatOfAnotherConnection() {
        open(BusyServices.BURST, 80);
        assertTrue(services.mayBeShort(connection(1, 80)));
        pass(17_000);
        open(BusyServices.BURST, 80);
        assertTrue(services.mayBeShort(connection(1, 80)));
    }

    /** Opens connections until they make the service busy; returns for how many seconds it goes unseen then. */
    private int untilBusy() {
        for (int number = 0; ; number++) {
            int seconds = services.opened(connection(10_000 + number, 80), () -> true);
            if (seconds > 0) {
                return seconds;
            }
        }
    }

    @Test
    void oneThatIsBusyAgainAtOnceGoesUnseenTwiceAsLong() {
        for (int seconds : new int[] {1, 2, 4, 8, 8}) {
            assertEquals(seconds, untilBusy());
            assertEquals(seconds, untilBusy(), "before its rules are there");
            pass(1000L * seconds);
        }
        pass(1001);
        assertEquals(1, untilBusy(), "after a quiet second");
    }

    @Test
    void thoseInItsMidstMakeItBusyWithTheNextThatBegins() {
        assertEquals(1, untilBusy());
        pass(1000);
        for (int port = 1; port < 2 * BusyServices.BURST; port++) {
            assertTrue(services.mayBeShort(connection(port, 80)));
        }
        assertEquals(2, services.opened(connection(9000, 80), () -> true));
        pass(2000);
        for (int port = 1; port < 2 * BusyServices.BURST; port++) {
            assertFalse(services.mayBeShort(connection(port, 80)), "they go on");
        }
        assertEquals(0, services.opened(connection(9001, 80), () -> true), "nor do they count again");
    }

    @Test
    void itIsKnownLongAfterwardsWhenAServiceWasBusy() {
        open(BusyServices.BURST, 80);
        pass(600_000);
        assertTrue(services.wasBusyWithin(connection(1, 80), TimeUnit.SECONDS.toNanos(595)));
        assertFalse(services.wasBusyWithin(connection(1, 80), TimeUnit.SECONDS.toNanos(580)));
    }

    @Test
    void aServiceIsQuietAWhileAfterwards() {
        assertFalse(services.wasBusyWithin(connection(1, 80), 0));
        open(BusyServices.BURST, 80);
        assertTrue(services.wasBusyWithin(connection(1, 80), 0));
        pass(11_000);
        assertFalse(services.wasBusyWithin(connection(1, 80), 0));
        assertFalse(services.mayBeShort(connection(1, 80)));
    }
}
