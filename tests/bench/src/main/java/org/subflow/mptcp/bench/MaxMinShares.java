// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

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

/** Max-min fair shares from scratch, three subflows for each connection, on a fat tree with k = 8. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxMinShares {
    static final int PORTS = 8;
    static final int SUBFLOWS = 3;
    static final long SEED = 1;
    private static final double MEGABIT = 1e6;
    private static final int ANSWERS_TO_WARM_UP = 80;
    /** Bound on the sum of GLOP's relative tolerances. */
    private static final double GLOP_ACCURACY = 1e-5;

    /** Number of connections. */
    @Param("1000")
    public int connections;

    private final Allocator allocator = Allocators.byName("max-min");
    private SharingProblem problem;

    /**
     * Draws the connections and compares the answers, connection by connection. Controllers run for days, so the Java machine
     * gets the time to compile the code before the measurement.
     */
    @Setup
    public void prepare() {
        problem = new FatTreeConnections(PORTS, connections, SUBFLOWS, SEED).first(connections);
        for (int answer = 0; answer < ANSWERS_TO_WARM_UP; answer++) {
            allocator.allocate(problem);
        }
        checkSame(allocator.allocate(problem), problem);
    }

    /** Compares an answer with the peer's. */
    static void checkSame(Allocation ours, SharingProblem problem) {
        double[] peers = GlopWaterFilling.totals(problem);
        for (int connection = 0; connection < peers.length; connection++) {
            Disagreement.check("Mbit/s of connection " + connection, ours.total(connection) / MEGABIT, peers[connection],
                    GLOP_ACCURACY);
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return allocator.allocate(problem);
    }

    /** Runs the peer: one linear program for each level. */
    @Benchmark
    public double[] peer() {
        return GlopWaterFilling.totals(problem);
    }
}
