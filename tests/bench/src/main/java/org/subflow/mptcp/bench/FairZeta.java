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
import org.subflow.mptcp.share.SharingProblem;
import org.subflow.mptcp.share.WhatIfShares;

/**
 * The fair share of one connection over all its disjoint paths, as the controller computes it for ζ. Ours starts from the
 * present shares, the peer from scratch. Thirty-two connections in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FairZeta {
    private static final int MOST_PATHS = 8;
    private static final int ASKED = 32;
    private static final int COMPARED = 2;
    private static final int ROUNDS_TO_WARM_UP = 10;
    private static final double MEGABIT = 1e6;
    private static final double GLOP_ACCURACY = 1e-5;

    /** Number of connections. */
    @Param("1000")
    public int connections;

    private final SharingProblem[] other = new SharingProblem[ASKED];
    private final List<List<int[]>> paths = new ArrayList<>();
    private final WhatIfShares shares = new WhatIfShares();
    private int next;

    /** Draws the connections, has ours compute the present shares, and compares some answers. */
    @Setup
    public void prepare() {
        FatTreeConnections drawn = new FatTreeConnections(MaxMinShares.PORTS, connections, MaxMinShares.SUBFLOWS,
                MaxMinShares.SEED);
        for (int asked = 0; asked < ASKED; asked++) {
            paths.add(drawn.widestDisjoint(asked, MOST_PATHS));
            other[asked] = drawn.firstWith(connections, asked, paths.get(asked));
        }
        shares.now(drawn.first(connections));
        for (int answer = 0; answer < ROUNDS_TO_WARM_UP * ASKED; answer++) {
            ours();
        }
        for (int asked = 0; asked < COMPARED; asked++) {
            Disagreement.check("Mbit/s of connection " + asked,
                    shares.share(asked, Double.POSITIVE_INFINITY, paths.get(asked)) / MEGABIT,
                    GlopWaterFilling.totals(other[asked])[asked], GLOP_ACCURACY);
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public double ours() {
        next = (next + 1) % ASKED;
        return shares.share(next, Double.POSITIVE_INFINITY, paths.get(next));
    }

    /** Runs the peer: one linear program for each level. */
    @Benchmark
    public double peer() {
        next = (next + 1) % ASKED;
        return GlopWaterFilling.totals(other[next])[next];
    }
}
