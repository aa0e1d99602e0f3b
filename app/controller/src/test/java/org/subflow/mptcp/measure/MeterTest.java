// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.PortCounter;
import org.subflow.mptcp.wiring.Stage;

/** Rates and idle times of subflows by the switches' counters. */
class MeterTest extends MeterScenario {
    @Test
    void ratesAreTheGrowthOfBytesBetweenWhatTheSwitchesTold() {
        sample(1000, 0, 0, 0, 0);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);

        assertEquals(Rates.of(8e6, 2e6), rates());
        assertEquals(0, idle());
    }

    @Test
    void beforeTheSecondReadingThereIsNoRate() {
        assertEquals(Optional.empty(), meter.measurement(connection.id()).read(connection));
        sample(1000, 0, 0, 0, 0);
        assertEquals(Optional.empty(), meter.measurement(connection.id()).read(connection.first()));
        sample(2000, 0, 0, 0, 0);
        assertEquals(Optional.of(Rates.ZERO), meter.measurement(connection.id()).read(connection), "it sends nothing");
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
    void aRateIsOverTheTimeThatTheSwitchHasCounted() {
        rules.lifeMillis = 10_001;
        sample(1000, 0, 0, 0, 0);
        rules.lifeMillis = 12_001;
        sample(2400, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);
        assertEquals(Rates.of(8e6, 2e6), rates(), "the first report came late");

        rules.lifeMillis = 14_000;
        sample(4400, 200, 4 * MEGABYTE, 100, MEGABYTE);
        assertEquals(Rates.of(8e6, 2e6), rates(), "perhaps the switch reports whole seconds");
        rules.lifeMillis = 7;
        sample(6400, 300, 6 * MEGABYTE, 150, 3 * MEGABYTE / 2);
        assertEquals(Rates.of(8e6, 2e6), rates(), "a new rule that goes on with the counters of an old one");
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
    void aConnectionWithARuleThatASwitchHasRefusedIsNotIdle() {
        FiveTuple up = connection.first().tuple();
        for (long millis = 1000; millis <= 12_000; millis += 1000) {
            rules.tell(up.reversed(), connection.first().egress(), millis, 0, 0);
            meter.sample(List.of(connection), rules.own().read());
        }
        assertEquals(0, meter.idleMillis(connection.id(), 12_000), "it may send by way of the controller");
    }

    @Test
    void aConnectionThatSendsIsNotIdleWhateverRuleIsMissing() {
        connection = stage.join(1);
        for (int second = 1; second <= 60; second++) {
            // The rules of the second subflow are in no switch.
            sample(1000L * second, second);
            assertEquals(0, meter.idleMillis(connection.id(), 1000L * second), "after " + second + " s");
        }
    }

    @Test
    void withoutASampleNothingIsIdle() {
        meter.sample(List.of(connection), rules.own().read());

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
        meter.sample(List.of(connection), rules.own().read());

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
    void aCounterIsKnownAfterItsSecondReadingInTheSwitch() {
        rules.state = FlowEntryState.PENDING_ADD;
        sample(500, 0);
        rules.state = FlowEntryState.ADDED;
        sample(1000, 10, MEGABYTE, 0, 0);
        assertNull(meter.span(connection, connection.first(), true));
        sample(2000, 20, 2 * MEGABYTE, 0, 0);
        assertEquals(2 * MEGABYTE, meter.span(connection, connection.first(), true).bytesAt(2000), 1);

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
        meter.sample(List.of(connection), rules.own().read());
        assertEquals(List.of(Nets.device(1), Nets.device(5)), sorted(rules.read));

        rules.read.clear();
        meter.sample(List.of(connection.mapSubflows(subflow -> subflow.withoutRoute(SubflowState.DOWN))), rules.own().read());
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
            meter.sample(List.of(connection), rules.own().read());
        }
        assertEquals(Rates.of(8e6, 0), rates());
    }

    @ParameterizedTest
    @CsvSource({"200, 0", "100, 0", "110, 1"})
    void theSameMatchAtAnotherPriorityOrInAnotherTableIsAnotherRule(int priority, int table) {
        rules.identifier = 7L;
        for (long second = 1; second <= 3; second++) {
            for (boolean isOurs : second == 2 ? new boolean[] {true, false} : new boolean[] {false, true}) {
                rules.priority = isOurs ? RuleKind.SUBFLOW.priority() : priority;
                rules.table = isOurs ? 0 : table;
                FiveTuple up = connection.first().tuple();
                long bytes = (isOurs ? 1 : 50) * second * MEGABYTE;
                rules.tell(up, connection.first().ingress(), 1000 * second, second, bytes);
                rules.tell(up.reversed(), connection.first().egress(), 1000 * second, 0, 0);
            }
            meter.sample(List.of(connection), rules.own().read());
            assertEquals(second == 1 ? 0 : 8e6, rates().up(), "second " + second);
            rules.clear();
        }
    }

    @Test
    void betweenHostsOfOneSwitchNoLinkBoundsIt() {
        meter = new Meter(ToldRules.APP, port -> Optional.of(new PortCounter(900, 0)), Stamps.AS_THEY_ARE);
        connection = connection.mapSubflows(subflow -> subflow.withRoute(SubflowState.ACTIVE, List.of(), List.of(), 0));
        sample(1000, 0, 0, 0, 0);
        sample(2000, 60_000, 60 * MEGABYTE, 0, 0);
        assertEquals(Rates.of(480e6, 0), rates());
    }

    @Test
    void nothingIsKeptOfSubflowsAndConnectionsThatAreGone() {
        connection = stage.join(1);
        sample(1000, 5);
        rules.tell(connection.subflows().get(1).tuple(), connection.subflows().get(1).ingress(), 1000, 5, 500);
        meter.sample(List.of(connection), rules.own().read());
        assertEquals(3, meter.size());

        FiveTuple gone = connection.first().tuple();
        meter.sample(List.of(connection.mapSubflows(
                subflow -> subflow.tuple().equals(gone) ? subflow.withoutRoute(SubflowState.IDLE) : subflow)), rules.own().read());
        assertEquals(1, meter.size());
        meter.sample(List.of(), rules.own().read());
        assertEquals(0, meter.size());
    }

    /** ONOS's identifier is a hash value. */
    @Test
    void rulesWithOneIdentifierAreToldApart() {
        rules.identifier = 7L;
        sample(1000, 0, 0, 0, 0);
        sample(3000, 100, 2 * MEGABYTE, 50, MEGABYTE / 2);
        assertEquals(Rates.of(8e6, 2e6), rates());
    }

    @Test
    void aRuleThatIsBeingReplacedIsNoBaseline() {
        sample(1000, 0, 0, 0, 0);
        sample(2000, 1000, MEGABYTE, 1000, MEGABYTE);

        rules.state = FlowEntryState.PENDING_ADD;
        sample(2500, 0, 0, 0, 0);
        assertEquals(Rates.of(8e6, 8e6), rates(), "what was measured last");
        rules.state = FlowEntryState.ADDED;
        sample(3000, 2000, 2 * MEGABYTE, 2000, 2 * MEGABYTE);
        assertEquals(Rates.of(8e6, 8e6), rates(), "the switch has kept its counters");
    }

    @Test
    void aNewRuleWithTheCountersOfAnOldOneHasNoRateYet() {
        rules.state = FlowEntryState.PENDING_ADD;
        sample(1000, 0, 0, 0, 0);
        rules.state = FlowEntryState.ADDED;
        sample(2000, 50_000, 50 * MEGABYTE, 9, 900);
        assertEquals(Rates.ZERO, rates());

        sample(3000, 51_000, 51 * MEGABYTE, 9, 900);
        assertEquals(Rates.of(8e6, 0), rates());
    }

    @Test
    void nothingAboveTheCounterOfItsPortIsBelieved() {
        Map<ConnectPoint, PortCounter> ports = new HashMap<>();
        meter = new Meter(ToldRules.APP, port -> Optional.ofNullable(ports.get(port)), Stamps.AS_THEY_ARE);
        ConnectPoint client = connection.first().ingress();
        for (long second = 1; second <= 3; second++) {
            ports.put(client, new PortCounter(1000 * second, second * MEGABYTE));
            sample(1000 * second, second, second * MEGABYTE, 0, 0);
        }
        assertEquals(Rates.of(8e6, 0), rates());

        ports.put(client, new PortCounter(4000, 4 * MEGABYTE));
        sample(4000, 4, 60 * MEGABYTE, 0, 0);
        assertTrue(rates().up() <= 16e6, "what came in since the rule's last reading and the delay of its counter: " + rates());
        assertNull(meter.span(connection, connection.first(), true));

        ports.put(client, new PortCounter(5000, 5 * MEGABYTE));
        sample(5000, 5, 61 * MEGABYTE, 0, 0);
        assertEquals(Rates.of(8e6, 0), rates());
    }

    @Test
    void beforeItsPortIsReadItSendsNoMoreThanItsPathCarries() {
        Map<ConnectPoint, PortCounter> ports = new HashMap<>();
        meter = new Meter(ToldRules.APP, port -> Optional.ofNullable(ports.get(port)), Stamps.AS_THEY_ARE);
        ports.put(connection.first().ingress(), new PortCounter(900, 0));
        sample(1000, 0, 0, 0, 0);
        sample(2000, 1000, MEGABYTE, 0, 0);
        assertEquals(Rates.of(8e6, 0), rates());

        sample(3000, 60_000, 60 * MEGABYTE, 0, 0);
        assertTrue(rates().up() <= 3 * Nets.CAPACITY, rates().toString());
    }

    /** Open vSwitch may count half a second of a rule's traffic after a reading, and the next reading has it. */
    @Test
    void whatIsCountedLateMakesNoRateAboveThatOfThePath() {
        long second = Math.round(Nets.CAPACITY / 8);
        double shown = 0;
        double[] counted = {0, 0.65, 2, 3, 3.6, 5, 5.7, 7, 7, 7};
        for (int reading = 0; reading < counted.length; reading++) {
            sample(1000L * (reading + 1), reading, Math.round(counted[reading] * second), 0, 0);
            assertTrue(rates().up() <= Nets.CAPACITY + 1, "reading " + reading + ": " + rates());
            shown += rates().up() / 8;
        }
        assertTrue(shown <= 7.0 * second && shown >= 6.5 * second, "nothing is told twice, and little is left out: " + shown);
        assertEquals(Rates.ZERO, rates());
    }

    @Test
    void aLowerRateIsToldAtTheNextReadingButOneHoweverMuchWasCountedLate() {
        long second = Math.round(Nets.CAPACITY / 8);
        double[] counted = {0, 1.3, 2.4, 3.2, 4};
        for (int reading = 0; reading < counted.length; reading++) {
            sample(1000L * (reading + 1), reading, Math.round(counted[reading] * second), 0, 0);
        }
        assertEquals(0.8 * Nets.CAPACITY, rates().up(), 100);
    }

    @Test
    void aPathThatCarriesMoreThanIsStatedIsMeasuredAsItIs() {
        long second = Math.round(1.6 * Nets.CAPACITY / 8);
        for (int reading = 0; reading < 4; reading++) {
            sample(1000L * (reading + 1), reading, reading * second, reading, reading * second);
        }
        assertEquals(Rates.of(1.6 * Nets.CAPACITY, 1.6 * Nets.CAPACITY), rates());
    }

    private static List<DeviceId> sorted(List<DeviceId> devices) {
        return devices.stream().sorted(Comparator.comparing(DeviceId::toString)).collect(Collectors.toList());
    }
}
