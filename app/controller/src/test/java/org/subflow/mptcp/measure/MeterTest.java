// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.connection.Stage;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;

class MeterTest {
    private static final long MEGABYTE = 1_000_000;

    private final Stage stage = new Stage();
    private final ToldRules rules = new ToldRules();
    private final Meter meter = new Meter(rules);
    private Connection connection;

    @BeforeEach
    void open() {
        connection = stage.open();
        meter.watch(connection.id(), 1000);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void ratesAreTheGrowthOfBytesBetweenWhatTheSwitchesTold() {
        sample(1000, 0, 0, 0, 0);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);

        assertEquals(Rates.of(8e6, 2e6), rates());
        assertEquals(0, idle());
    }

    @Test
    void aCounterThatWasNotPolledAgainSaysNothing() {
        sample(1000, 0, 0, 0, 0);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);

        assertEquals(Rates.of(8e6, 2e6), rates());
        assertEquals(0, idle());
    }

    @Test
    void idleTimeIsCountedByTheSwitchesWord() {
        sample(1000, 0, 0, 0, 0);
        sample(2000, 10, 1000, 10, 1000);
        sample(6000, 10, 1000, 10, 1000);
        assertEquals(4000, idle());
        assertEquals(Rates.ZERO, rates());

        sample(7000, 10, 1000, 11, 1100);
        assertEquals(0, idle(), "one direction moving is enough");
    }

    @Test
    void aConnectionThatNeverMovesIsIdleFromItsRulesOn() {
        sample(2000, 0, 0, 0, 0);
        sample(9000, 0, 0, 0, 0);

        assertEquals(8000, idle());
    }

    @Test
    void withoutASampleNothingIsIdle() {
        meter.sample(List.of(connection));

        assertEquals(0, idle());
        assertEquals(Rates.ZERO, rates());
    }

    @Test
    void countersThatRunBackwardsStartANewSeries() {
        sample(1000, 0, 0, 0, 0);
        sample(2000, 1000, 10 * MEGABYTE, 1000, MEGABYTE);
        sample(3000, 5, 5000, 5, 500);
        assertEquals(Rates.ZERO, rates());

        sample(4000, 105, 5000 + MEGABYTE, 5, 500);
        assertEquals(Rates.of(8e6, 0), rates());
    }

    @Test
    void rulesThatVanishedAreIdleFromTheTimeOfTheNextExpectedSample() {
        sample(2000, 10, 1000, 10, 1000);
        rules.clear();
        meter.sample(List.of(connection));

        assertEquals(0, meter.idleMillis(connection.id(), 2000 + 15_000), "a poll may be late");
        assertEquals(5000, meter.idleMillis(connection.id(), 2000 + 20_000));
        sample(30_000, 11, 1100, 10, 1000);
        assertEquals(0, meter.idleMillis(connection.id(), 31_000), "they are back");
    }

    @Test
    void whateverASwitchTellsRatesAreFiniteAndNotNegative() {
        long[] odd = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 5, Long.MAX_VALUE - 1, 0, 7};
        long millis = 1000;
        for (long up : odd) {
            for (long down : odd) {
                // Now and then time stands still or goes back.
                millis += up == 5 ? 0 : down == 7 ? -500 : 1000;
                sample(millis, up, up, down, down);
                assertTrue(rates().up() >= 0 && rates().up() < Double.POSITIVE_INFINITY, rates().toString());
                assertTrue(rates().down() >= 0 && rates().down() < Double.POSITIVE_INFINITY, rates().toString());
            }
        }
    }

    @Test
    void aCounterIsKnownAfterItsThirdReading() {
        sample(1000, 10, MEGABYTE, 0, 0);
        sample(2000, 20, 2 * MEGABYTE, 0, 0);
        assertNull(meter.span(connection, connection.first(), true));

        sample(3000, 30, 4 * MEGABYTE, 0, 0);
        assertEquals(3 * MEGABYTE, meter.span(connection, connection.first(), true).bytesAt(2500), 1);
        sample(4000, 1, 1000, 0, 0);
        assertNull(meter.span(connection, connection.first(), true), "it runs backwards");
    }

    @Test
    void itIsCountedOnceAllItsRulesWereReadForASecond() {
        rules.state = FlowEntryState.PENDING_ADD;
        sample(1000, 0);
        sample(2000, 0);
        assertFalse(meter.isCounted(connection), "not in the switch: it sends by way of the controller");

        rules.state = FlowEntryState.ADDED;
        sample(3000, 5);
        assertFalse(meter.isCounted(connection));
        sample(4000, 5);
        assertTrue(meter.isCounted(connection));

        connection = stage.join(1);
        sample(5000, 5);
        assertFalse(meter.isCounted(connection), "a further subflow has no rules yet");
    }

    @Test
    void rulesThatAreMissingOrNewAreCountedFromThenOn() {
        sample(1000, 5);
        sample(2000, 5);
        assertTrue(meter.isCounted(connection));

        rules.state = FlowEntryState.PENDING_ADD;
        sample(3000, 5);
        assertFalse(meter.isCounted(connection), "the switch has lost it");
        rules.state = FlowEntryState.ADDED;
        sample(4000, 0);
        assertFalse(meter.isCounted(connection));
        sample(4500, 0);
        assertFalse(meter.isCounted(connection), "that is not long enough");
        sample(5000, 0);
        assertTrue(meter.isCounted(connection));
    }

    @Test
    void onlySwitchesWhereASubflowEntersAreReadAndEachOnce() {
        connection = stage.join(1);
        sample(1000, 5);
        rules.read.clear();
        meter.sample(List.of(connection));
        assertEquals(List.of(Nets.device(1), Nets.device(5)), sorted(rules.read));

        rules.read.clear();
        meter.sample(List.of(connection.mapSubflows(subflow -> subflow.withoutRoute(SubflowState.DOWN))));
        assertEquals(List.of(), rules.read);
    }

    @Test
    void rulesOfOthersAndOnTheWayAreNotItsCounters() {
        FiveTuple up = connection.first().tuple();
        for (long millis : new long[] {1000, 2000, 3000}) {
            rules.clear();
            rules.tell(up, connection.first().ingress(), millis, millis, 1000 * millis);
            rules.tell(up.reversed(), connection.first().egress(), millis, 0, 0);
            // The same match at another port, as on the way of a packet that comes back.
            rules.tell(up, Nets.port(1, 3), millis, 9 * millis, 9000 * millis);
            rules.tell(up.reversed(), connection.first().ingress(), millis, 9 * millis, 9000 * millis);
            rules.tell(Stage.tuple("10.0.0.11", 1), connection.first().ingress(), millis, 9 * millis, 9000 * millis);
            meter.sample(List.of(connection));
        }
        assertEquals(Rates.of(8e6, 0), rates());
    }

    /** ONOS's identifier is a hash value. */
    @Test
    void rulesWithOneIdentifierAreToldApart() {
        rules.identifier = 7L;
        sample(1000, 0, 0, 0, 0);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);
        assertEquals(Rates.of(8e6, 2e6), rates());
    }

    private static List<DeviceId> sorted(List<DeviceId> devices) {
        return devices.stream().sorted(Comparator.comparing(DeviceId::toString)).collect(Collectors.toList());
    }

    private long idle() {
        return meter.idleMillis(connection.id(), 0);
    }

    private Rates rates() {
        return meter.measurement(connection.id()).rates(connection.first().tuple());
    }

    /** Both rules have counted so many small packets. */
    private void sample(long millis, long packets) {
        sample(millis, packets, 100 * packets, packets, 100 * packets);
    }

    private void sample(long millis, long packetsUp, long bytesUp, long packetsDown, long bytesDown) {
        rules.clear();
        FiveTuple up = connection.first().tuple();
        rules.tell(up, connection.first().ingress(), millis, packetsUp, bytesUp);
        rules.tell(up.reversed(), connection.first().egress(), millis, packetsDown, bytesDown);
        rules.tell(up, Nets.port(1, 2), millis, 7, 7);
        meter.sample(List.of(connection));
    }
}
