// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Proportionally fair shares from scratch, three subflows for each connection, on a fat tree with k = 8. The peer is less
 * exact: it may stop 0.1 % below the optimum in the geometric mean, where ours goes on to 10⁻⁶ and less.
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

    private final Allocator allocator = Allocators.byName("proportional");
    private SharingProblem problem;

    /** Draws the connections; what ours reaches must lie between what the peer reaches and what it proves to be the limit. */
    @Setup
    public void prepare() {
        problem = new FatTreeConnections(MaxMinShares.PORTS, connections, MaxMinShares.SUBFLOWS, MaxMinShares.SEED)
                .first(connections);
        double ours = Arrays.stream(allocator.allocate(problem).totals()).map(total -> Math.log(total / MEGABIT)).sum();
        GlopTangents.Answer peer = GlopTangents.solve(problem);
        double rounding = ROUNDING * connections;
        Disagreement.unless(peer.reached() <= ours + rounding && ours <= peer.limit() + rounding,
                "ours reaches " + ours + ", which is not between " + peer.reached() + " and " + peer.limit());
    }

    /** Ours. */
    @Benchmark
    public Allocation ours() {
        return allocator.allocate(problem);
    }

    /** Linear programs with more and more tangents to the logarithm. */
    @Benchmark
    public GlopTangents.Answer peer() {
        return GlopTangents.solve(problem);
    }
}
