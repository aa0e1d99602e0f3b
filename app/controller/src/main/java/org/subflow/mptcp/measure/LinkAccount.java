// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.subflow.mptcp.topology.PortCounter;

/**
 * Measures other traffic on one directed link: the bytes that its port has sent less the bytes that our rules have counted,
 * at the same times.
 *
 * <p>Ports and rules are read at different times, so the counters of rules are interpolated to the time of a port reading.
 * A port reading waits until every rule has been read after it. Two errors remain: switches update the counters of rules
 * late, and packets wait in queues between rule and port. The sum may be wrong by the traffic of our subflows in {@link
 * #LAG_SECONDS}, and by half an interval of any change of their rate. A window divides this error by its length, and each
 * rate comes with the remaining uncertainty. Intervals are summed without clipping, so that errors of opposite sign cancel.
 *
 * <p>The account restarts if a subflow begins, if a sending subflow ends, or if a counter runs backwards. The bytes of that
 * subflow are unknown then, and port readings from before do not count. Used by the control loop only.
 */
final class LinkAccount {
    /**
     * Longest delay of the counters of rules against those of ports: Open vSwitch updates the former every half second, and
     * a queue of the testbed holds 0.12 s.
     */
    static final double LAG_SECONDS = 0.7;

    private static final double BITS_PER_BYTE = 8;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final int MOST_WAITING = 8;
    private static final int LEAST_INTERVALS = 3;
    private static final int INTERVALS = 2 * LEAST_INTERVALS - 1;
    private static final double MOST_SECONDS = 10;

    private final Deque<PortCounter> waiting = new ArrayDeque<>();
    private final List<Entry> entries = new ArrayList<>();
    private Map<Object, Rule> rulesBefore = Map.of();
    private PortCounter portBefore;
    private Set<Object> names = Set.of();
    private long newestMillis = Long.MIN_VALUE;

    /** Adds a reading of the port, if it is newer than the last one. */
    void read(PortCounter reading) {
        if (reading.millis <= newestMillis) {
            return;
        }
        newestMillis = reading.millis;
        waiting.addLast(reading);
        if (waiting.size() > MOST_WAITING) {
            // A rule without new readings blocks the account; drop the oldest port reading and restart.
            waiting.removeFirst();
            entries.clear();
        }
    }

    /**
     * Processes the port readings that lie between the last two readings of every rule.
     *
     * @param rules the counters of our subflows' rules on this link, by an arbitrary key; null for a rule with too few
     *              readings; must not change afterwards
     */
    void settle(Map<Object, CounterSpan> rules) {
        if (!entries.isEmpty() && isOtherTraffic(rules.keySet())) {
            waiting.clear();
            entries.clear();
        }
        names = Collections.unmodifiableSet(rules.keySet());
        while (!waiting.isEmpty()) {
            long millis = waiting.getFirst().millis;
            if (rules.values().stream().anyMatch(span -> span != null && span.toMillis < millis)) {
                return;
            }
            PortCounter reading = waiting.removeFirst();
            boolean known = rules.values().stream().allMatch(span -> span != null && span.fromMillis <= millis);
            if (known) {
                add(reading, rules);
            } else {
                entries.clear();
            }
        }
    }

    /** Returns whether other subflows send here than at the last call: one has begun, or one that sent has gone. */
    private boolean isOtherTraffic(Set<Object> now) {
        return !names.containsAll(now) || rulesBefore.entrySet().stream()
                .anyMatch(before -> before.getValue().grown != 0 && !now.contains(before.getKey()));
    }

    private void add(PortCounter reading, Map<Object, CounterSpan> spans) {
        Map<Object, Rule> rules = new HashMap<>();
        spans.forEach((name, span) -> rules.put(name, Rule.at(reading.millis, span, rulesBefore.get(name))));
        if (!entries.isEmpty() && goesOn(reading, rules)) {
            double ours = rules.values().stream().mapToDouble(rule -> rule.grown).sum() * BITS_PER_BYTE;
            double all = (reading.bytes - portBefore.bytes) * BITS_PER_BYTE;
            double seconds = (reading.millis - portBefore.millis) / MILLIS_PER_SECOND;
            double apart = spans.values().stream().mapToDouble(span -> span.millis() / MILLIS_PER_SECOND).max().orElse(0);
            entries.add(new Entry(reading.millis, last().surplus + all - ours, ours / seconds,
                                  Math.max(apart, seconds)));
        } else {
            entries.clear();
            entries.add(new Entry(reading.millis, 0, 0, 0));
        }
        rulesBefore = rules;
        portBefore = reading;
        forgetOld();
    }

