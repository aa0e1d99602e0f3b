// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.Map;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Time and memory of one method of a benchmark.
 *
 * @param micros time of an operation, in µs: the median of the iterations' means, because other work on the machine may slow
 *               one of them
 * @param error  half the width of the 99.9 % confidence interval of the iterations' mean, in µs; not a number for one
 *               iteration
 * @param bytes  allocated per operation, in octets
 */
public record Score(double micros, double error, double bytes) {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    static Score of(RunResult result) {
        Result<?> time = result.getPrimaryResult();
        return new Score(time.getStatistics().getPercentile(50), time.getScoreError(), allocated(result.getSecondaryResults()));
    }

    @SuppressWarnings("rawtypes")
    private static double allocated(Map<String, Result> secondary) {
        // JMH puts a dot before the names of its own profilers' results in some versions.
        return secondary.entrySet().stream().filter(entry -> entry.getKey().endsWith(ALLOCATED))
                .mapToDouble(entry -> entry.getValue().getScore()).findFirst().orElse(Double.NaN);
    }
}
