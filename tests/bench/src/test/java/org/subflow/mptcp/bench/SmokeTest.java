// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every benchmark starts, and its set-up finds that ours and the peer agree. */
class SmokeTest {
    @TestFactory
    List<DynamicTest> everyBenchmarkRunsOnce() {
        return BenchmarkPair.ALL.stream().map(pair -> DynamicTest.dynamicTest(pair.name(), () -> {
            Measurement measurement = Measurement.smoke(pair);
            assertTrue(measurement.ours().micros() > 0 && measurement.peer().micros() > 0, measurement::toString);
        })).collect(Collectors.toList());
    }
}
