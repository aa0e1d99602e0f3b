// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GraphTest {
    @Test
    void arcsLeaveTheirTailSortedByHeadThenNumber() {
        Graph graph = Graph.builder(4).link(0, 3, 5).link(2, 0, 7, 8).link(0, 2, 9).link(1, 2, 1).build();

        assertEquals(3, graph.degree(0));
        assertEquals(3, graph.arcFrom(0, 0), "2i + 1 leads from b to a");
        assertEquals(4, graph.arcFrom(0, 1), "the parallel link comes next");
        assertEquals(0, graph.arcFrom(0, 2));
        assertEquals(0, graph.tail(3));
        assertEquals(2, graph.head(3));
        assertEquals(8, graph.capacity(3));
        assertEquals(7, graph.capacity(Graph.reverse(3)));
        assertEquals(1, Graph.linkOf(3));
        assertEquals(3, graph.arcBetween(0, 2));
        assertEquals(-1, graph.arcBetween(0, 1));
    }

    @Test
    void aGraphWithoutLinksIsAGraph() {
        Graph graph = Graph.builder(1).build();

        assertEquals(0, graph.linkCount());
        assertEquals(0, graph.degree(0));
    }

    @Test
    void badLinksAreRefusedByNumber() {
        Graph.Builder builder = Graph.builder(2).link(0, 1, 1);

        assertMessage("link 1", () -> builder.link(1, 1, 1));
        assertMessage("node 2", () -> builder.link(0, 2, 1));
        assertMessage("node -1", () -> builder.link(-1, 0, 1));
        assertMessage("-3.0", () -> builder.link(0, 1, -3));
        assertMessage("NaN", () -> builder.link(0, 1, 1, Double.NaN));
        assertMessage("Infinity", () -> builder.link(0, 1, Double.POSITIVE_INFINITY));
        assertMessage("at least one node", () -> Graph.builder(0));
        assertEquals(1, builder.build().linkCount(), "a refused link is not added");
    }

    private static void assertMessage(String part, Runnable action) {
        String message = assertThrows(IllegalArgumentException.class, action::run).getMessage();
        assertTrue(message.contains(part), message);
    }
}
