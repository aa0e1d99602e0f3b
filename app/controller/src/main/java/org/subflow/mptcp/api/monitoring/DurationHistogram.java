// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkArgument;

/** How often a duration has fallen into each of several buckets since the application started. Immutable. */
public final class DurationHistogram {
    private final double[] bounds;
    private final long[] counts;
    private final double sum;

    /**
     * Makes a histogram.
     *
     * @param bounds the largest duration of each bucket, seconds, ascending; the last one is infinite
     * @param counts how many durations are in each bucket and in none before it; as many as bounds
     * @param sum    of all durations, seconds
     * @throws IllegalArgumentException if there is another number of counts than of bounds, or the last bound is finite
     */
    public DurationHistogram(double[] bounds, long[] counts, double sum) {
        checkArgument(bounds.length == counts.length, "%s bounds and %s counts", bounds.length, counts.length);
        checkArgument(bounds.length > 0 && bounds[bounds.length - 1] == Double.POSITIVE_INFINITY,
                      "the last bound must be infinite");
        this.bounds = bounds.clone();
        this.counts = counts.clone();
        this.sum = sum;
    }

    /** Returns the largest duration of each bucket, seconds, ascending; the last one is infinite. A copy. */
    public double[] bounds() {
        return bounds.clone();
    }

    /** Returns how many durations are in each bucket and in none before it. A copy. */
    public long[] counts() {
        return counts.clone();
    }

    /** Returns the sum of all durations, seconds. */
    public double sum() {
        return sum;
    }
}
