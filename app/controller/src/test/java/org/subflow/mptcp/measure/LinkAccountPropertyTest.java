// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.onosproject.net.Link;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.PortCounter;

/** Whatever switches tell of their counters, other traffic is not negative, and not more than a link has carried. */
class LinkAccountPropertyTest {
    private static final double[] WINDOWS = {3, 10};
    private static final double ROUNDING = 1e-6;

    /** What a switch tells at once: its port, and two rules; a rule may be missing, or be read again without being newer. */
    static final class Reading {
        private final long millis;
        private final long port;
        private final Long[] rules;

        Reading(long millis, long port, Long one, Long other) {
            this.millis = millis;
            this.port = port;
            this.rules = new Long[] {one, other};
        }

        @Override
        public String toString() {
            return "+" + millis + " ms: " + port + " " + rules[0] + " " + rules[1];
        }
    }

    @Provide
    Arbitrary<List<Reading>> anything() {
        Arbitrary<Long> counter = Arbitraries.oneOf(Arbitraries.longs().between(0, 5_000_000),
                                                    Arbitraries.longs().between(0, Long.MAX_VALUE));
        return Combinators.combine(Arbitraries.longs().between(0, 3000), counter, counter.injectNull(0.1),
                                   counter.injectNull(0.3))
                .as(Reading::new).list().ofMinSize(5).ofMaxSize(60);
    }

    @Provide
    Arbitrary<List<Reading>> growing() {
        Arbitrary<Long> more = Arbitraries.longs().between(0, 2_000_000);
        return Combinators.combine(Arbitraries.longs().between(200, 2000), more, more.injectNull(0.05),
                                   more.injectNull(0.05))
                .as(Reading::new).list().ofMinSize(5).ofMaxSize(60)
                .map(LinkAccountPropertyTest::sums);
    }

    /** Counters that grow by these amounts, and now and then begin at nothing again, as after a restart of the switch. */
    private static List<Reading> sums(List<Reading> amounts) {
        List<Reading> readings = new ArrayList<>();
        long[] sums = new long[3];
        for (Reading by : amounts) {
            boolean restarts = by.port % 29 == 0;
            for (int i = 0; i < sums.length; i++) {
                Long amount = i == 0 ? Long.valueOf(by.port) : by.rules[i - 1];
                sums[i] = (restarts ? 0 : sums[i]) + (amount == null ? 0 : amount);
            }
            readings.add(new Reading(by.millis, sums[0], by.rules[0] == null ? null : sums[1],
                                     by.rules[1] == null ? null : sums[2]));
        }
        return readings;
    }

    @Property(tries = 500)
    void oddCountersMakeNoOddRates(@ForAll("anything") List<Reading> readings) {
        assertNothingIsOdd(readings);
    }

    @Property(tries = 500)
    void norDoGrowingOnesThatBeginAnew(@ForAll("growing") List<Reading> readings) {
        assertNothingIsOdd(readings);
    }

    private static void assertNothingIsOdd(List<Reading> readings) {
        LinkAccount account = new LinkAccount();
        Rules rules = new Rules();
        OtherTraffic others = new OtherTraffic(link -> 0);
        Link link = Nets.link(1, 2);
        long millis = 1;
        double fastest = 0;
        PortCounter before = null;
        for (Reading reading : readings) {
            millis += reading.millis;
            PortCounter port = new PortCounter(millis, reading.port);
            if (before != null && port.millis > before.millis) {
                double bits = Math.max(0, port.bytes - before.bytes) * 8.0;
                fastest = Math.max(fastest, bits * 1000 / (port.millis - before.millis));
            }
            before = before == null || port.millis > before.millis ? port : before;
            account.read(port);
            account.settle(rules.after(millis, reading));
            for (double window : WINDOWS) {
                double most = fastest * (1 + ROUNDING);
                account.over(window).ifPresent(estimate -> {
                    assertTrue(estimate.rate >= 0 && estimate.rate <= most, () -> estimate.rate + " of " + most);
                    assertTrue(estimate.error >= 0 && estimate.error < Double.POSITIVE_INFINITY);
                });
            }
            others.update(Nets.diamond(), List.of(), (connection, subflow, alongSyn) -> null,
                          each -> each.equals(link) ? Optional.of(port) : Optional.empty());
            assertTrue(others.on(link) >= 0 && others.on(link) <= Nets.CAPACITY, () -> "told: " + others.on(link));
        }
    }

    @Property(tries = 200)
    void afterARestartItIsRightAgain(@ForAll @IntRange(min = 0, max = 8) int ours,
                                     @ForAll @IntRange(min = 0, max = 2) int theirs,
                                     @ForAll @IntRange(min = 5, max = 30) int restartSecond,
                                     @ForAll @Size(40) List<@IntRange(min = 0, max = 300) Integer> late) {
        LinkAccount account = new LinkAccount();
        Rules rules = new Rules();
        for (int second = 1; second <= 40; second++) {
            double since = second <= restartSecond ? second : second - restartSecond;
            long millis = second * 1000L + late.get(second - 1);
            double seconds = since + late.get(second - 1) / 1000.0;
            account.read(new PortCounter(millis, Math.round((ours + theirs) * 1e6 / 8 * seconds)));
            account.settle(rules.after(millis, new Reading(0, 0, Math.round(ours * 1e6 / 8 * seconds), 0L)));
            account.over(3).ifPresent(estimate -> assertEquals(theirs * 1e6, estimate.rate, estimate.error + 1000));
        }
        assertTrue(account.over(3).isPresent());
    }

    /** The last two readings of each rule, as {@link Meter} keeps them. */
    private static final class Rules {
        private final Map<Object, Long> millisBefore = new HashMap<>();
        private final Map<Object, Long> bytesBefore = new HashMap<>();
        private final Map<Object, CounterSpan> spans = new HashMap<>();

        private Map<Object, CounterSpan> after(long millis, Reading reading) {
            Map<Object, CounterSpan> now = new HashMap<>();
            for (int i = 0; i < reading.rules.length; i++) {
                if (reading.rules[i] != null) {
                    read(i, millis, reading.rules[i]);
                    now.put(i, spans.get(i));
                }
            }
            return now;
        }

        private void read(Object rule, long millis, long bytes) {
            Long since = millisBefore.get(rule);
            if (since != null && millis <= since) {
                return;
            }
            boolean grows = since != null && bytes >= bytesBefore.get(rule);
            spans.put(rule, grows ? new CounterSpan(since, bytesBefore.get(rule), millis, bytes) : null);
            millisBefore.put(rule, millis);
            bytesBefore.put(rule, bytes);
        }
    }
}
