// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.share;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.subflow.mptcp.share.Problems.MBPS;
import static org.subflow.mptcp.share.Problems.NONE;

import java.util.List;
import org.junit.jupiter.api.Test;

class ZetaTest {
    /** Two parallel arcs between the same end points. */
    private static final Zeta.MaxFlow PARALLEL = capacities -> capacities[0] + capacities[1];
    private static final List<int[]> BOTH = List.of(new int[] {0}, new int[] {1});

    private static SharingProblem twoOnTheFirst() {
        return SharingProblem.builder(10 * MBPS, 10 * MBPS)
                .connection().subflow(0)
                .connection().subflow(0).build();
    }

    @Test
    void addsTheResidualBandwidth() {
        SharingProblem problem = twoOnTheFirst();
        double[] rates = {5 * MBPS, 5 * MBPS};
        Zeta zeta = Zeta.of(Residual.of(problem, rates), 0, NONE, PARALLEL, BOTH, new WhatIfShares());
        assertEquals(15 * MBPS, zeta.available(), 1);
        assertEquals(10 * MBPS, zeta.fair(), 1);
    }

    @Test
    void isNoMoreThanItsLimit() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 10 * MBPS).connection(1, 9 * MBPS).subflow(0).build();
        double[] rates = {9 * MBPS};
        assertEquals(4 * MBPS, Zeta.of(Residual.of(problem, rates), 0, 4 * MBPS, PARALLEL, BOTH, new WhatIfShares()).available(), 1);
        assertEquals(4 * MBPS, Zeta.of(Residual.of(problem, rates), 0, 4 * MBPS, PARALLEL, BOTH, new WhatIfShares()).fair(), 1);
    }

    @Test
    void takesTheRoutesThereAreWhereNoOthersAreGiven() {
        Zeta zeta = Zeta.of(Residual.of(twoOnTheFirst(), new double[] {5 * MBPS, 5 * MBPS}), 1, NONE, PARALLEL, List.of(),
                new WhatIfShares());
        assertEquals(5 * MBPS, zeta.fair(), 1);
    }

    @Test
    void isNotLimitedByItsDemand() {
        SharingProblem problem = SharingProblem.builder(10 * MBPS, 10 * MBPS)
                .connection(1, MBPS).subflow(0)
                .connection().subflow(0).build();
        double[] rates = {MBPS, 9 * MBPS};
        Zeta zeta = Zeta.of(Residual.of(problem, rates), 0, NONE, PARALLEL, BOTH, new WhatIfShares());
        assertEquals(11 * MBPS, zeta.available(), 1);
        assertEquals(10 * MBPS, zeta.fair(), 1);
        assertEquals(3 * MBPS, Zeta.of(Residual.of(problem, rates), 0, 3 * MBPS, PARALLEL, BOTH, new WhatIfShares()).fair(), 1);
    }

    @Test
    void leavesOutItsOwnLoadOnly() {
        double[] residual = Residual.of(twoOnTheFirst(), new double[] {4 * MBPS, 11 * MBPS}).without(1);
        assertArrayEquals(new double[] {6 * MBPS, 10 * MBPS}, residual);
        residual = Residual.of(twoOnTheFirst(), new double[] {4 * MBPS, 11 * MBPS}).without(0);
        assertArrayEquals(new double[] {0, 10 * MBPS}, residual);
    }
}
