// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

/**
 * The line of least squares through log(time) against log(size).
 *
 * @param exponent by which the time grows: twice the size takes 2^exponent times as long
 * @param error    half the width of the exponent's 95 % confidence interval; not a number for two points
 */
record LogLogLine(double exponent, double error) {
    /** The 97.5 % quantile of Student's t for 1, 2 and so on degrees of freedom. */
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};

    /**
     * Fits the line.
     *
     * @param sizes above 0, not all the same
     * @param times above 0, as many as sizes: from 2 to 12
     */
    static LogLogLine through(double[] sizes, double[] times) {
        int count = sizes.length;
        double meanX = 0;
        double meanY = 0;
        for (int i = 0; i < count; i++) {
            meanX += Math.log(sizes[i]) / count;
            meanY += Math.log(times[i]) / count;
        }
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < count; i++) {
            double x = Math.log(sizes[i]) - meanX;
            double y = Math.log(times[i]) - meanY;
            xx += x * x;
            xy += x * y;
            yy += y * y;
        }
        double exponent = xy / xx;
        int freedom = count - 2;
        double error = freedom == 0 ? Double.NaN
                : STUDENT[freedom - 1] * Math.sqrt(Math.max(0, yy - exponent * xy) / freedom / xx);
        return new LogLogLine(exponent, error);
    }
}
