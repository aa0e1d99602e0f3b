// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.farm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Quantiles of times. */
final class Quantiles {
    private Quantiles() {
    }

    /** {@return count, median, 99th percentile and worst, in milliseconds; null where there are none} */
    static Map<String, Object> of(List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        Map<String, Object> found = new LinkedHashMap<>();
        found.put("count", sorted.length);
        found.put("p50Millis", at(sorted, 0.5));
        found.put("p99Millis", at(sorted, 0.99));
        found.put("worstMillis", at(sorted, 1));
        return found;
    }

    /** The smallest value that so much of all does not exceed. */
    private static Double at(long[] sorted, double part) {
        return sorted.length == 0 ? null : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)] / 1e6;
    }
}
