// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.measure.Stamps;
import org.subflow.mptcp.measure.ToldRules;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.wiring.Stage;

/**
 * The estimated demand of a new connection, from realistic counters. Each switch is polled at times of its own, and reports
 * its last update, up to half a second old. Bytes before the installation of a rule are not counted.
 */
class NewcomerTest {
    private static final double STEP = 0.01;
    private static final double LINK = 10e6;
    private static final int SEEDS = 200;

    private final Stage stage = new Stage();
    private final List<Rule> rules = new ArrayList<>();
    private final ToldRules told = new ToldRules();
    private final Meter meter = new Meter(ToldRules.APP, port -> Optional.empty(), Stamps.AS_THEY_ARE);

    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 5})
    void aSilentOneIsKnownAfterTwoPeriods(double period) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Newcomer newcomer = new Newcomer(seed, period, time -> time < 0.2 ? 8e3 : 0);
            while (newcomer.time < 4 * period + 2 && newcomer.demand() > Demand.FLOOR) {
                newcomer.passSecond();
            }
            // The rules may come just after a reading, and the look at them just before the next; then, up to a second later,
            // we ask.
            assertTrue(newcomer.time <= newcomer.installed + 2 * period + 2.1, "seed " + seed + ": " + newcomer.time + " s");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0.002", "1, 0.05", "1, 0.2", "1, 0.5", "5, 0.05", "5, 0.5"})
    void oneInSlowStartIsNotTakenForSilent(double period, double roundTrip) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Newcomer newcomer = new Newcomer(seed, period, time -> slowStart(time, roundTrip));
            while (newcomer.time < 4 * period) {
                newcomer.passSecond();
                assertTrue(newcomer.demand() > Demand.FLOOR, "seed " + seed + ": " + newcomer.time + " s");
            }
            for (int second = 0; second < 4 * period; second++) {
                newcomer.passSecond();
            }
            assertEquals(Double.POSITIVE_INFINITY, newcomer.demand(), "seed " + seed);
        }
    }

    /** Bit/s of a sender that begins with ten segments and doubles them at every round trip. */
    private static double slowStart(double time, double roundTrip) {
        return Math.min(LINK, 10 * 1460 * 8 * Math.pow(2, Math.floor(time / roundTrip)) / roundTrip);
    }

    private final class Newcomer {
        private final Random random;
        private final DoubleUnaryOperator rate;
        private final double period;
        private final double installed;
        private final Connection connection;
        private double time;
        private double nextLook;

        private Newcomer(long seed, double period, DoubleUnaryOperator rate) {
            this.random = new Random(seed);
            this.period = period;
            this.rate = rate;
            this.installed = random.nextDouble();
            this.nextLook = random.nextDouble();
            this.connection = stage.openAnother("newcomer" + seed, 2000);
            FiveTuple tuple = connection.first().tuple();
            rules.clear();
            rules.add(new Rule(tuple, connection.first().ingress(), this, 1));
            rules.add(new Rule(tuple.reversed(), connection.first().egress(), this, 0.02));
        }

        private void passSecond() {
            for (int step = 0; step < 1 / STEP; step++) {
                double bytes = rate.applyAsDouble(time) * STEP / 8;
                time += STEP;
                rules.forEach(rule -> rule.step(time, bytes));
                if (time >= nextLook) {
                    nextLook += 1;
                    told.clear();
                    rules.forEach(rule -> rule.tell(told));
                    meter.sample(List.of(connection), told.own().read());
                    stage.demands.update(stage.store.get(connection.id()).get(), meter.measurement(connection.id()),
                                         meter.newestSampleMillis(connection.id()), meter.isCounted(connection),
                                         link -> false);
                    stage.share();
                }
            }
        }

        private double demand() {
            return stage.demands.of(connection.id()).up();
        }
    }

    /** The rule at one end of a subflow, in its switch and as ONOS knows it. */
    private static final class Rule {
        private static final double FLUSH = 0.5;
        private static final long BEGUN = 1_000_000;

        private final FiveTuple tuple;
        private final ConnectPoint port;
        private final Newcomer newcomer;
        private final double part;
        private double counted;
        private double flushed;
        private double nextFlush;
        private double nextReading;
        private long readMillis = BEGUN;
        private long readBytes;
        private FlowEntryState state = FlowEntryState.PENDING_ADD;

        private Rule(FiveTuple tuple, ConnectPoint port, Newcomer newcomer, double part) {
            this.tuple = tuple;
            this.port = port;
            this.newcomer = newcomer;
            this.part = part;
            this.nextFlush = newcomer.random.nextDouble() * FLUSH;
            this.nextReading = newcomer.random.nextDouble() * newcomer.period;
        }

        private void step(double time, double bytes) {
            boolean isThere = time >= newcomer.installed;
            counted += isThere ? part * bytes : 0;
            if (time >= nextFlush) {
                flushed = counted;
                nextFlush += FLUSH;
            }
            if (time >= nextReading) {
                nextReading += newcomer.period;
                if (isThere) {
                    state = FlowEntryState.ADDED;
                    readMillis = BEGUN + Math.round(time * 1000);
                    readBytes = Math.round(flushed);
                }
            }
        }

        private void tell(ToldRules told) {
            told.state = state;
            told.tell(tuple, port, readMillis, readBytes / 100, readBytes);
        }
    }
}
