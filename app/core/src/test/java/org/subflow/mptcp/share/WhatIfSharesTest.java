// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.share.Problems.MBPS;
import static org.subflow.mptcp.share.Problems.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WhatIfSharesTest {
    /** Two answers, each off by no more than what may be off. */
    private static final double EXACT = 2e-6;
    /** Of an answer that is proved without a simplex. */
    private static final double NEARLY = 0.99;

    private static void assertAsFromScratch(SharingProblem problem, WhatIfShares shares, int connection, double cap,
                                            List<int[]> paths) {
        shares.now(problem);
        double expected = new MaxMinAllocator().allocate(problem.with(connection, cap, paths)).total(connection);
        // First, so that it begins without a simplex.
        for (double most : new double[] {expected / 2, expected * (1 - 1e-4), expected * (1 + 1e-4), 2 * expected}) {
            double least = Math.min(most, expected);
            double answer = shares.shareUpTo(most, connection, cap, paths);
            String what = answer + " for " + least + ", bound " + most + ", connection " + connection;
            assertTrue(answer <= least * (1 + EXACT) + 10 && answer >= least * NEARLY * (1 - EXACT) - 10, what);
        }
        assertEquals(expected, shares.share(connection, cap, paths), EXACT * expected + 10, "connection " + connection);
    }

    /** Arcs of capacities from 0 up; weights, caps, connections without a route. Caps change, then all is asked again. */
    @Property(tries = 150)
    void answersAsFromScratch(@ForAll long seed) {
        Random random = new Random(seed);
        int arcs = 4 + random.nextInt(30);
        SharingProblem problem = Problems.random(seed, arcs, 1 + random.nextInt(60));
        WhatIfShares shares = new WhatIfShares();
        for (int change = 0; change < 3; change++) {
            for (int i = 0; i < 8; i++) {
                double cap = random.nextInt(3) == 0 ? random.nextInt(40) * MBPS : NONE;
                assertAsFromScratch(problem, shares, random.nextInt(problem.connectionCount()), cap, paths(random, arcs));
            }
            problem = problem.with(random.nextInt(problem.connectionCount()), random.nextInt(20) * MBPS,
                    random.nextBoolean() ? List.of() : List.of(route(random, arcs)));
        }
    }

    /** An empty list stands for the present routes. */
    private static List<int[]> paths(Random random, int arcs) {
        List<int[]> paths = new ArrayList<>();
        for (int k = random.nextInt(9); k > 0; k--) {
            paths.add(route(random, arcs));
        }
        return paths;
    }

    private static int[] route(Random random, int arcs) {
        return random.ints(0, arcs).distinct().limit(1 + random.nextInt(3)).toArray();
    }

    @Property(tries = 10)
    void answersAsFromScratchOnFatTrees(@ForAll long seed) {
        Random random = new Random(seed);
        int connections = List.of(5, 40, 100, 250).get(random.nextInt(4));
        answersForOthersPaths(Problems.fatTree(8, connections, 3, random.nextBoolean(), seed), random, 10);
    }

    @Property(tries = 10)
    void answersAsFromScratchOnUnevenNetworks(@ForAll long seed) {
        answersForOthersPaths(Problems.uneven(seed, 50, 120, 150), new Random(seed), 10);
    }

    /** With the paths of others, and with them beside those that it has. */
    private static void answersForOthersPaths(SharingProblem problem, Random random, int times) {
        WhatIfShares shares = new WhatIfShares();
        for (int i = 0; i < times; i++) {
            int connection = random.nextInt(problem.connectionCount());
            List<int[]> paths = routes(problem, random.nextInt(problem.connectionCount()));
            if (random.nextBoolean()) {
                paths.addAll(routes(problem, connection));
            }
            assertAsFromScratch(problem, shares, connection, NONE, paths);
        }
    }

    private static List<int[]> routes(SharingProblem problem, int connection) {
        List<int[]> routes = new ArrayList<>();
        for (int s = problem.firstSubflow(connection); s < problem.firstSubflow(connection + 1); s++) {
            routes.add(problem.route(s));
        }
        return routes;
    }

    /** No other test would notice if most answers came from scratch. */
    @Test
    void startsFromScratchForNobodyOnAFullFatTree() {
        SharingProblem problem = Problems.fatTree(8, 1000, 3, false, 5);
        WhatIfShares shares = new WhatIfShares();
        answersOnTheFullTree(problem, shares);
        assertEquals(0, shares.fromScratch());
    }

    private static void answersOnTheFullTree(SharingProblem problem, WhatIfShares shares) {
        for (int connection = 0; connection < 10; connection++) {
            assertAsFromScratch(problem, shares, connection, NONE, routes(problem, connection + 500));
        }
    }

    /** No other test would notice if all answers took a simplex. */
    @Test
    void provesWithoutASimplexWhatNobodyElseWaitsFor() {
        SharingProblem.Builder builder = SharingProblem.builder(10 * MBPS, 10 * MBPS, 10 * MBPS);
        SharingProblem problem = builder.connection(1, MBPS).subflow(0).connection(1, 2 * MBPS).subflow(1)
                .connection().subflow(2).connection(1, 3 * MBPS).subflow(2).build();
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        List<int[]> both = List.of(new int[] {0}, new int[] {1});
        assertEquals(18 * MBPS, shares.shareUpTo(18 * MBPS, 0, NONE, both), 1, "all that is left");
        assertEquals(3 * MBPS, shares.shareUpTo(3 * MBPS, 3, NONE, List.of()), 1, "less than the other has, who waits");
        assertEquals(0, shares.fromSimplex());

        assertEquals(5 * MBPS, shares.shareUpTo(10 * MBPS, 3, NONE, List.of()), 1, "half of the link");
        assertEquals(1, shares.fromSimplex(), "the other takes more of what it leaves");
    }

    @Test
    void tellsALowerBoundWhereASimplexTakesTooMuchWork() {
        SharingProblem problem = Problems.fatTree(8, 8000, 3, false, 5);
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        for (int connection = 0; connection < 1000; connection += 500) {
            List<int[]> paths = routes(problem, connection + 500);
            paths.addAll(routes(problem, connection));
            double exact = new MaxMinAllocator().boundedSession().allocate(problem.with(connection, NONE, paths)).total(connection);
            double least = shares.shareUpTo(10 * exact, connection, NONE, paths);
            assertTrue(least <= exact * (1 + EXACT) && least >= exact / 10, least + " of " + exact);
        }
        assertEquals(0, shares.fromSimplex());
    }

    @Test
    void leavesThePresentSolutionAsItIs() {
        SharingProblem problem = Problems.plain(3, 30, 60);
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        double[] first = new double[60];
        Arrays.setAll(first, c -> shares.share(c, NONE, List.of(new int[] {c % 30}, new int[] {(c + 7) % 30})));
        for (int c = 59; c >= 0; c--) {
            assertEquals(first[c], shares.share(c, NONE, List.of(new int[] {c % 30}, new int[] {(c + 7) % 30})));
        }
        assertTrue(shares.fromScratch() < 12, shares.fromScratch() + " of 120 from scratch");
    }

    @Test
    void givesNothingWithoutARoute() {
        SharingProblem problem = SharingProblem.builder(0, 10 * MBPS).connection().subflow(1).connection().build();
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        assertEquals(0, shares.share(0, NONE, List.of(new int[] {0}, new int[] {0, 1})));
        assertEquals(0, shares.share(0, 0, List.of(new int[] {1})));
        assertEquals(5 * MBPS, shares.share(1, NONE, List.of(new int[] {1})), 1, "beside the other");
        assertEquals(10 * MBPS, shares.share(0, NONE, List.of(new int[] {1})), 1, "but not beside itself");
    }

    @Test
    void takesTheRoutesThereAreWhereNoOthersAreGiven() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 2 * MBPS)
                .connection().subflow(0, 1).connection(1, MBPS).subflow(0).build();
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        assertEquals(2 * MBPS, shares.share(0, NONE, List.of()), 1);
        assertEquals(9 * MBPS, shares.share(0, NONE, List.of(new int[] {0})), 1);
        assertEquals(8 * MBPS, shares.share(1, NONE, List.of()), 1);
    }

    @Test
    void refusesAConnectionWithoutLimit() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS).connection().subflow(0).build();
        WhatIfShares shares = new WhatIfShares();
        shares.now(problem);
        assertThrows(IllegalArgumentException.class, () -> shares.share(0, NONE, List.of(new int[] {})));
        assertEquals(3 * MBPS, shares.share(0, 3 * MBPS, List.of(new int[] {})), 1);
    }
}
