// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow;
import org.subflow.mptcp.placement.PlacementTerms;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.search.Networks;
import org.subflow.mptcp.placement.search.Placement;

/** The best rates of any routing, by hand and beside what placements reach; {@code tests/bench} has a linear program, too. */
class SplittableFlowTest {
    private static final double ROUNDING = 1e3;
    private static final double PART = 1e-6;

    @Test
    void oneConnectionGetsTheMaximumFlow() {
        Placement placement = Networks.on(Networks.diamond());
        placement.open("c", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        SplittableFlow best = SplittableFlow.of(placement.network());
        assertEquals(30e6, best.rates(0).up(), ROUNDING);
        assertEquals(0, best.rates(0).down());
        assertTrue(best.error() < PART, () -> "error " + best.error());
        PlacementQuality quality = PlacementQuality.of(placement.network(), best);
        assertEquals(1.0 / 3, quality.sumFraction(), PART);
        assertEquals(1.0 / 3, quality.smallestFraction(), PART);
    }

    @Test
    void whoCanLeaveRoomForOthersDoes() {
        // 0 to 2 directly or over 1; 0 to 1 only directly.
        Graph graph = Graph.builder(3).link(0, 1, 10e6).link(1, 2, 10e6).link(0, 2, 10e6).build();
        Placement placement = Networks.on(graph);
        placement.open("long", 0, 2, Networks.terms(2, JoinPolicy.SHARE), Networks.UP);
        placement.open("short", 0, 1, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        SplittableFlow best = SplittableFlow.of(placement.network());
        assertEquals(10e6, best.rates(0).up(), ROUNDING);
        assertEquals(10e6, best.rates(1).up(), ROUNDING);
    }

    @Test
    void weightsDivideAndDemandsLimit() {
        Graph line = Graph.builder(2).link(0, 1, 12e6, 4e6).build();
        Placement placement = Networks.on(line);
        PlacementTerms terms = Networks.terms(1, JoinPolicy.SHARE);
        placement.open("capped", 0, 1, terms, Demand.of(3e6, 0));
        placement.open("one", 0, 1, terms, Demand.UNLIMITED);
        placement.open("two", 0, 1, terms.withShare(2, Double.POSITIVE_INFINITY), Networks.UP);
        SplittableFlow best = SplittableFlow.of(placement.network());
        assertEquals(Rates.of(3e6, 0), best.rates(0));
        assertEquals(3e6, best.rates(1).up(), ROUNDING);
        assertEquals(4e6, best.rates(1).down(), ROUNDING);
        assertEquals(6e6, best.rates(2).up(), ROUNDING);
        PlacementQuality quality = PlacementQuality.of(placement.network(), best);
        assertEquals(1, quality.sumFraction(), PART);
        assertEquals(3e6, quality.smallest(), ROUNDING);
    }

    @Test
    void otherTrafficTakesItsPart() {
        Graph graph = Networks.diamond();
        double[] others = new double[graph.arcCount()];
        others[graph.arcBetween(0, 1)] = 4e6;
        PlacedConnection connection = new PlacedConnection("c", Networks.terms(3, JoinPolicy.SHARE), Networks.UP,
                List.of(PlacedSubflow.unplaced(0, 4, true, false, 0)));
        SplittableFlow best = SplittableFlow.of(NetworkState.of(graph, others, List.of(connection)));
        assertEquals(26e6, best.rates(0).up(), ROUNDING);
    }

    @Test
    void whatTakesTooMuchWorkIsLeft() {
        // One route of the subflow, then all three paths.
        Placement placement = Networks.on(Networks.diamond());
        placement.open("c", 0, 4, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        assertEquals(Optional.empty(), SplittableFlow.within(placement.network(), 0));
        assertEquals(Optional.empty(), SplittableFlow.within(placement.network(), 3));
        Rates best = SplittableFlow.within(placement.network(), SplittableFlow.SECOND_OF_WORK).orElseThrow().rates(0);
        assertEquals(SplittableFlow.of(placement.network()).rates(0), best);
    }

    @Test
    void whatCannotBeReachedGetsNothing() {
        Graph graph = Graph.builder(3).link(0, 1, 10e6).build();
        Placement placement = Networks.on(graph);
        placement.open("nowhere", 0, 2, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        placement.open("unknown", -1, 2, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        placement.open("local", 1, 1, Networks.terms(1, JoinPolicy.SHARE), Networks.UP);
        SplittableFlow best = SplittableFlow.of(placement.network());
        for (int c = 0; c < 3; c++) {
            assertEquals(Rates.ZERO, best.rates(c));
        }
        assertEquals(1, PlacementQuality.of(placement.network(), best).smallestFraction());
    }

    @Property(tries = 100)
    void noPlacementHasALargerSmallestShare(@ForAll Random random) {
        Graph graph = Networks.random(random);
        Placement placement = Networks.on(graph);
        for (int n = 0; n < 6; n++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            placement.open("c" + n, from, to, Networks.terms(2, JoinPolicy.SHARE), Networks.UP);
        }
        SplittableFlow best = SplittableFlow.of(placement.network());
        assertTrue(best.error() < PART, () -> "error " + best.error());
        PlacementQuality quality = PlacementQuality.of(placement.network(), best);
        assertTrue(quality.smallestFraction() <= 1 + PART, () -> "smallest share " + quality.smallestFraction());
        assertTrue(quality.smallestFraction() > 0);
    }
}
