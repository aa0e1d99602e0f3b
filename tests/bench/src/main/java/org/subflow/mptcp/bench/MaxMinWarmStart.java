// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

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
 * Max-min fair shares of very many connections after one more has arrived. Ours is the session's warm start, the peer a cold
 * start of the same allocator. Linear programs would take minutes here.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxMinWarmStart {
    private static final double MEGABIT = 1e6;
    private static final double ACCURACY = 1e-6;

    /** Number of connections before the arrival. */
    @Param("10000")
    public int connections;

    /** Number of draws. */
    @Param("1")
    public int seeds;

    /** Seed of the first draw; the others follow it. */
    @Param("1")
    public int firstSeed;

    private final Allocator allocator = Allocators.byName("max-min");
    private SharingProblem after;
    private AllocationSession session;
    private long seed;

    /** Compares the answers after the arrival, connection by connection, where the peer is measured. */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        for (int i = 0; i < seeds && MaxMinShares.isPeer(benchmark); i++) {
            begin();
            Allocation warm = session.allocate(after);
            Allocation cold = allocator.allocate(after);
            for (int connection = 0; connection <= connections; connection++) {
                Disagreement.check("Mbit/s of connection " + connection, warm.total(connection) / MEGABIT,
                        cold.total(connection) / MEGABIT, ACCURACY);
            }
        }
        if (!MaxMinShares.isPeer(benchmark)) {
            MaxMinShares.warmUp(() -> {
                begin();
                ours();
            });
        }
    }

    /** Starts a session with the connections before the arrival, outside the measured time. */
    @Setup(Level.Invocation)
    public void begin() {
        seed = (seed + 1) % seeds;
        FatTreeConnections drawn = new FatTreeConnections(
                MaxMinShares.PORTS, connections + 1, MaxMinShares.SUBFLOWS, firstSeed + seed);
        after = drawn.first(connections + 1);
        session = allocator.session();
        session.allocate(drawn.first(connections));
    }

    /** The session's next answer. */
    @Benchmark
    public Allocation ours() {
        return session.allocate(after);
    }

    /** The same answer from a cold start. */
    @Benchmark
    public Allocation peer() {
        return allocator.allocate(after);
    }
}
