// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.Preference;

/** Compares the exact goals of {@code widest-disjoint} with exhaustive search. */
class WidestDisjointTest {
    private static final List<Disjointness> KINDS = List.of(Disjointness.LINK, Disjointness.NODE);
    private final PathStrategy strategy = PathStrategies.named("widest-disjoint");

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(7);
    }

    @Property(tries = 3000)
    void findsAsManyPathsAsExistWithTheWidestBottleneck(@ForAll("requests") PathRequest.Builder builder) {
        for (Disjointness kind : KINDS) {
            for (Preference preference : Preference.values()) {
                PathRequest request = builder.k(3).disjointness(kind).prefer(preference).build();
                PathSet answer = strategy.findPaths(request);

                assertEquals(BruteForce.mostPaths(request, kind), answer.size(), "paths");
                if (!answer.isEmpty()) {
                    assertEquals(BruteForce.widestBottleneck(request, kind, answer.size()), answer.minResidual());
                }
            }
        }
    }

    @Property(tries = 2000)
    void preferringHopsTakesTheFewestAtThatBottleneck(@ForAll("requests") PathRequest.Builder builder) {
        for (Disjointness kind : KINDS) {
            PathRequest request = builder.k(3).disjointness(kind).prefer(Preference.HOPS).build();
            PathSet answer = strategy.findPaths(request);

            if (!answer.isEmpty()) {
                assertEquals(BruteForce.fewestHops(request, kind, answer.size(), answer.minResidual()), answer.hops());
            }
        }
    }

    @Property(tries = 2000)
    void preferringRateStillTakesTheShortestPathAtItsBandwidth(@ForAll("requests") PathRequest.Builder builder) {
        for (Disjointness kind : KINDS) {
            PathRequest request = builder.k(3).disjointness(kind).prefer(null).build();
            PathSet answer = strategy.findPaths(request);
            for (int i = 0; i < answer.size(); i++) {
                Path path = answer.get(i);
                assertTrue(i == 0 || answer.get(i - 1).residual() >= path.residual(), "the widest comes first");
                boolean shorter = BruteForce.allPaths(request, kind).stream()
                        .filter(other -> other.hops() < path.hops() && BruteForce.residual(request, other) >= path.residual())
                        .anyMatch(other -> answer.paths().stream().allMatch(
                                sibling -> sibling == path || BruteForce.areDisjoint(request, other, sibling, kind)));
                assertTrue(!shorter, () -> path + " could be shorter without loss");
            }
        }
    }

    @Property(tries = 1000)
    void askedForOnePathItFindsTheWidest(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.k(1).build();
        PathSet answer = strategy.findPaths(request);

        assertEquals(PathStrategies.named("k-max").findPaths(request), answer, "for one path they are the same");
    }
}
