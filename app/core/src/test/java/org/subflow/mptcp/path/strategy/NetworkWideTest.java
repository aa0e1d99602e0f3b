// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.ShareComparer;

/** What {@code network-wide} asks its comparer, and what it makes of the answer. */
class NetworkWideTest {
    private final PathStrategy strategy = PathStrategies.named("network-wide");
    private final PathStrategy widest = PathStrategies.named("widest-disjoint");
    private final Graph threeWays = Networks.threeWays();

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(9);
    }

    @Property
    void withoutAComparerItIsWidestDisjoint(@ForAll("requests") PathRequest.Builder builder) {
        assertEquals(widest.findPaths(builder.build()).paths(), strategy.findPaths(builder.build()).paths());
    }

    @Property
    void itTakesTheSetThatTheComparerChoosesAndGivesUpNoPath(@ForAll("requests") PathRequest.Builder builder,
                                                             @ForAll @IntRange(max = 5) int choice) {
        for (Disjointness kind : strategy.disjointness()) {
            List<Path> first = widest.findPaths(builder.shares(null).disjointness(kind).build()).paths();
            DrawnCosts comparer = new DrawnCosts(builder.build().graph(), choice);
            List<Path> answer = strategy.findPaths(builder.shares(comparer).build()).paths();

            if (comparer.asked.isEmpty()) {
                assertEquals(first, answer, "the only set");
                continue;
            }
            assertEquals(set(first), set(comparer.asked.get(0)), "the first candidate is the default's");
            assertEquals(set(comparer.asked.get(Math.min(choice, comparer.asked.size() - 1))), set(answer));
            assertTrue(comparer.asked.size() <= DrawnCosts.MOST_SETS, "no more sets than may be compared");
            Set<Set<Path>> different = new HashSet<>();
            for (List<Path> candidate : comparer.asked) {
                assertEquals(first.size(), set(candidate).size(), "as many paths as exist");
                assertTrue(different.add(set(candidate)), "no set is compared twice");
            }
        }
    }

    @Example
    void thePathThatCostsNothingIsAmongTheCandidatesAndTheWidestComesFirst() {
        double[] costs = new double[threeWays.arcCount()];
        for (int arc : Path.along(threeWays, 0, 1, 4).arcs()) {
            costs[arc] = 1;
        }
        ShareComparer cheap = new ShareComparer() {
            @Override
            public int mostSets() {
                return 2;
            }

            @Override
            public int blends() {
                return 1;
            }

            @Override
            public double[] costs(int blend) {
                return costs;
            }

            @Override
            public int best(List<List<Path>> sets) {
                return sets.size() - 1;
            }
        };

        PathSet answer = strategy.findPaths(PathRequest.on(threeWays).from(0).to(4).k(2).shares(cheap).build());

        assertEquals(List.of(Path.along(threeWays, 0, 2, 4), Path.along(threeWays, 0, 3, 4)), answer.paths());
    }

    private static Set<Path> set(List<Path> paths) {
        return new HashSet<>(paths);
    }
}
