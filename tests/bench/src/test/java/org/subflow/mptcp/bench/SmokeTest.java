// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.runner.RunnerException;

/** Every benchmark starts, and its set-up finds that ours and the peer agree. */
class SmokeTest {
    @TestFactory
    List<DynamicTest> everyBenchmarkRunsOnce() {
        return BenchmarkPair.ALL.stream().map(pair -> DynamicTest.dynamicTest(pair.name(), () -> {
            Measurement measurement = Measurement.smoke(pair);
            assertTrue(measurement.ours().micros() > 0 && measurement.peer().micros() > 0, measurement::toString);
        })).collect(Collectors.toList());
    }

    @Test
    void pathsOnGraphsOfAnySizeAgree() throws RunnerException {
        assertEquals(2, Harness.runOnce(DisjointPaths.class,
                Map.of("workload", "WIDEST_DISJOINT_GABRIEL", "nodes", "30", "seeds", "4")).size());
    }
}
