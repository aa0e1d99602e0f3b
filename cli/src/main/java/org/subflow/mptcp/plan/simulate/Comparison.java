// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The runs of all seeds beside each other. Means have the half-width of their 95 % confidence interval, by Student's distribution.
 * Ratios are those of runs with the same seed, so with the same connections: they vary less than the times themselves.
 */
final class Comparison {
    /** Student's 97.5 % quantile of 1 to 9 degrees of freedom. */
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262};
    private static final double NORMAL = 1.96;

    private final Map<String, List<Integer>> groups = new LinkedHashMap<>();
    private final List<RunKey> keys;
    private final List<Summary> summaries;

    Comparison(List<RunKey> keys, List<Summary> summaries) {
        this.keys = keys;
        this.summaries = summaries;
        for (int run = 0; run < keys.size(); run++) {
            groups.computeIfAbsent(keys.get(run).group(), group -> new ArrayList<>()).add(run);
        }
    }

    /** Returns the groups in order, each with one run at least. */
    List<RunKey> groups() {
        List<RunKey> first = new ArrayList<>();
        groups.values().forEach(runs -> first.add(keys.get(runs.get(0))));
        return first;
    }

    /** Returns mean and half-width of a figure of a group. */
    double[] figure(RunKey group, String name) {
        return interval(groups.get(group.group()).stream().mapToDouble(run -> summaries.get(run).figures.get(name)).toArray());
    }

    /** Returns mean and half-width of a figure's ratio to that of the first group, seed by seed. */
    double[] ratio(RunKey group, String name) {
        Map<Long, Double> first = new LinkedHashMap<>();
        groups.get(keys.get(0).group()).forEach(run -> first.put(keys.get(run).seed, summaries.get(run).figures.get(name)));
        return interval(groups.get(group.group()).stream().filter(run -> first.containsKey(keys.get(run).seed))
                .mapToDouble(run -> summaries.get(run).figures.get(name) / first.get(keys.get(run).seed)).toArray());
    }

    /** Returns the mean and half its 95 % confidence interval; of one value the latter is not a number. */
    static double[] interval(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        double mean = sum / values.length;
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        int freedom = values.length - 1;
        double quantile = freedom < 1 ? Double.NaN : freedom <= STUDENT.length ? STUDENT[freedom - 1]
                : NORMAL + (NORMAL * NORMAL * NORMAL + NORMAL) / (4 * freedom);
        return new double[] {mean, quantile * Math.sqrt(squares / Math.max(1, freedom) / values.length)};
    }
}
