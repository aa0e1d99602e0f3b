// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.intent.SubflowPathIntents;
import org.subflow.mptcp.topology.Nets;

class MeterTest {
    private static final long MEGABYTE = 1_000_000;

    private final Stage stage = new Stage();
    private final List<FlowEntry> entries = new ArrayList<>();
    private final Meter meter = new Meter(new FlowRuleServiceAdapter() {
        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
            return () -> entries.stream().filter(entry -> entry.deviceId().equals(device)).iterator();
        }
    });
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
    void rulesThatVanishedAreIdleFromTheTimeASampleWasDue() {
        sample(2000, 10, 1000, 10, 1000);
        entries.clear();
        meter.sample(List.of(connection));

        assertEquals(0, meter.idleMillis(connection.id(), 2000 + 15_000), "a poll may be late");
        assertEquals(5000, meter.idleMillis(connection.id(), 2000 + 20_000));
        sample(30_000, 11, 1100, 10, 1000);
        assertEquals(0, meter.idleMillis(connection.id(), 31_000), "they are back");
    }

    private long idle() {
        return meter.idleMillis(connection.id(), 0);
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

    private Rates rates() {
        return meter.measurement(connection.id()).rates(connection.first().tuple());
    }

    private void sample(long millis, long packetsUp, long bytesUp, long packetsDown, long bytesDown) {
        entries.clear();
        FiveTuple up = connection.first().tuple();
        entries.add(entry(up, connection.first().ingress(), millis, packetsUp, bytesUp));
        entries.add(entry(up.reversed(), connection.first().egress(), millis, packetsDown, bytesDown));
        entries.add(entry(up, Nets.port(1, 2), millis, 7, 7));
        meter.sample(List.of(connection));
    }

    private static FlowEntry entry(FiveTuple tuple, ConnectPoint in, long millis, long packets, long bytes) {
        DefaultFlowEntry entry = new DefaultFlowEntry(DefaultFlowRule.builder()
                .forDevice(in.deviceId())
                .withSelector(DefaultTrafficSelector.builder(SubflowPathIntents.selector(tuple))
                                      .matchInPort(in.port()).build())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(100)
                .fromApp(new DefaultApplicationId(3, "org.onosproject.net.intent"))
                .makePermanent()
                .build(), FlowEntry.FlowEntryState.ADDED, 1, packets, bytes) {
            @Override
            public long lastSeen() {
                return millis;
            }
        };
        return entry;
    }
}
