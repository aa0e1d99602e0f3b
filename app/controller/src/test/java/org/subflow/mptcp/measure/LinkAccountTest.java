// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.subflow.mptcp.measure.LinkAccount.Estimate;
import org.subflow.mptcp.topology.PortCounter;

/**
 * The account of a link whose counters are read as real ones are: each at moments of its own, and those of the rules as the
 * switch added them up last, up to half a second ago.
 */
class LinkAccountTest {
    private static final double MBPS = 1e6;
    private static final double LINK = 10 * MBPS;

    private final LinkAccount account = new LinkAccount();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void oursAloneIsNeverTakenForOthers(long seed) {
        Counters counters = new Counters(seed, time -> LINK, time -> 0);
        int told = 0;
        for (int second = 1; second <= 60; second++) {
            counters.passSecond();
            for (double window : new double[] {3, 10}) {
                told += account.over(window).isPresent() ? 1 : 0;
                account.over(window).ifPresent(estimate -> assertWithin(0, estimate));
            }
        }
        assertTrue(told > 100, "nearly every second says something");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noChangeOfOursIsTakenForOthers(long seed) {
        // Up and down at any moment, as TCP does beside others.
        Random random = new Random(seed);
        double[] levels = random.doubles(200, 0, LINK).toArray();
        Counters counters = new Counters(seed, time -> levels[(int) (time / 1.7)], time -> 0);
        for (int second = 1; second <= 60; second++) {
            counters.passSecond();
            account.over(3).ifPresent(estimate -> assertWithin(0, estimate));
            account.over(10).ifPresent(estimate -> assertWithin(0, estimate));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 7", "2, 7", "3, 3", "4, 3", "5, 1", "6, 9"})
    void othersAreSeenForWhatTheyAre(long seed, double mbps) {
        Counters counters = new Counters(seed, time -> time < 20 ? LINK : LINK - mbps * MBPS,
                                         time -> time < 20 ? 0 : mbps * MBPS);
        counters.pass(25);
        Estimate soon = account.over(3).get();
        assertEquals(mbps * MBPS, soon.rate, soon.error + 2 * MBPS);
        counters.pass(10);
        assertWithin(mbps * MBPS, account.over(10).get());
        assertTrue(account.over(10).get().error < 0.1 * LINK, "and after a while it is sure of that");
        counters.pass(30);
        assertWithin(mbps * MBPS, account.over(3).get());
    }

    /** A newcomer's own packets before it has paths; its link is one of ours only later, if at all. */
    @ParameterizedTest
    @CsvSource({"1, 0.3", "2, 0.5", "3, 0.7", "4, 0.9"})
    void aBurstThatIsShorterThanAnIntervalIsLeftOut(long seed, double seconds) {
        Counters counters = new Counters(seed, null, time -> time >= 10.4 && time < 10.4 + seconds ? LINK : 0);
        for (int second = 1; second <= 20; second++) {
            counters.passSecond();
            account.over(3).ifPresent(estimate -> assertEquals(0, estimate.rate, 1000));
            account.over(10).ifPresent(estimate -> assertEquals(0, estimate.rate, 1000));
        }
    }

    @Test
    void aPauseOfASecondIsLeftOutToo() {
        Counters counters = new Counters(1, null, time -> time >= 10 && time < 11 ? 0 : 2 * MBPS);
        counters.pass(9);
        for (int second = 10; second <= 20; second++) {
            counters.passSecond();
            assertEquals(2 * MBPS, account.over(3).get().rate, 1000);
        }
    }

    @Test
    void withoutOursItIsExact() {
        Counters counters = new Counters(1, null, time -> 2 * MBPS);
        counters.pass(6);
        assertEquals(2 * MBPS, account.over(3).get().rate, 1000);
        assertEquals(0, account.over(3).get().error);
    }

    @Test
    void longIntervalsMakeLongWindows() {
        Counters counters = new Counters(4, time -> time % 7 < 3 ? LINK : 0, time -> 0);
        counters.seconds = 5;
        for (int i = 0; i < 30; i++) {
            counters.passSecond();
            account.over(3).ifPresent(estimate -> assertWithin(0, estimate));
        }
        assertTrue(account.over(3).isPresent());
    }

    @Test
    void aSubflowThatBeginsMakesItBeginAnew() {
        Counters counters = new Counters(1, time -> LINK, time -> 0);
        counters.pass(10);
        assertTrue(account.over(3).isPresent());

        // Its rule has not been read often enough, and the port has sent what no rule counted.
        counters.young = true;
        counters.passSecond();
        assertFalse(account.over(3).isPresent());
        counters.young = false;
        counters.pass(5);
        assertWithin(0, account.over(3).get());
    }

    @Test
    void aSubflowThatLeavesWhileItSendsMakesItBeginAnew() {
        Counters counters = new Counters(1, time -> time < 10 ? LINK : 0, time -> 0);
        counters.pass(10);
        counters.rate = null;
        counters.pass(2);
        assertFalse(account.over(3).isPresent());
        counters.pass(3);
        assertWithin(0, account.over(3).get());
    }

    @Test
    void aSubflowThatLeavesSilentlyIsNoMatter() {
        Counters counters = new Counters(1, time -> time < 5 ? LINK : 0, time -> 0);
        counters.pass(12);
        counters.rate = null;
        counters.pass(1);
        assertTrue(account.over(3).isPresent());
    }

    /** A port reading waits for the rules' next one; meanwhile the subflow moves to another link. */
    @Test
    void whatASubflowSentBeforeItLeftIsNoTrafficOfOthers() {
        long bytes = 0;
        for (long millis = 0; millis <= 20_000; millis += 5000) {
            account.read(new PortCounter(millis, bytes));
            CounterSpan span = new CounterSpan(millis - 7500, bytes - 9_375_000, millis + 2500, bytes + 3_125_000);
            account.settle(millis == 20_000 ? Map.of() : Map.of("subflow", span));
            bytes += 6_250_000;
        }
        // It left two seconds after the last reading.
        bytes -= 3_750_000;
        for (long millis = 25_000; millis <= 60_000; millis += 5000) {
            account.read(new PortCounter(millis, bytes));
            account.settle(Map.of());
            account.over(3).ifPresent(estimate -> assertWithin(0, estimate));
        }
        assertTrue(account.over(3).isPresent());
    }

    @Test
    void aRuleThatIsNotReadAnyMoreSaysNothing() {
        Counters counters = new Counters(1, time -> LINK, time -> 0);
        counters.pass(10);
        counters.stale = true;
        counters.pass(30);
        account.over(3).ifPresent(estimate -> assertWithin(0, estimate));
    }

    @Test
    void countersThatRunBackwardsMakeItBeginAnew() {
        Counters counters = new Counters(1, time -> LINK, time -> 0);
        counters.pass(10);
        counters.portOffset = -counters.sent;
        counters.pass(2);
        account.over(3).ifPresent(estimate -> assertWithin(0, estimate));

        counters.pass(10);
        counters.ruleOffset = -counters.counted;
        counters.pass(2);
        account.over(3).ifPresent(estimate -> assertWithin(0, estimate));
        counters.pass(14);
        assertWithin(0, account.over(10).get());
    }

    private static void assertWithin(double rate, Estimate estimate) {
        assertEquals(rate, estimate.rate, estimate.error + 1000);
    }

    /** A link's port and the rule of one subflow, driven by two rates over time, bit/s by second. */
    private final class Counters {
        private static final int STEPS = 100;
        private static final double FLUSH = 0.5;

        private final Random random;
        private final double portPhase;
        private final double rulePhase;
        private final DoubleUnaryOperator others;
        private DoubleUnaryOperator rate;
        private double seconds = 1;
        private boolean young;
        private boolean stale;
        private double portOffset;
        private double ruleOffset;
        private double time;
        private double sent;
        private double counted;
        private double flushed;
        private double nextFlush;
        private double nextPort;
        private double nextRule;
        private long ruleMillis;
        private long ruleBytes;
        private CounterSpan span;

        private Counters(long seed, DoubleUnaryOperator rate, DoubleUnaryOperator others) {
            this.random = new Random(seed);
            this.portPhase = random.nextDouble();
            this.rulePhase = random.nextDouble();
            this.rate = rate;
            this.others = others;
            this.nextPort = portPhase;
            this.nextRule = rulePhase;
        }

        private void pass(int count) {
            for (int i = 0; i < count; i++) {
                passSecond();
            }
        }

        private void passSecond() {
            for (int step = 0; step < STEPS; step++) {
                double ours = rate == null ? 0 : rate.applyAsDouble(time);
                time += 1.0 / STEPS;
                counted += ours / 8 / STEPS;
                sent += (ours + others.applyAsDouble(time)) / 8 / STEPS;
                if (time >= nextFlush) {
                    flushed = counted;
                    nextFlush = time + FLUSH * (0.5 + random.nextDouble() / 2);
                }
                if (time >= nextPort) {
                    nextPort += seconds;
                    account.read(new PortCounter(Math.round(time * 1000), Math.round(sent + portOffset)));
                }
                if (time >= nextRule && !stale) {
                    nextRule += seconds;
                    readRule(Math.round(time * 1000), Math.round(flushed + ruleOffset));
                }
            }
            Map<Object, CounterSpan> rules = new HashMap<>();
            if (rate != null) {
                rules.put("subflow", young ? null : span);
            }
            account.settle(rules);
        }

        private void readRule(long millis, long bytes) {
            span = ruleMillis == 0 || bytes < ruleBytes ? null : new CounterSpan(ruleMillis, ruleBytes, millis, bytes);
            ruleMillis = millis;
            ruleBytes = bytes;
        }
    }
}
