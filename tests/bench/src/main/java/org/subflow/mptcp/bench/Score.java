// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Time and memory of one method of a benchmark.
 *
 * @param micros  time of an operation, in µs: the median of the iterations' means, because other work on the machine may slow
 *                one of them
 * @param error   half the width of the 95 % confidence interval of the iterations' mean, in µs; not a number for one or two
 *                iterations
 * @param samples number of iterations, in all Java machines together
 * @param bytes   allocated per operation, in octets; not what a native library allocates
 */
public record Score(double micros, double error, long samples, double bytes) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final double CONFIDENCE = 0.95;

    /** Returns the score of all iterations together, in whichever Java machine. */
    static Score of(Collection<RunResult> results) {
        ListStatistics time = new ListStatistics();
        for (RunResult result : results) {
            result.getPrimaryResult().getStatistics().getRawData().forEachRemaining(entry -> {
                for (long i = 0; i < entry.getValue(); i++) {
                    time.addValue(entry.getKey());
                }
            });
        }
        return new Score(time.getPercentile(50), time.getMeanErrorAt(CONFIDENCE), time.getN(),
                results.stream().mapToDouble(result -> allocated(result.getSecondaryResults())).average().orElse(Double.NaN));
    }

    @SuppressWarnings("rawtypes")
    private static double allocated(Map<String, Result> secondary) {
        // JMH puts a dot before the names of its own profilers' results in some versions.
        return secondary.entrySet().stream().filter(entry -> entry.getKey().endsWith(ALLOCATED))
                .mapToDouble(entry -> entry.getValue().getScore()).findFirst().orElse(Double.NaN);
    }

    /** Returns the time with its interval and the number of iterations. */
    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.4g ± %.2g (n %d)", micros, error, samples);
    }

    /** Returns a number with four digits, as more would be noise; null if there is none. */
    static Double rounded(double value) {
        return Double.isFinite(value) ? Double.valueOf(String.format(Locale.ROOT, "%.4g", value)) : null;
    }
}
