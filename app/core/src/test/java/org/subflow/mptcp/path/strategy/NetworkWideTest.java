// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathStrategy;

/** What {@code network-wide} finds by itself; placement compares other sets with that. */
class NetworkWideTest {
    private final PathStrategy strategy = PathStrategies.named("network-wide");
    private final PathStrategy widest = PathStrategies.named("widest-disjoint");

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(9);
    }

    @Property
    void withoutAComparisonItIsWidestDisjoint(@ForAll("requests") PathRequest.Builder builder) {
        for (Disjointness kind : strategy.disjointness()) {
            PathRequest request = builder.disjointness(kind).build();
            assertEquals(widest.findPaths(request).paths(), strategy.findPaths(request).paths());
        }
    }
}
