// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.subflow.mptcp.path.Graph;

class TopologiesTest {
    @Test
    void thePapersNetworksHaveTheirSize() {
        assertSize(8, 14, Topologies.sheu8());
        assertSize(34, 42, Topologies.os3e(1e9));
        assertSize(41, 59, Topologies.cernet(1e9));
        assertEquals(1e9, Topologies.cernet(1e9).graph().capacity(0));
        assertTrue(Topologies.os3e(1).isConnected());
        assertTrue(Topologies.cernet(1).isConnected());
    }

    @ParameterizedTest
    @CsvSource({"4, 36, 48", "8, 208, 384", "16, 1344, 3072", "32, 9472, 24576"})
    void fatTreesHaveTheSizesOfTable4(int k, int nodes, int links) {
        Topology tree = FatTree.of(k, 1);

        assertSize(nodes, links, tree);
        assertTrue(tree.isConnected());
        assertEquals("h1-0-1", tree.name(FatTree.host(k, 1, 0, 1)));
        assertEquals(1, tree.graph().degree(FatTree.host(k, 1, 0, 1)));
        for (int v = 0; v < tree.node("h0-0-0"); v++) {
            assertEquals(k, tree.graph().degree(v), tree.name(v));
        }
    }

    @Test
    void waxmanGraphsAreConnectedAndHaveAMeanDegreeOfAboutFive() {
        for (int nodes = 10; nodes <= 50; nodes += 10) {
            double links = 0;
            for (int seed = 0; seed < 200; seed++) {
                Topology topology = Waxman.sheu(nodes, 1, seed);
                assertTrue(topology.isConnected());
                links += topology.graph().linkCount();
            }
            assertEquals(5, 2 * links / 200 / nodes, 0.3, nodes + " nodes");
        }
    }

    @Test
    void geometricGraphsJoinWhatIsInRange() {
        Topology square = RandomGeometric.draw(64, 100, 20, 1, 7);

        assertTrue(square.isConnected());
        assertEquals(64, square.graph().nodeCount());
        assertTrue(square.nearest(20, 50) != square.nearest(80, 50));
        assertThrows(IllegalStateException.class, () -> Topologies.sheu8().nearest(0, 0));
    }

    @Test
    void gabrielGraphsAreConnectedAndPlanar() {
        for (int seed = 0; seed < 20; seed++) {
            Topology topology = Gabriel.draw(45, 1, seed);
            assertTrue(topology.isConnected());
            assertTrue(topology.graph().linkCount() <= 3 * 45 - 8, "the most links of a Gabriel graph");
        }
        assertSize(1, 0, Gabriel.draw(1, 1, 0));
    }

    @Test
    void theSameSeedGivesTheSameNetwork() {
        assertSame(Gabriel.draw(30, 1, 5), Gabriel.draw(30, 1, 5));
        assertSame(Waxman.sheu(30, 1, 5), Waxman.sheu(30, 1, 5));
        assertSame(RandomGeometric.draw(64, 100, 20, 1, 5), RandomGeometric.draw(64, 100, 20, 1, 5));
        assertSame(Topologies.os3e(1).withUniformCapacities(1, 100, 3), Topologies.os3e(1).withUniformCapacities(1, 100, 3));
    }

    @Test
    void drawnCapacitiesAreInRangeAndTheSameBothWays() {
        Graph graph = FatTree.of(8, 1).withUniformCapacities(1e6, 100e6, 1).graph();
        double sum = 0;
        for (int arc = 0; arc < graph.arcCount(); arc++) {
            assertTrue(graph.capacity(arc) >= 1e6 && graph.capacity(arc) < 100e6);
            assertEquals(graph.capacity(arc), graph.capacity(Graph.reverse(arc)));
            sum += graph.capacity(arc);
        }
        assertEquals(50.5e6, sum / graph.arcCount(), 5e6);
    }

    @Test
    void badParametersAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> FatTree.of(3, 1));
        assertThrows(IllegalArgumentException.class, () -> Waxman.sheu(55, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> Waxman.draw(10, 0, 0.5, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> RandomGeometric.draw(10, 100, -1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> Gabriel.draw(0, 1, 0));
        String message = assertThrows(IllegalArgumentException.class, () -> Topologies.sheu8().node("z")).getMessage();
        assertTrue(message.contains("'z'"), message);
    }

    private static void assertSize(int nodes, int links, Topology topology) {
        assertEquals(nodes, topology.graph().nodeCount(), topology.name());
        assertEquals(links, topology.graph().linkCount(), topology.name());
    }

    private static void assertSame(Topology a, Topology b) {
        assertArrayEquals(a.graph().capacities(), b.graph().capacities());
        for (int arc = 0; arc < a.graph().arcCount(); arc++) {
            assertEquals(a.graph().head(arc), b.graph().head(arc));
        }
    }
}
