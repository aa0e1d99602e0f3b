// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.List;

/**
 * By how much the mean of one strategy is above that of another, over the same requests.
 *
 * @param part  0.08 for 8 %
 * @param error half the width of its 95 % confidence interval. The requests are paired: the variance is that of what one has
 *              more than its part of the other (the ratio estimator)
 */
record Gain(double part, double error) {
    private static final double CONFIDENCE_95 = 1.96;

    /**
     * Compares two lists of the same requests' values.
     *
     * @param ours  values of one strategy
     * @param other values of the other, as many, with a sum above 0
     */
    static Gain of(List<Double> ours, List<Double> other) {
        int count = ours.size();
        double sum = ours.stream().mapToDouble(Double::doubleValue).sum();
        double otherSum = other.stream().mapToDouble(Double::doubleValue).sum();
        if (otherSum == 0) {
            return new Gain(0, Double.NaN);
        }
        double ratio = sum / otherSum;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double more = ours.get(i) - ratio * other.get(i);
            squares += more * more;
        }
        double deviation = Math.sqrt(squares / Math.max(1, count - 1));
        return new Gain(ratio - 1, CONFIDENCE_95 * deviation * Math.sqrt(count) / otherSum);
    }
}
