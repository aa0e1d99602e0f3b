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
import org.subflow.mptcp.share.SharingProblem;
import org.subflow.mptcp.share.WhatIfShares;

/**
 * The fair share of one connection over all its disjoint paths, as the controller computes it for ζ. Ours starts from the
 * present shares, the peer from scratch; it stops at the level of that connection. Sixteen connections in turn.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FairZeta {
    private static final int MOST_PATHS = 8;
    private static final int ASKED = 16;
    private static final int ROUNDS_TO_WARM_UP = 20;
    private static final double MEGABIT = 1e6;
    private static final double ACCURACY = 1e-5;

    /** Number of connections. */
    @Param("1000")
    public int connections;

    /** Number of draws; the connections asked for are of each in turn. */
    @Param("1")
    public int seeds;

    /** Seed of the first draw; the others follow it. */
    @Param("1")
    public int firstSeed;

    private final SharingProblem[] other = new SharingProblem[ASKED];
    private final List<List<int[]>> paths = new ArrayList<>();
    private final List<WhatIfShares> shares = new ArrayList<>();
    private int next;

    /** Draws the connections, has ours compute the present shares, and compares the answers where the peer is measured. */
    @Setup
    public void prepare(BenchmarkParams benchmark) {
        List<FatTreeConnections> drawn = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
            drawn.add(new FatTreeConnections(MaxMinShares.PORTS, connections, MaxMinShares.SUBFLOWS, seed));
            shares.add(new WhatIfShares());
            shares.get(shares.size() - 1).now(drawn.get(drawn.size() - 1).first(connections));
        }
        for (int asked = 0; asked < ASKED; asked++) {
            FatTreeConnections network = drawn.get(asked % seeds);
            paths.add(network.widestDisjoint(asked, MOST_PATHS));
            other[asked] = network.firstWith(connections, asked, paths.get(asked));
        }
        for (int answer = 0; answer < ROUNDS_TO_WARM_UP * ASKED; answer++) {
            ours();
        }
        for (int asked = 0; asked < ASKED && MaxMinShares.isPeer(benchmark); asked++) {
            Disagreement.check("Mbit/s of connection " + asked, share(asked) / MEGABIT,
                    LpWaterFilling.total(other[asked], asked), ACCURACY);
        }
    }

    /** Runs our implementation. */
    @Benchmark
    public double ours() {
        next = (next + 1) % ASKED;
        return share(next);
    }

    /** Runs the peer: one linear program for each level up to that of the connection. */
    @Benchmark
    public double peer() {
        next = (next + 1) % ASKED;
        return LpWaterFilling.total(other[next], next);
    }

    private double share(int asked) {
        return shares.get(asked % seeds).share(asked, Double.POSITIVE_INFINITY, paths.get(asked));
    }
}
