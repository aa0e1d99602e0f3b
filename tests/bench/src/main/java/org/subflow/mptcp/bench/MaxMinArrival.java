// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Max-min fair shares after one more connection has arrived. Ours starts from its last answer, or from scratch. The peer starts
 * from scratch, which is faster than what its library has for this ({@link LpWaterFilling}). Each seed has its own connections
 * and arrival.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxMinArrival {
    /** Number of connections before the arrival. */
    @Param("1000")
    public int connections;

    /** Number of draws. */
    @Param("1")
    public int seeds;

    /** Seed of the first draw; the others follow it. */
    @Param("1")
    public int firstSeed;

    /** Whether ours starts from its last answer. */
    @Param("true")
    public boolean warm;

    private final Allocator allocator = Allocators.byName("max-min");
    private final List<SharingProblem> before = new ArrayList<>();
    private final List<SharingProblem> after = new ArrayList<>();
    private AllocationSession session;
    private int next;

    /** Draws the connections, and compares the answers of all seeds where the peer is measured. */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            FatTreeConnections drawn = new FatTreeConnections(MaxMinShares.PORTS, connections + 1, MaxMinShares.SUBFLOWS, seed);
            before.add(drawn.first(connections));
            after.add(drawn.first(connections + 1));
        }
        for (int seed = 0; seed < seeds && MaxMinShares.isPeer(benchmark); seed++) {
            settle();
            MaxMinShares.checkSame(ours(), peer());
        }
        if (!MaxMinShares.isPeer(benchmark)) {
            MaxMinShares.warmUp(() -> {
                settle();
                ours();
            });
        }
    }

    /** Starts a session and has it compute the shares before the arrival, outside the measured time. */
    @Setup(Level.Invocation)
    public void settle() {
        next = (next + 1) % seeds;
        if (warm) {
            session = allocator.session();
            session.allocate(before.get(next));
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return warm ? session.allocate(after.get(next)) : allocator.allocate(after.get(next));
    }

    /** Runs the peer. */
    @Benchmark
    public double[] peer() {
        return LpWaterFilling.totals(after.get(next));
    }
}
