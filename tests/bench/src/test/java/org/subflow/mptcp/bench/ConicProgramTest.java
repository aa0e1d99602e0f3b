// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.subflow.mptcp.share.SharingProblem;

class ConicProgramTest {
    private static final double MBPS = 1e6;
    private static final SharingProblem TWO_ON_A_LINK = SharingProblem.builder(8 * MBPS, 2 * MBPS)
            .connection().subflow(0).subflow(1)
            .connection().subflow(0).build();

    @Test
    void ratesThatAllLinksCarryCountAsTheyAre() {
        assertEquals(Math.log(3) + Math.log(4), ConicProgram.reached(TWO_ON_A_LINK, new double[] {2, 1, 4}), 1e-12);
    }

    @Test
    void ratesAboveACapacityAreScaledDownSoThatNoSolverGainsByThem() {
        assertEquals(Math.log(4) + Math.log(4), ConicProgram.reached(TWO_ON_A_LINK, new double[] {8, -0.1, 8}), 1e-12);
    }
}
