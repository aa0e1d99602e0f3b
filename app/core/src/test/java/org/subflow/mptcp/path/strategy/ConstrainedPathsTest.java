// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathLimits;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.search.LeastShared;
import org.subflow.mptcp.path.topology.FatTree;
import org.subflow.mptcp.path.topology.Topologies;

/** Limits to delays and disjointness by groups: for every strategy, and against exhaustive search on small networks. */
class ConstrainedPathsTest {
    private static final int TRIALS = 400;
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    static Stream<String> strategies() {
        return PathStrategies.names().stream();
    }

    /** A path of 1 and one of 50 ms from 0 to 3, and a slow, wide link from 0 to 3. */
    private static Graph fastAndSlow() {
        return Graph.builder(4).link(0, 1, 10).link(1, 3, 10).link(0, 2, 20).link(2, 3, 20).link(0, 3, 99)
                .delay(0, 0.5, 0.5).delay(1, 0.5, 0.5).delay(2, 25, 25).delay(3, 25, 25).delay(4, 500, 500).build();
    }

    @Test
    void aPathsDelayIsThatOfItsSlowerDirection() {
        Graph graph = Graph.builder(3).link(0, 1, 1).link(1, 2, 1).delay(0, 3, 9).build();
        assertEquals(9, Path.along(graph, 0, 1, 2).delayMillis());
        assertEquals(9, Path.along(graph, 2, 1, 0).delayMillis());
        assertTrue(Double.isNaN(graph.delay(2)));
        assertEquals(0, Path.along(Networks.threeWays(), 0, 1, 4).delayMillis(), "nothing is known");
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void noPathIsLongerThanTheLimit(String strategy) {
        Graph graph = fastAndSlow();
        PathRequest.Builder request = PathRequest.on(graph).from(0).to(3).k(3);
        PathSet answer = PathStrategies.named(strategy).findPaths(request.limits(PathLimits.of(60, INFINITE)).build());
        assertTrue(answer.size() > 0 && answer.paths().stream().allMatch(path -> path.delayMillis() <= 60), answer.toString());
        answer = PathStrategies.named(strategy).findPaths(request.limits(PathLimits.of(5, INFINITE)).build());
        assertEquals(List.of(Path.along(graph, 0, 1, 3)), answer.paths().stream().distinct().collect(Collectors.toList()));
        assertTrue(PathStrategies.named(strategy).findPaths(request.limits(PathLimits.of(0.5, INFINITE)).build()).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void noTwoPathsDifferByMoreThanTheSpread(String strategy) {
        Graph graph = fastAndSlow();
        PathRequest.Builder request = PathRequest.on(graph).from(0).to(3).k(3);
        PathSet answer = PathStrategies.named(strategy).findPaths(request.limits(PathLimits.of(INFINITE, 49.5)).build());
        assertTrue(spread(answer.paths()) <= 49.5 && answer.size() > 0, answer.toString());
        Path slow = Path.along(graph, 0, 2, 3);
        PathSet beside = PathStrategies.named(strategy).findPaths(request.limits(PathLimits.of(INFINITE, 10)).used(List.of(slow))
                .build());
        assertTrue(beside.paths().stream().allMatch(path -> path.equals(slow)), "a sibling counts: " + beside);
    }

    @Test
    void widestDisjointTakesTheTwoThatFitTogether() {
        Graph graph = fastAndSlow();
        PathSet answer = PathStrategies.named("widest-disjoint").findPaths(
                PathRequest.on(graph).from(0).to(3).k(3).limits(PathLimits.of(INFINITE, 49.5)).build());
        assertEquals(List.of(Path.along(graph, 0, 2, 3), Path.along(graph, 0, 1, 3)), answer.paths());
    }

    @Test
    void withoutLimitsAllIsAsBefore() {
        PathRequest.Builder request = PathRequest.on(fastAndSlow()).from(0).to(3).k(3);
        for (String name : PathStrategies.names()) {
            PathSet before = PathStrategies.named(name).findPaths(request.limits(PathLimits.NONE).build());
            assertEquals(before, PathStrategies.named(name).findPaths(request.limits(PathLimits.of(1000, 1000)).build()), name);
        }
    }

    @Test
    void delaysOfZeroAndOfADayAreDelays() {
        Graph graph = Graph.builder(2).link(0, 1, 1).link(0, 1, 9).delay(0, 0, 0).delay(1, Graph.MOST_DELAY, Graph.MOST_DELAY)
                .build();
        PathRequest.Builder request = PathRequest.on(graph).from(0).to(1).k(2);
        PathStrategy strategy = PathStrategies.named("widest-disjoint");
        assertEquals(2, strategy.findPaths(request.limits(PathLimits.of(Graph.MOST_DELAY, INFINITE)).build()).size());
        assertEquals(List.of(Path.of(graph, 0)), strategy.findPaths(request.limits(PathLimits.of(0, INFINITE)).build()).paths());
        assertEquals(1, strategy.findPaths(request.limits(PathLimits.of(INFINITE, 0)).build()).size());
    }

    @Test
    void badDelaysAndGroupsAreRefused() {
        for (double bad : new double[] {-1, -Double.MIN_VALUE, Graph.MOST_DELAY * 1.01, INFINITE}) {
            assertThrows(IllegalArgumentException.class, () -> Graph.builder(2).link(0, 1, 1).delay(0, bad, 0));
            assertThrows(IllegalArgumentException.class, () -> Graph.builder(2).link(0, 1, 1).delay(0, 0, bad));
        }
        assertThrows(IllegalArgumentException.class, () -> Graph.builder(2).link(0, 1, 1).delay(1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> Graph.builder(2).link(0, 1, 1).groups(0, -1));
        assertThrows(IllegalArgumentException.class, () -> PathLimits.of(-1, 1));
        assertThrows(IllegalArgumentException.class, () -> PathLimits.of(1, Double.NaN));
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void whatItFindsKeepsToAllThatIsAsked(String name) {
        PathStrategy strategy = PathStrategies.named(name);
        for (int trial = 0; trial < TRIALS; trial++) {
            SplittableRandom random = new SplittableRandom(trial);
            for (Disjointness kind : strategy.disjointness()) {
                PathRequest request = drawn(random, kind);
                List<Path> paths = strategy.findPaths(request).paths();
                String what = name + ", " + kind + ", trial " + trial + ": " + paths;
                assertTrue(paths.size() <= request.k(), what);
                List<Path> all = BruteForce.allPaths(request, kind);
                all.removeIf(path -> !request.limits().admits(path, request.used()));
                // It does not give a sibling's path again.
                assertTrue(all.isEmpty() == paths.isEmpty() || name.equals("resource-pool") && !request.used().isEmpty(), what);
                for (Path path : paths) {
                    assertTrue(request.limits().admits(path, paths) && request.limits().admits(path, request.used()), what);
                    assertTrue(paths.stream().allMatch(other -> other == path
                            || BruteForce.areDisjoint(request, path, other, kind)), what);
                }
            }
        }
    }

    @Test
    void resourcePoolGivesNoPathTwiceAndNoneOfASiblings() {
        PathStrategy pool = PathStrategies.named("resource-pool");
        int further = 0;
        for (int trial = 0; trial < 3 * TRIALS; trial++) {
            PathRequest request = drawn(new SplittableRandom(9000 + trial), Disjointness.NONE);
            List<Path> paths = pool.findPaths(request).paths();
            assertEquals(paths.size(), paths.stream().distinct().count(), "trial " + trial + ": " + paths);
            assertTrue(paths.stream().noneMatch(request.used()::contains), "trial " + trial + ": " + paths);
            List<Path> left = BruteForce.allPaths(request, Disjointness.NONE);
            left.removeIf(path -> !request.limits().admits(path, request.used()) || request.used().contains(path));
            // Without limits, a pool whose siblings take everything is full.
            assertTrue(left.isEmpty() == paths.isEmpty() || request.limits().isNone(), "trial " + trial + ": " + left);
            further += request.used().isEmpty() || paths.isEmpty() ? 0 : 1;
        }
        assertTrue(further > TRIALS / 8, further + " requests beside siblings were answered");
    }

    @Test
    void aFarLinkTakesNothingOfTheFlowOfAPool() {
        // The widest path leaves nothing. The maximum flow is 21 on three paths, if it does not go over the far link.
        Graph graph = Graph.builder(4).link(1, 3, 10).link(0, 1, 11).link(0, 2, 10).link(1, 3, 10).link(2, 3, 11).link(1, 2, 11, 0)
                .delay(0, 500, 500).build();
        PathSet pool = PathStrategies.named("resource-pool").findPaths(
                PathRequest.on(graph).from(0).to(3).k(3).limits(PathLimits.of(60, INFINITE)).build());
        assertEquals(3, pool.size(), pool.toString());
    }

    @Test
    void onSmallNetworksWidestDisjointIsExact() {
        int constrained = 0;
        for (int trial = 0; trial < 3 * TRIALS; trial++) {
            SplittableRandom random = new SplittableRandom(7000 + trial);
            for (Disjointness kind : List.of(Disjointness.LINK, Disjointness.NODE, Disjointness.SRLG)) {
                PathRequest request = drawn(random, kind);
                PathSet answer = PathStrategies.named("widest-disjoint").findPaths(request);
                double[] best = best(request, kind);
                assertEquals(best[0], answer.size(), kind + ", trial " + trial);
                assertEquals(best[1], answer.isEmpty() ? 0 : answer.minResidual(), kind + ", trial " + trial);
                constrained += best[0] < BruteForce.mostPaths(request, Disjointness.LINK) ? 1 : 0;
            }
        }
        assertTrue(constrained > TRIALS / 4, constrained + " requests were held by what is asked");
    }

    @Test
    void oneGroupOfAllLinksLeavesOnePath() {
        Graph.Builder builder = Graph.builder(5);
        Graph plain = Networks.threeWays();
        for (int link = 0; link < plain.linkCount(); link++) {
            builder.link(plain.tail(2 * link), plain.head(2 * link), plain.capacity(2 * link)).groups(link, 3, 0, 3);
        }
        Graph graph = builder.build();
        for (String name : List.of("widest-disjoint", "k-max", "multiflow")) {
            PathRequest.Builder request = PathRequest.on(graph).from(0).to(4).k(3).disjointness(Disjointness.SRLG);
            PathSet answer = PathStrategies.named(name).findPaths(request.build());
            assertEquals(1, answer.size());
            PathSet further = PathStrategies.named(name).findPaths(request.used(answer.paths()).build());
            assertTrue(further.isEmpty(), name);
            Path shared = LeastShared.find(request.build()).orElseThrow();
            assertEquals(2, shared.hops());
        }
    }

    @Test
    void whoeverHasNoPathWithinTheLimitGetsTheOneOfLeastDelay() {
        PathRequest request = PathRequest.on(fastAndSlow()).from(0).to(3).limits(PathLimits.of(0.1, 0.1)).build();
        assertEquals(Path.along(request.graph(), 0, 1, 3), LeastShared.find(request).orElseThrow());
        Path slow = Path.along(request.graph(), 0, 2, 3);
        PathRequest beside = PathRequest.on(request.graph()).from(0).to(3).used(List.of(slow)).limits(PathLimits.of(60, 10))
                .build();
        assertEquals(slow, LeastShared.find(beside).orElseThrow(), "a path beside it would be too far from its sibling");
    }

    @Test
    void largeNetworksAreSearchedWithinBounds() {
        for (Graph plain : List.of(FatTree.of(8, 10).graph(), Topologies.os3e(10).graph())) {
            Graph.Builder builder = Graph.builder(plain.nodeCount());
            for (int link = 0; link < plain.linkCount(); link++) {
                builder.link(plain.tail(2 * link), plain.head(2 * link), 10).delay(link, 1 + link % 7, 1 + link % 5)
                        .groups(link, link % 40, 40 + link % 11);
            }
            Graph graph = builder.build();
            PathRequest request = PathRequest.on(graph).from(0).to(graph.nodeCount() - 1).k(4)
                    .disjointness(Disjointness.SRLG).limits(PathLimits.of(60, 3)).build();
            PathSet answer = PathStrategies.named("widest-disjoint").findPaths(request);
            assertFalse(answer.isEmpty());
            assertTrue(spread(answer.paths()) <= 3);
        }
    }

    private static double spread(List<Path> paths) {
        return paths.stream().mapToDouble(Path::delayMillis).max().orElse(0)
                - paths.stream().mapToDouble(Path::delayMillis).min().orElse(0);
    }

    /** Returns the most paths, and the widest smallest bottleneck of so many, by trying all sets. */
    private static double[] best(PathRequest request, Disjointness kind) {
        List<Path> all = BruteForce.allPaths(request, kind);
        all.removeIf(path -> !request.limits().admits(path, request.used()));
        double[] best = new double[2];
        extend(request, kind, all, 0, new ArrayList<>(), best);
        return best;
    }

    private static void extend(PathRequest request, Disjointness kind, List<Path> all, int from, List<Path> chosen,
                               double[] best) {
        double width = chosen.stream().mapToDouble(path -> BruteForce.residual(request, path)).min().orElse(0);
        if (chosen.size() > best[0] || chosen.size() == best[0] && width > best[1]) {
            best[0] = chosen.size();
            best[1] = width;
        }
        for (int i = from; i < all.size() && chosen.size() < request.k(); i++) {
            Path next = all.get(i);
            if (request.limits().admits(next, chosen)
                    && chosen.stream().allMatch(path -> BruteForce.areDisjoint(request, path, next, kind))) {
                chosen.add(next);
                extend(request, kind, all, i + 1, chosen, best);
                chosen.remove(chosen.size() - 1);
            }
        }
    }

    /** Draws a request on a network of up to seven nodes, with delays and groups here and there, and mostly with limits. */
    private static PathRequest drawn(SplittableRandom random, Disjointness kind) {
        int nodes = random.nextInt(3, 8);
        Graph.Builder builder = Graph.builder(nodes);
        int links = random.nextInt(nodes, 2 * nodes + 3);
        for (int link = 0; link < links; link++) {
            int from = random.nextInt(nodes);
            builder.link(from, (from + random.nextInt(1, nodes)) % nodes, random.nextInt(0, 8), random.nextInt(1, 8));
            if (random.nextInt(4) > 0) {
                builder.delay(link, random.nextInt(10), random.nextInt(10));
            }
            if (random.nextInt(3) == 0) {
                builder.groups(link, random.nextInt(5), random.nextInt(5));
            }
        }
        Graph graph = builder.build();
        PathLimits limits = PathLimits.of(random.nextInt(3) == 0 ? INFINITE : random.nextInt(3, 25),
                random.nextInt(3) == 0 ? INFINITE : random.nextInt(8));
        PathRequest.Builder request = PathRequest.on(graph).from(0).to(nodes - 1).k(random.nextInt(1, 4)).disjointness(kind)
                .limits(limits);
        List<Path> some = BruteForce.allPaths(request.build(), Disjointness.NONE);
        return random.nextInt(3) > 0 || some.isEmpty() ? request.build()
                : request.used(List.of(some.get(random.nextInt(some.size())))).build();
    }
}
