// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.subflow.mptcp.share.Allocation;
import org.subflow.mptcp.share.Allocator;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/** Max-min fair shares from scratch, three subflows for each connection, on a fat tree with k = 8. One seed after the other. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxMinShares {
    static final int PORTS = 8;
    static final int SUBFLOWS = 3;
    private static final double MEGABIT = 1e6;
    private static final long NANOS_TO_WARM_UP = 2_000_000_000;
    /** Bound on the sum of the solver's relative tolerances. */
    private static final double ACCURACY = 1e-5;
    /** On uneven capacities there are hundreds of levels, and each passes its error on to later ones ({@link LpWaterFilling}). */
    private static final double ACCURACY_UNEVEN = 1e-4;

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

    private final Allocator allocator = Allocators.byName("max-min");
    private final List<SharingProblem> problems = new ArrayList<>();
    private int next;

    /**
     * Draws the connections and compares the answers where the peer is measured, connection by connection. Controllers run for
     * days, so the Java machine gets the time to compile our code before its measurement.
     */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            problems.add(drawn(connections, uneven, seed));
        }
        if (isPeer(benchmark)) {
            problems.forEach(problem -> checkSame(allocator.allocate(problem), LpWaterFilling.totals(problem),
                    uneven ? ACCURACY_UNEVEN : ACCURACY));
        } else {
            warmUp(this::ours);
        }
    }

    /** Has the Java machine compile an operation. */
    static void warmUp(Runnable operation) {
        for (long begun = System.nanoTime(); System.nanoTime() - begun < NANOS_TO_WARM_UP;) {
            operation.run();
        }
    }

    /** Draws a problem of so many connections. */
    static SharingProblem drawn(int connections, boolean uneven, long seed) {
        FatTreeConnections all = uneven ? FatTreeConnections.uneven(PORTS, connections, SUBFLOWS, seed)
                : new FatTreeConnections(PORTS, connections, SUBFLOWS, seed);
        return all.first(connections);
    }

    /** Whether the method to be measured is the peer's. */
    static boolean isPeer(BenchmarkParams benchmark) {
        return benchmark.getBenchmark().endsWith(".peer");
    }

    /**
     * Compares two answers.
     *
     * @param ours  our answer
     * @param peers the peer's, in Mbit/s by connection
     */
    static void checkSame(Allocation ours, double[] peers) {
        checkSame(ours, peers, ACCURACY);
    }

    private static void checkSame(Allocation ours, double[] peers, double accuracy) {
        for (int connection = 0; connection < peers.length; connection++) {
            Disagreement.check("Mbit/s of connection " + connection, ours.total(connection) / MEGABIT, peers[connection],
                    accuracy);
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public Allocation ours() {
        return allocator.allocate(problem());
    }

    /** Runs the peer: one linear program for each level. */
    @Benchmark
    public double[] peer() {
        return LpWaterFilling.totals(problem());
    }

    private SharingProblem problem() {
        next = (next + 1) % problems.size();
        return problems.get(next);
    }
}
