// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.Collection;
import java.util.List;

/**
 * Limits to the delay of a connection's paths. MPTCP hands data over in order. So a path with a much longer delay than its
 * siblings' may cost a connection more than it adds. Immutable.
 */
public final class PathLimits {
    /** No limit. */
    public static final PathLimits NONE = new PathLimits(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /**
     * The largest difference of delays between two paths of a connection in milliseconds, unless something else is asked. Of the
     * distances that {@code ./lab bench spread} measures, it is the largest at which the far path is no loss.
     */
    public static final int DEFAULT_SPREAD_MILLIS = 20;

    /** Sums of delays are compared up to this relative error. */
    private static final double ROUNDING = 1e-9;

    private final double maxDelay;
    private final double maxSpread;

    private PathLimits(double maxDelay, double maxSpread) {
        this.maxDelay = maxDelay;
        this.maxSpread = maxSpread;
    }

    /**
     * Makes limits.
     *
     * @param maxDelayMillis  the longest delay of a path in milliseconds, 0 or more; positive infinity for no limit
     * @param maxSpreadMillis the largest difference of delays between two paths of a connection in milliseconds, 0 or more;
     *                        positive infinity for no limit
     * @throws IllegalArgumentException if one of them is negative or not a number
     */
    public static PathLimits of(double maxDelayMillis, double maxSpreadMillis) {
        if (!(maxDelayMillis >= 0 && maxSpreadMillis >= 0)) {
            throw new IllegalArgumentException("a delay of paths and its spread are 0 or more milliseconds, not "
                    + maxDelayMillis + " and " + maxSpreadMillis);
        }
        return new PathLimits(maxDelayMillis, maxSpreadMillis);
    }

    /** Returns the longest delay of a path in milliseconds; positive infinity for no limit. */
    public double maxDelayMillis() {
        return maxDelay;
    }

    /** Says whether there is no limit. */
    public boolean isNone() {
        return maxDelay == Double.POSITIVE_INFINITY && maxSpread == Double.POSITIVE_INFINITY;
    }

    /**
     * Counts what is beyond the limits.
     *
     * @param paths the paths of a connection's active subflows; not null
     * @return how many of them are too long, and how many pairs of them too far from each other; 0 if they keep to the limits
     */
    public int excess(List<Path> paths) {
        int excess = 0;
        for (int i = 0; i < paths.size(); i++) {
            double millis = paths.get(i).delayMillis();
            excess += admitsDelay(millis) ? 0 : 1;
            for (int j = 0; j < i; j++) {
                excess += admitsBoth(millis, paths.get(j).delayMillis()) ? 0 : 1;
            }
        }
        return excess;
    }

    /** Says whether a path of this delay in milliseconds is within the limit for one. */
    public boolean admitsDelay(double millis) {
        return millis <= maxDelay * (1 + ROUNDING);
    }

    /** Says whether a connection may have two paths of these delays in milliseconds. */
    public boolean admitsBoth(double millis, double other) {
        return Math.abs(millis - other) <= maxSpread + ROUNDING * Math.max(millis, other);
    }

    /** Says whether a path is within the limits beside others. */
    public boolean admits(Path path, Collection<Path> others) {
        for (Path other : others) {
            if (!admitsBoth(path.delayMillis(), other.delayMillis())) {
                return false;
            }
        }
        return admitsDelay(path.delayMillis());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PathLimits && maxDelay == ((PathLimits) other).maxDelay
                && maxSpread == ((PathLimits) other).maxSpread;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(maxDelay) * 31 + Double.hashCode(maxSpread);
    }

    @Override
    public String toString() {
        return "delay up to " + maxDelay + " ms, spread up to " + maxSpread + " ms";
    }
}
