// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathSet;

/** Means over answers of one strategy. A path's throughput is its bottleneck. Rates are in Mbit/s. */
final class PathStatistics {
    private static final double MEGABIT = 1e6;
    private static final double CONFIDENCE_95 = 1.96;
    /** Bound on rounding errors of a sum, in Mbit/s. */
    private static final double ROUNDING = 1e-6;

    private int answers;
    private double paths;
    private double widest;
    private double mean;
    private double narrowest;
    private double throughput;
    private double throughputSquared;
    private double hops;
    private int aboveOther;
    private int belowOther;
    private final List<Integer> sizes = new ArrayList<>();
    private final Map<Measure, List<Double>> values = new EnumMap<>(Measure.class);

    /** What two strategies are compared in. */
    enum Measure {
        /** Sum of the bottlenecks of the distinct paths, in Mbit/s. */
        THROUGHPUT,
        /** Bottleneck of the narrowest path, in Mbit/s. */
        MIN,
        /** Mean of the bottlenecks, in Mbit/s. */
        MEAN,
        /** Bottleneck of the widest path less that of the narrowest, in Mbit/s. */
        SPREAD,
        /** Mean number of links of the paths. */
        HOPS
    }

    /**
     * Adds an answer.
     *
     * @param answer at least one path
     * @param other  another strategy's answer to the same request, to compare throughputs
     */
    void add(PathSet answer, PathSet other) {
        double max = 0;
        for (Path path : answer) {
            max = Math.max(max, path.residual());
        }
        answers++;
        paths += answer.size();
        sizes.add(answer.size());
        widest += max / MEGABIT;
        mean += answer.sumResidual() / answer.size() / MEGABIT;
        narrowest += answer.minResidual() / MEGABIT;
        hops += (double) answer.hops() / answer.size();
        double sum = throughput(answer);
        throughput += sum;
        keep(Measure.THROUGHPUT, sum);
        keep(Measure.MIN, answer.minResidual() / MEGABIT);
        keep(Measure.MEAN, answer.sumResidual() / answer.size() / MEGABIT);
        keep(Measure.SPREAD, (max - answer.minResidual()) / MEGABIT);
        keep(Measure.HOPS, (double) answer.hops() / answer.size());
        throughputSquared += sum * sum;
        double lead = sum - throughput(other);
        aboveOther += lead > ROUNDING ? 1 : 0;
        belowOther += lead < -ROUNDING ? 1 : 0;
    }

    private void keep(Measure measure, double value) {
        values.computeIfAbsent(measure, key -> new ArrayList<>()).add(value);
    }

    /** By how much this strategy is above another one that has answered the same requests. */
    Gain over(PathStatistics other, Measure measure) {
        return Gain.of(values.get(measure), other.values.get(measure));
    }

    /** The same over the requests to which both have found as many paths; 0 with an unknown error if there is none. */
    Gain overWithAsMany(PathStatistics other, Measure measure) {
        int[] asMany = IntStream.range(0, answers).filter(i -> sizes.get(i).equals(other.sizes.get(i))).toArray();
        return Gain.of(chosen(values.get(measure), asMany), chosen(other.values.get(measure), asMany));
    }

    /** To how many requests both have found as many paths. */
    int withAsMany(PathStatistics other) {
        return (int) IntStream.range(0, answers).filter(i -> sizes.get(i).equals(other.sizes.get(i))).count();
    }

    private static List<Double> chosen(List<Double> all, int[] indices) {
        return Arrays.stream(indices).mapToObj(all::get).collect(Collectors.toList());
    }

    /** The throughput of a connection: the sum of the bottlenecks of its distinct paths. */
    static double throughput(PathSet answer) {
        return answer.paths().stream().distinct().mapToDouble(Path::residual).sum() / MEGABIT;
    }

    int answers() {
        return answers;
    }

    double paths() {
        return paths / answers;
    }

    double widest() {
        return widest / answers;
    }

    double mean() {
        return mean / answers;
    }

    double narrowest() {
        return narrowest / answers;
    }

    double throughput() {
        return throughput / answers;
    }

    /** Half the width of the 95 % confidence interval of the throughput. */
    double throughputConfidence() {
        double variance = Math.max(0, throughputSquared / answers - throughput() * throughput());
        return CONFIDENCE_95 * Math.sqrt(variance / answers);
    }

    double hops() {
        return hops / answers;
    }

    /** Part of the answers with more throughput than the other strategy's. */
    double aboveOther() {
        return (double) aboveOther / answers;
    }

    /** Part of the answers with less throughput than the other strategy's. */
    double belowOther() {
        return (double) belowOther / answers;
    }
}
