// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Competitor;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.MaximumFlow;

/** Algorithm 1 of S-MPTCP, with bandwidths in Mbit/s. */
class ResourcePoolTest {
    private final PathStrategy pool = PathStrategies.named("resource-pool");
    private final Graph threeWays = Networks.threeWays();

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(9);
    }

    @Property
    void withEnoughSubflowsItsPathsCarryTheWholeMaximumFlow(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.k(100).build();
        double[] residual = IntStream.range(0, request.graph().arcCount()).mapToDouble(request::residual).toArray();
        double[] union = new double[residual.length];
        for (Path path : pool.findPaths(request)) {
            for (int arc : path.arcs()) {
                union[arc] = residual[arc];
            }
        }

        assertEquals(MaximumFlow.value(request.graph(), residual, request.sources(), request.targets()),
                MaximumFlow.value(request.graph(), union, request.sources(), request.targets()), 1e-9);
    }

    @Example
    void theFlowIsTakenApartWidestFirst() {
        PathSet answer = pool.findPaths(PathRequest.on(threeWays).from(0).to(4).k(2).build());

        assertEquals(List.of(Path.along(threeWays, 0, 1, 4), Path.along(threeWays, 0, 2, 4)), answer.paths());
    }

    @Example
    void aFlowThatDividesItselfIsTakenTogether() {
        // S-MPTCP's Fig. 2(b), where another connection takes half of 1 – 2 and of 4 – 5.
        Graph planes = Graph.builder(9).link(0, 1, 10).link(1, 2, 5).link(1, 3, 10).link(2, 6, 5).link(3, 6, 10).link(6, 8, 10)
                .link(0, 4, 10).link(4, 5, 5).link(4, 7, 10).link(5, 8, 5).link(7, 8, 10).build();

        assertEquals(List.of(Path.along(planes, 0, 4, 7, 8), Path.along(planes, 0, 1, 3, 6, 8)),
                pool.findPaths(PathRequest.on(planes).from(0).to(8).k(2).build()).paths());
    }

    @Example
    void aSiblingsPathIsNotReturnedAgain() {
        Path first = Path.along(threeWays, 0, 1, 4);
        Path third = Path.along(threeWays, 0, 3, 4);
        PathRequest.Builder request = PathRequest.on(threeWays).from(0).to(4);

        assertEquals(List.of(Path.along(threeWays, 0, 2, 4), third),
                pool.findPaths(request.used(List.of(first)).k(2).build()).paths());
        assertEquals(List.of(third), pool.findPaths(request.used(List.of(first, Path.along(threeWays, 0, 2, 4))).k(3).build())
                .paths());
    }

    @Example
    void aFurtherPathDoesNotTakeWhatASiblingCarries() {
        // S-MPTCP's Fig. 2(b): 0 reaches 7 by two planes, {1, 2, 3, 6} and {4, 5}; all links carry the same.
        Graph planes = Graph.builder(8).link(0, 1, 1).link(1, 2, 1).link(1, 3, 1).link(2, 6, 1).link(3, 6, 1).link(6, 7, 1)
                .link(0, 4, 1).link(4, 5, 1).link(5, 7, 1).build();

        for (int core : new int[] {2, 3}) {
            Path sibling = Path.along(planes, 0, 1, core, 6, 7);
            assertEquals(List.of(Path.along(planes, 0, 4, 5, 7)), pool.findPaths(
                    PathRequest.on(planes).from(0).to(7).used(List.of(sibling)).k(1).build()).paths());
        }
    }

    @Example
    void withoutCompetitorsThereIsNoSecondStage() {
        double[] nothingLeft = new double[threeWays.arcCount()];

        assertTrue(pool.findPaths(PathRequest.on(threeWays).from(0).to(4).k(3).residual(nothingLeft).build()).isEmpty());
    }

    @Example
    void onAFullNetworkThePathWithTheLargestOsetIsAdded() {
        Competitor rich = new Competitor(8, List.of(Path.along(threeWays, 0, 2, 4)));
        Competitor alsoRich = new Competitor(7, List.of(Path.along(threeWays, 0, 2, 4)));
        Competitor poor = new Competitor(2, List.of(Path.along(threeWays, 0, 3, 4)));
        PathRequest request = full(List.of(rich, alsoRich, poor)).k(3).build();

        PathSet answer = pool.findPaths(request);

        assertEquals(List.of(Path.along(threeWays, 0, 2, 4)), answer.paths(),
                "oset is (8 + 7) - 2/3 · 17 over 2, 2 - 1/3 · 17 over 3, 0 over 1; 8 is more than the mean of 17/3");
    }

    @Example
    void onePathWithALargeRateGoesBeforeOneWithManySmallRates() {
        Competitor rich = new Competitor(9, List.of(Path.along(threeWays, 0, 1, 4)));
        Competitor poor = new Competitor(5, List.of(Path.along(threeWays, 0, 2, 4)));

        PathSet answer = pool.findPaths(full(List.of(rich, poor, poor)).k(3).build());

        assertEquals(List.of(Path.along(threeWays, 0, 1, 4)), answer.paths(), "9 - 19/3 is more than 10 - 2 · 19/3");
    }

    @Example
    void pathsAreAddedUntilTheyCarryTheMean() {
        Competitor only = new Competitor(24, List.of(Path.along(threeWays, 0, 1, 4), Path.along(threeWays, 0, 2, 4),
                Path.along(threeWays, 0, 3, 4)));

        assertEquals(3, pool.findPaths(full(List.of(only)).k(5).build()).size(), "10 + 8 carry less than 24");
        assertEquals(2, pool.findPaths(full(List.of(only)).k(2).build()).size(), "never more than k");
    }

    @Example
    void aCommonLinkCountsOnce() {
        Graph shared = Graph.builder(4).link(0, 1, 10).link(1, 3, 10).link(1, 2, 10).link(2, 3, 10).build();
        Competitor only = new Competitor(15, List.of(Path.along(shared, 0, 1, 3)));
        PathRequest request = PathRequest.on(shared).from(0).to(3).k(5).residual(new double[shared.arcCount()])
                .competitors(List.of(only)).build();

        assertEquals(2, pool.findPaths(request).size(), "one path carries 10, both together no more, so no third is added");
    }

    private PathRequest.Builder full(List<Competitor> competitors) {
        return PathRequest.on(threeWays).from(0).to(4).residual(new double[threeWays.arcCount()]).competitors(competitors);
    }
}
