// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.strategy.PathStrategies;

class PathRequestTest {
    private final Graph graph = Graph.builder(3).link(0, 1, 5).link(1, 2, 3).build();

    @Test
    void badRequestsAreRefusedWithTheReason() {
        assertRefused("no source", PathRequest.on(graph).to(1));
        assertRefused("no target", PathRequest.on(graph).from(1));
        assertRefused("no source node 3", PathRequest.on(graph).from(3).to(1));
        assertRefused("no target node -1", PathRequest.on(graph).from(0).to(-1));
        assertRefused("both source and target", PathRequest.on(graph).from(0, 1).to(1));
        assertRefused("k must be at least 1, not 0", PathRequest.on(graph).from(0).to(1).k(0));
        assertRefused("2 values for 4 arcs", PathRequest.on(graph).from(0).to(1).residual(new double[2]));
        assertRefused("arc 2 from node 1 to node 2 is NaN",
                PathRequest.on(graph).from(0).to(1).residual(new double[] {1, 1, Double.NaN, 1}));
        assertRefused("arc 3 from node 2 to node 1 is -1.0",
                PathRequest.on(graph).from(0).to(1).residual(new double[] {1, 1, 1, -1}));
        Path elsewhere = Path.of(Graph.builder(3).link(2, 1, 1).build(), 0);
        assertRefused("used path 2-1 does not lie on the graph",
                PathRequest.on(graph).from(0).to(2).used(List.of(elsewhere)));
    }

    @Test
    void anUnknownStrategyIsRefusedWithAllNames() {
        String message = assertThrows(IllegalArgumentException.class, () -> PathStrategies.named("widest")).getMessage();

        assertTrue(message.contains("'widest'") && message.contains("widest-disjoint") && message.contains("ecmp"), message);
        assertEquals("widest-disjoint", PathStrategies.names().get(0), "the default comes first");
        assertEquals(11, PathStrategies.names().size());
    }

    @Test
    void wordsAreReadAsTheyAreWritten() {
        for (Disjointness kind : Disjointness.values()) {
            assertEquals(kind, Disjointness.parse(kind.toString()));
        }
        for (Preference preference : Preference.values()) {
            assertEquals(preference, Preference.parse(preference.toString()));
        }
        assertThrows(IllegalArgumentException.class, () -> Disjointness.parse("edge"));
        assertThrows(IllegalArgumentException.class, () -> Preference.parse("delay"));
    }

    @Test
    void pathsAreCheckedAndKnowTheirBottlenecks() {
        Path path = Path.along(graph, 0, 1, 2);

        assertEquals(3, path.capacity());
        assertEquals(2, path.hops());
        assertEquals("0-1-2", path.toString());
        assertEquals(path, Path.of(graph, 0, 2));
        assertThrows(IllegalArgumentException.class, () -> Path.along(graph, 0, 2), "no link");
        assertThrows(IllegalArgumentException.class, () -> Path.of(graph, 0, 1), "there and back");
        assertThrows(IllegalArgumentException.class, () -> Path.of(graph, 0, 3), "arcs that do not join");
        assertThrows(IllegalArgumentException.class, () -> Path.of(graph, 4), "no such arc");
        assertThrows(IllegalArgumentException.class, () -> Path.of(graph), "nothing");
    }

    private static void assertRefused(String part, PathRequest.Builder builder) {
        String message = assertThrows(IllegalArgumentException.class, builder::build).getMessage();
        assertTrue(message.contains(part), message);
    }
}
