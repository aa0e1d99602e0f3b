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
    private static final double PEERS_ACCURACY = 1e-3;

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

    /** Which peer, by its name in {@link ProportionalPeer.Library}. */
    @Param("CLARABEL")
    public String library;

    private final Allocator allocator = Allocators.byName("proportional");
    private final List<SharingProblem> problems = new ArrayList<>();
    private int next;
    /** Null if ours is measured. */
    private ProportionalPeer peer;
    private boolean hasAnswered;

    /** Draws the connections. */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            problems.add(MaxMinShares.drawn(connections, uneven, seed));
        }
        if (MaxMinShares.isPeer(benchmark)) {
            peer = ProportionalPeer.Library.valueOf(library).start();
            problems.forEach(peer::add);
        } else {
            MaxMinShares.warmUp(this::ours);
        }
    }

    /**
     * Our Σ log(rate) must lie between the peer's and the peer's upper bound, which are no further apart than the peer is asked
     * to be exact. The peer takes too long to answer twice.
     */
    @TearDown(Level.Invocation)
    public void check() {
        if (!hasAnswered) {
            return;
        }
        hasAnswered = false;
        ProportionalPeer.Answer answer = peer.answer();
        double ours = Arrays.stream(allocator.allocate(problems.get(next)).totals())
                .map(total -> Math.log(total / MEGABIT)).sum();
        Disagreement.unless(answer.reached() <= ours + ROUNDING * connections
                        && ours <= answer.limit() + answer.exactness() * connections,
                "our sum of logarithms is " + ours + ", not between " + answer.reached() + " and " + answer.limit());
        Disagreement.unless(ours - answer.reached() <= PEERS_ACCURACY * connections,
                "the peer's sum of logarithms is " + answer.reached() + ", ours " + ours);
    }

    /** Ends the peer's program. */
    @TearDown(Level.Trial)
    public void close() {
        if (peer != null) {
            peer.close();
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return allocator.allocate(problem());
    }

    /** Runs the peer; returns its upper bound. */
    @Benchmark
    public double peer() {
        problem();
        hasAnswered = true;
        return peer.solve(next);
    }

    private SharingProblem problem() {
        next = (next + 1) % problems.size();
        return problems.get(next);
    }
}
