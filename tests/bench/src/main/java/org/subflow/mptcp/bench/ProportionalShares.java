// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Proportionally fair shares from scratch, three subflows for each connection, on a fat tree with k = 8. The peer is less
 * exact: it may stop 0.1 % below the optimum in the geometric mean, while ours is exact to 10⁻⁶ or better.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ProportionalShares {
    private static final double MEGABIT = 1e6;
    private static final double ROUNDING = 1e-6;

    /** Number of connections. */
    @Param("1000")
    public int connections;

    /** Number of draws. */
    @Param("1")
    public int seeds;

    /** Seed of the first draw; the others follow it. */
    @Param("1")
    public int firstSeed;

    /** Whether links have capacities of their own. */
    @Param("false")
    public boolean uneven;

    private final Allocator allocator = Allocators.byName("proportional");
    private final List<SharingProblem> problems = new ArrayList<>();
    private int next;
    /** The peer's last one; null if it has been compared. */
    private LpTangents.Answer answer;

    /** Draws the connections. */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            problems.add(MaxMinShares.drawn(connections, uneven, seed));
        }
        if (!MaxMinShares.isPeer(benchmark)) {
            MaxMinShares.warmUp(this::ours);
        }
    }

    /** Our Σ log(rate) must lie between the peer's and the peer's upper bound. The peer takes too long to answer twice. */
    @TearDown(Level.Invocation)
    public void check() {
        LpTangents.Answer peer = answer;
        answer = null;
        if (peer == null) {
            return;
        }
        double ours = Arrays.stream(allocator.allocate(problems.get(next)).totals())
                .map(total -> Math.log(total / MEGABIT)).sum();
        double rounding = ROUNDING * connections;
        Disagreement.unless(peer.reached() <= ours + rounding && ours <= peer.limit() + rounding,
                "our sum of logarithms is " + ours + ", not between " + peer.reached() + " and " + peer.limit());
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return allocator.allocate(problem());
    }

    /** Runs the peer: linear programs with more and more tangents to the logarithm. */
    @Benchmark
    public LpTangents.Answer peer() {
        answer = LpTangents.solve(problem());
        return answer;
    }

    private SharingProblem problem() {
        next = (next + 1) % problems.size();
        return problems.get(next);
    }
}
