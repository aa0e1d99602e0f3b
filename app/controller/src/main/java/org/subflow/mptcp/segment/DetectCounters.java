// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.subflow.mptcp.segment.option.MalformedReason;

/** Counts what the detection sees. Thread safe; one may serve several readers and trackers. */
public final class DetectCounters {
    private static final String MALFORMED = "malformed.";

    private final Map<Counter, LongAdder> counters = new EnumMap<>(Counter.class);
    private final Map<MalformedReason, LongAdder> malformed = new EnumMap<>(MalformedReason.class);

    /** Makes counters that all stand at 0. */
    public DetectCounters() {
        for (Counter counter : Counter.values()) {
            counters.put(counter, new LongAdder());
        }
        for (MalformedReason reason : MalformedReason.values()) {
            malformed.put(reason, new LongAdder());
        }
    }

    /** Adds one. */
    public void increment(Counter counter) {
        counters.get(counter).increment();
    }

    /** Adds one for each reason. */
    public void malformed(Collection<MalformedReason> reasons) {
        for (MalformedReason reason : reasons) {
            malformed.get(reason).increment();
        }
    }

    /** Returns the count so far. */
    public long get(Counter counter) {
        return counters.get(counter).sum();
    }

    /** Returns how many options were malformed for that reason. */
    public long get(MalformedReason reason) {
        return malformed.get(reason).sum();
    }

    /** Returns every counter by name, in a fixed order, also those at 0. */
    public Map<String, Long> snapshot() {
        Map<String, Long> snapshot = new LinkedHashMap<>();
        counters.forEach((counter, value) -> snapshot.put(counter.text(), value.sum()));
        malformed.forEach((reason, value) -> snapshot.put(name(reason), value.sum()));
        return snapshot;
    }

    private static String name(MalformedReason reason) {
        return MALFORMED + reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return snapshot().toString();
    }
}
