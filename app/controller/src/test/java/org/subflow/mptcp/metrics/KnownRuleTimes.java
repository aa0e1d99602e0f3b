// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.metrics;

import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService;

/** Waits that a test has set. */
public final class KnownRuleTimes implements RuleTimesService {
    private static final DurationHistogram NONE =
            new DurationHistogram(new double[] {Double.POSITIVE_INFINITY}, new long[] {0}, 0);

    final Set<Listener> listeners = new LinkedHashSet<>();
    private final Map<Wait, DurationHistogram> histograms = new EnumMap<>(Wait.class);

    /** Sets what has been waited for, for each of the given reasons. */
    public KnownRuleTimes with(DurationHistogram histogram, Wait... waits) {
        for (Wait wait : waits) {
            histograms.put(wait, histogram);
        }
        return this;
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return histograms.getOrDefault(wait, NONE);
    }

    @Override
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }
}
