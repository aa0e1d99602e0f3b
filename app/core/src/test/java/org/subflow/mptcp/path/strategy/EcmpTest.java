// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.topology.FatTree;

class EcmpTest {
    private final PathStrategy ecmp = PathStrategies.named("ecmp");

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(12);
    }

    @Property
    void everyPathIsAShortestOne(@ForAll("requests") PathRequest.Builder builder, @ForAll long seed) {
        PathSet shortest = PathStrategies.named("shortest").findPaths(builder.build());
        PathSet answer = ecmp.findPaths(builder.seed(seed).build());

        assertEquals(shortest.size(), answer.size());
        answer.forEach(path -> assertEquals(shortest.get(0).hops(), path.hops()));
    }

    @Example
    void flowsSpreadEvenlyOverTheFourPathsOfAFatTree() {
        Graph tree = FatTree.of(4, 1e6).graph();
        PathRequest.Builder request = PathRequest.on(tree).from(FatTree.host(4, 0, 0, 0)).to(FatTree.host(4, 3, 1, 1));
        Map<Path, Integer> flows = new HashMap<>();
        for (long flow = 0; flow < 4000; flow++) {
            flows.merge(ecmp.findPaths(request.flowKey(flow).build()).get(0), 1, Integer::sum);
        }

        assertEquals(4, flows.size());
        flows.forEach((path, count) -> assertTrue(count > 850 && count < 1150, () -> path + ": " + count + " of 4000"));
    }
}