    /** Returns whether a reading continues the account: no counter ran backwards, and only silent subflows have ended. */
    private boolean goesOn(PortCounter reading, Map<Object, Rule> rules) {
        return reading.bytes >= portBefore.bytes
                && rules.values().stream().allMatch(rule -> rule.grown >= 0)
                && rulesBefore.entrySet().stream()
                        .allMatch(before -> rules.containsKey(before.getKey()) || before.getValue().grown == 0);
    }

    private void forgetOld() {
        while (entries.size() > INTERVALS + 1 && seconds(entries.get(1), last()) >= MOST_SECONDS) {
            entries.remove(0);
        }
    }

    private Entry last() {
        return entries.get(entries.size() - 1);
    }

    private static double seconds(Entry from, Entry to) {
        return (to.millis - from.millis) / MILLIS_PER_SECOND;
    }

    /**
     * Estimates the rate of other traffic over the last seconds.
     *
     * <p>On a link without traffic of our subflows the estimate leaves out what shows in less than three intervals. What a
     * connection sends before it has paths is such a burst, and newcomers should not keep off it.
     *
     * @param seconds length of the window, at most {@link #MOST_SECONDS}; the window covers at least three intervals
     * @return the estimate; empty as long as the account is younger than the window
     */
    Optional<Estimate> over(double seconds) {
        double highest = 0;
        double lowest = Double.POSITIVE_INFINITY;
        double apart = 0;
        for (int first = entries.size() - 2; first >= 0; first--) {
            Entry later = entries.get(first + 1);
            highest = Math.max(highest, later.ours);
            lowest = Math.min(lowest, later.ours);
            apart = Math.max(apart, later.apart);
            double window = seconds(entries.get(first), last());
            if (window >= seconds && entries.size() - 1 - first >= LEAST_INTERVALS) {
                if (highest == 0) {
                    return Optional.of(new Estimate(withoutBursts(), 0));
                }
                double wrong = LAG_SECONDS * highest + (highest - lowest) * apart / 2;
                return Optional.of(new Estimate((last().surplus - entries.get(first).surplus) / window, wrong / window));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the rate of other traffic on a link without ours, bit/s: the median of the last five intervals. Of a younger
     * account, those before its begin count as silent.
     */
    private double withoutBursts() {
        List<Double> rates = new ArrayList<>();
        for (int later = entries.size() - 1; later > 0 && rates.size() < INTERVALS && entries.get(later).ours == 0; later--) {
            Entry from = entries.get(later - 1);
            Entry to = entries.get(later);
            rates.add((to.surplus - from.surplus) / seconds(from, to));
        }
        rates.sort(Comparator.reverseOrder());
        return rates.get(LEAST_INTERVALS - 1);
    }

    /** A rate with its uncertainty. Immutable. */
    static final class Estimate {
        /** The rate, bit/s, at least 0. */
        final double rate;
        /** The uncertainty, bit/s. */
        final double error;

        private Estimate(double rate, double error) {
            this.rate = Math.max(0, rate);
            this.error = error;
        }
    }

    /** The counter of one rule at the last port reading, and its growth since the one before. */
    private static final class Rule {
        private final double bytes;
        private final double grown;

        private Rule(double bytes, double grown) {
            this.bytes = bytes;
            this.grown = grown;
        }

        /** Returns the state of a rule; the growth is unknown (NaN) if the rule has no earlier state. */
        static Rule at(long millis, CounterSpan span, Rule before) {
            double bytes = span.bytesAt(millis);
            return new Rule(bytes, before == null ? Double.NaN : bytes - before.bytes);
        }
    }

    /** The account at one reading of the port. */
    private static final class Entry {
        private final long millis;
        private final double surplus;
        private final double ours;
        private final double apart;

        /**
         * Makes an entry.
         *
         * @param millis  time of the port reading
         * @param surplus other traffic on the link since the account began, bits; may be negative
         * @param ours    rate of our subflows since the last entry, bit/s
         * @param apart   time between readings, seconds
         */
        private Entry(long millis, double surplus, double ours, double apart) {
            this.millis = millis;
            this.surplus = surplus;
            this.ours = ours;
            this.apart = apart;
        }
    }
}
