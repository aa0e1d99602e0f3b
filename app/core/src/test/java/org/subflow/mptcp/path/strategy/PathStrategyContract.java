// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathOption;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.Preference;

/** The tests that every strategy must pass. One small class per strategy runs them. */
abstract class PathStrategyContract {
    private final PathStrategy strategy;

    PathStrategyContract(String name) {
        this.strategy = PathStrategies.named(name);
    }

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(9);
    }

    @Property
    void pathsAreRealAndDisjointAsPromised(@ForAll("requests") PathRequest.Builder builder) {
        for (Disjointness kind : strategy.disjointness()) {
            PathRequest request = builder.disjointness(kind).build();
            PathSet answer = strategy.findPaths(request);

            assertEquals(kind, answer.disjointness());
            assertAnswers(request, answer);
            assertEquals(BruteForce.allPaths(request, kind).isEmpty(), answer.isEmpty(), "finds a path if there is one");
        }
    }

    @Property
    void pathsKeepClearOfSiblings(@ForAll("requests") PathRequest.Builder builder, @ForAll long seed) {
        Random random = new Random(seed);
        for (Disjointness kind : strategy.disjointness()) {
            PathRequest alone = builder.disjointness(kind).used(List.of()).build();
            List<Path> used = new ArrayList<>();
            for (Path path : strategy.findPaths(alone)) {
                if (random.nextBoolean()) {
                    used.add(path);
                }
            }
            Path stray = Networks.walk(alone.graph(), random);
            if (stray != null && random.nextInt(4) == 0) {
                used.add(stray);
            }

            PathRequest request = builder.used(used).build();
            assertAnswers(request, strategy.findPaths(request));
        }
    }

    @Property
    void theSameRequestGetsTheSameAnswer(@ForAll("requests") PathRequest.Builder builder,
                                         @ForAll("requests") PathRequest.Builder other) {
        PathSet first = strategy.findPaths(builder.build());
        strategy.findPaths(other.build());

        assertEquals(first, strategy.findPaths(builder.build()));
    }

    @Property(tries = 200)
    void defaultsAreTheFirstKindAndTheCapacities(@ForAll("requests") PathRequest.Builder builder) {
        PathSet implied = strategy.findPaths(builder.residual(null).build());
        PathRequest spelt = builder.disjointness(strategy.disjointness().get(0))
                .residual(builder.build().graph().capacities()).build();

        assertEquals(implied, strategy.findPaths(spelt));
    }

    @Example
    void anUnconnectedTargetGetsAnEmptyAnswer() {
        Graph graph = Graph.builder(3).link(0, 1, 10).build();

        assertTrue(strategy.findPaths(PathRequest.on(graph).from(0).to(2).k(3).build()).isEmpty());
    }

    @Example
    void aDirectionWithoutCapacityIsNotTaken() {
        Graph graph = Graph.builder(2).link(0, 1, 0, 10).build();

        assertTrue(strategy.findPaths(PathRequest.on(graph).from(0).to(1).build()).isEmpty());
        assertEquals(1, strategy.findPaths(PathRequest.on(graph).from(1).to(0).build()).size());
    }

    @Example
    void parallelLinksAreAPathEach() {
        Graph graph = Graph.builder(2).link(0, 1, 10).link(0, 1, 4).link(1, 0, 3, 0).build();
        for (Disjointness kind : strategy.disjointness()) {
            PathSet answer = strategy.findPaths(PathRequest.on(graph).from(0).to(1).k(4).disjointness(kind).build());
            if (kind != Disjointness.NONE) {
                assertEquals(Set.of(Path.of(graph, 0), Path.of(graph, 2)), Set.copyOf(answer.paths()));
                PathSet further = strategy.findPaths(PathRequest.on(graph).from(0).to(1).k(4).disjointness(kind)
                        .used(List.of(Path.of(graph, 0))).build());
                assertEquals(List.of(Path.of(graph, 2)), further.paths());
                assertEquals(4, further.get(0).capacity());
            }
        }
    }

    @Example
    void refusesUnsupportedOptionsAndNamesTheSupportedOnes() {
        Graph graph = Graph.builder(2).link(0, 1, 10).build();
        Set<Disjointness> others = EnumSet.allOf(Disjointness.class);
        others.removeAll(strategy.disjointness());
        for (Disjointness kind : others) {
            assertRefused(PathRequest.on(graph).from(0).to(1).disjointness(kind), kind.toString());
        }
        for (PathOption option : EnumSet.allOf(PathOption.class)) {
            PathRequest.Builder asking = asking(PathRequest.on(graph).from(0).to(1), option);
            if (strategy.options().contains(option)) {
                assertEquals(1, strategy.findPaths(asking.build()).size());
            } else {
                assertRefused(asking, option.toString());
            }
        }
    }

    private static PathRequest.Builder asking(PathRequest.Builder builder, PathOption option) {
        switch (option) {
            case M:
                return builder.m(3);
            case EXACT:
                return builder.exact(true);
            default:
                return builder.prefer(Preference.HOPS);
        }
    }

    private void assertRefused(PathRequest.Builder builder, String what) {
        PathRequest request = builder.build();
        String message = assertThrows(IllegalArgumentException.class, () -> strategy.findPaths(request)).getMessage();
        assertTrue(message.contains(strategy.name()) && message.contains(what), message);
    }

    /** Checks an answer against the request through the graph's public methods only. */
    private void assertAnswers(PathRequest request, PathSet answer) {
        assertTrue(answer.size() <= request.k(), "at most k paths");
        for (int i = 0; i < answer.size(); i++) {
            Path path = answer.get(i);
            assertIsPath(request, path);
            for (Path sibling : request.used()) {
                assertTrue(BruteForce.areDisjoint(request, path, sibling, answer.disjointness()),
                        () -> path + " and the used " + sibling);
            }
            for (int j = 0; j < i; j++) {
                Path other = answer.get(j);
                assertTrue(BruteForce.areDisjoint(request, path, other, answer.disjointness()),
                        () -> path + " and " + other);
            }
        }
    }

    private void assertIsPath(PathRequest request, Path path) {
        Graph graph = request.graph();
        assertEquals(path, Path.of(graph, path.arcs()), "arcs that join, no node twice");
        assertTrue(BruteForce.contains(request.sources(), path.source()));
        assertTrue(BruteForce.contains(request.targets(), path.target()));
        for (int i = 1; i < path.hops(); i++) {
            int node = path.node(i);
            assertFalse(BruteForce.contains(request.sources(), node) || BruteForce.contains(request.targets(), node),
                    () -> path + " passes through terminal " + node);
        }
        for (int arc : path.arcs()) {
            assertTrue(usable(request, arc) > 0, () -> path + " takes arc " + arc + ", which has no residual bandwidth");
        }
        assertEquals(Arrays.stream(path.arcs()).mapToDouble(graph::capacity).min().orElseThrow(), path.capacity());
        assertEquals(BruteForce.residual(request, path), path.residual());
    }

    /** Returns the bandwidth in bit/s that must be above 0 on every arc of a path. */
    double usable(PathRequest request, int arc) {
        return request.residual(arc);
    }
}
