// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.search.Workspace;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;

/** The worked example of Sheu et al., Fig. 2.1 to 2.6, step by step: m = 4, k = 3, weights in Mbit/s. */
class KMaxMinTest {
    private final Topology sheu8 = Topologies.sheu8();
    private final PathRequest request = PathRequest.on(sheu8.graph()).from(sheu8.node("s")).to(sheu8.node("t"))
            .k(3).m(4).build();

    @Test
    void phaseOneKeepsTheFourBestPathsOfEachParent() {
        try (Workspace workspace = Workspace.borrow()) {
            CandidatePaths candidates = search(workspace);

            assertEquals(List.of(10), widths(candidates, "a", "s"), "a(s: 10)");
            assertEquals(List.of(8), widths(candidates, "c", "s"), "c(s: 8)");
            assertEquals(List.of(7, 7, 6, 6), widths(candidates, "c", "e"), "c(e: 7, 7, 6, 6)");
            assertEquals(List.of(7), widths(candidates, "e", "c"), "e(c: 7)");
            assertEquals(4, widths(candidates, "e", "b").size() + widths(candidates, "e", "d").size(),
                    "the fifth path of e did not go to c and is deleted");
        }
    }

    @Test
    void phaseOneEndsWithElevenCandidates() {
        try (Workspace workspace = Workspace.borrow()) {
            List<String> sorted = new ArrayList<>();
            CandidatePaths candidates = search(workspace);
            int target = sheu8.node("t");
            for (int path = candidates.first(target); path >= 0; path = candidates.next(path)) {
                sorted.add(nodes(candidates, path) + " " + megabit(candidates.width(path)));
            }

            assertEquals(11, sorted.size());
            assertEquals("sadt 8", sorted.get(0), "cp1");
            assertEquals("sbet 8", sorted.get(3), "cp4");
            assertEquals("scet 7", sorted.get(5), "cp6");
            assertEquals("sbft 7", sorted.get(6), "cp7");
            assertEquals("scft 4", sorted.get(9), "cp10");
        }
    }

    @Test
    void phaseTwoStartsWithEightEightFourWhichIsNotTheBest() {
        try (Workspace workspace = Workspace.borrow()) {
            CandidatePaths candidates = search(workspace);
            DisjointSubset subset = new DisjointSubset();
            subset.collect(candidates, workspace.view(), false);

            assertEquals(List.of("sadt 8", "sbet 8", "scft 4"), described(subset.startingWith(0, 3)),
                    "iteration 1");
            assertEquals(List.of("scet 7", "sadt 8", "sbft 7"), described(subset.startingWith(5, 3)),
                    "iteration 6");
        }
    }

    @Test
    void firstKMaxIsIterationOneAndNothingWhereNoPathIs() {
        assertEquals(List.of("sadt 8", "sbet 8", "scft 4"), described(new FirstKMax().findPaths(request).paths()));
        Graph apart = Graph.builder(3).link(0, 1, 1).build();
        assertEquals(0, new FirstKMax().findPaths(PathRequest.on(apart).from(0).to(2).k(3).build()).size());
    }

    @Test
    void theAnswerIsIterationSixAndAlsoTheExactOptimum() {
        PathSet answer = PathStrategies.named("k-max-min").findPaths(request);

        assertEquals(List.of("scet 7", "sadt 8", "sbft 7"), described(answer.paths()));
        PathSet exact = PathStrategies.named("widest-disjoint").findPaths(
                PathRequest.on(sheu8.graph()).from(sheu8.node("s")).to(sheu8.node("t")).k(3).build());
        assertEquals(3, exact.size());
        assertEquals(answer.minResidual(), exact.minResidual());
    }

    @Test
    void theLargerMinimumCountsMoreThanTheLargerSum() {
        // s = 0, t = 1; the widest path 0-2-3-1 is disjoint from 0-6-1, but neither from 0-2-4-1 nor from 0-5-3-1.
        Graph graph = Graph.builder(7).link(0, 2, 100).link(2, 3, 100).link(3, 1, 100).link(2, 4, 10).link(4, 1, 10)
                .link(0, 5, 10).link(5, 3, 10).link(0, 6, 1).link(6, 1, 1).build();

        PathSet answer = PathStrategies.named("k-max-min").findPaths(PathRequest.on(graph).from(0).to(1).k(2).build());

        assertEquals(10, answer.minResidual());
        assertEquals(20, answer.sumResidual());
    }

    private CandidatePaths search(Workspace workspace) {
        workspace.view().open(request, Disjointness.LINK);
        CandidatePaths candidates = new CandidatePaths();
        candidates.search(workspace.view(), 4);
        return candidates;
    }

    private List<Integer> widths(CandidatePaths candidates, String node, String parent) {
        List<Integer> widths = new ArrayList<>();
        for (int path = candidates.first(sheu8.node(node)); path >= 0; path = candidates.next(path)) {
            if (sheu8.graph().tail(candidates.lastArc(path)) == sheu8.node(parent)) {
                widths.add(megabit(candidates.width(path)));
            }
        }
        return widths;
    }

    private String nodes(CandidatePaths candidates, int path) {
        StringBuilder text = new StringBuilder();
        int p = path;
        for (; candidates.lastArc(p) >= 0; p = candidates.withoutLast(p)) {
            text.insert(0, sheu8.name(sheu8.graph().head(candidates.lastArc(p))));
        }
        return text.insert(0, "s").toString();
    }

    private List<String> described(List<Path> paths) {
        List<String> described = new ArrayList<>();
        for (Path path : paths) {
            StringBuilder text = new StringBuilder();
            for (int node : path.nodes()) {
                text.append(sheu8.name(node));
            }
            described.add(text.append(' ').append(megabit(path.residual())).toString());
        }
        return described;
    }

    private static int megabit(double bitPerSecond) {
        return (int) Math.round(bitPerSecond / 1e6);
    }
}
