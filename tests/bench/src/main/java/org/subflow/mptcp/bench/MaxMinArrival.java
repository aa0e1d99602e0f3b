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
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.AllocationSession;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/**
 * Max-min fair shares after one more connection has arrived. Ours starts from its last answer, the peer from scratch. Eight
 * connections arrive in turn, each on the same state.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxMinArrival {
    private static final int ARRIVALS = 8;

    /** Number of connections before the arrival. */
    @Param("1000")
    public int connections;

    private final SharingProblem[] after = new SharingProblem[ARRIVALS];
    private SharingProblem before;
    private AllocationSession session;
    private int next;

    /** Draws the connections and compares the answers after the first arrival. */
    @Setup
    public void prepare() {
        FatTreeConnections drawn = new FatTreeConnections(MaxMinShares.PORTS, connections + ARRIVALS, MaxMinShares.SUBFLOWS,
                MaxMinShares.SEED);
        before = drawn.first(connections);
        for (int arrival = 0; arrival < ARRIVALS; arrival++) {
            after[arrival] = drawn.firstAnd(connections, connections + arrival);
        }
        settle();
        MaxMinShares.checkSame(session.allocate(after[0]), after[0]);
    }

    /** Starts a session and has it compute the shares before the arrival, outside the measured time. */
    @Setup(Level.Invocation)
    public void settle() {
        session = Allocators.byName("max-min").session();
        session.allocate(before);
        next = (next + 1) % ARRIVALS;
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return session.allocate(after[next]);
    }

    /** Runs the peer: one linear program for each level. */
    @Benchmark
    public double[] peer() {
        return GlopWaterFilling.totals(after[next]);
    }
}
