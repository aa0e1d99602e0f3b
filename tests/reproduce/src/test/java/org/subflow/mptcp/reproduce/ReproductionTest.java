// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;
import org.subflow.mptcp.bench.Harness;
import org.subflow.mptcp.bench.MaxFlowFatTree;

/** The figures' data are deterministic, and correct where a paper prints an example or the answer is known. */
class ReproductionTest {
    private static final int FEW = 3;

    @Test
    void sheuIsTheSameEveryTimeAndOtherWithAnotherSeed() {
        assertEquals(Sheu.evaluate(FEW, 1).toString(), Sheu.evaluate(FEW, 1).toString());
        assertTrue(!Sheu.evaluate(FEW, 1).toString().equals(Sheu.evaluate(FEW, 2).toString()));
    }

    @Test
    void sheuHasEveryPointOfItsFiguresForEveryStrategy() {
        Table table = Sheu.evaluate(1, 1);
        // Five sizes, two real networks and six values of k; four strategies.
        assertEquals(13 * 4, table.column("strategy").size());
        assertEquals(List.of("10", "20", "30", "34", "40", "41", "50"),
                new HashSet<>(table.column("nodes")).stream().sorted().collect(Collectors.toList()));
    }

    @Test
    void exactStrategyHasAsManyPathsAsAnyOfSheuAndWithOnePathTheSameBandwidthAsKMax() {
        Table table = Sheu.evaluate(FEW, 1);
        List<String> strategies = table.column("strategy");
        for (int row = 0; row < strategies.size(); row += 4) {
            assertEquals(List.of("k-max-min", "k-max", "shortest", "widest-disjoint"), strategies.subList(row, row + 4));
            double exact = number(table, "paths", row + 3);
            assertTrue(exact >= number(table, "paths", row) && exact >= number(table, "paths", row + 1), "row " + row);
            if (table.column("k").get(row).equals("1")) {
                assertEquals(number(table, "throughput", row + 1), number(table, "throughput", row + 3));
            }
        }
    }

    @Test
    void noStrategyWithDisjointPathsPassesTheLimit() {
        Table table = Sheu.underOtherTraffic(FEW, 1);
        assertEquals(3 * 4 * 4, table.column("strategy").size());
        for (int row = 0; row < table.column("strategy").size(); row++) {
            assertTrue(number(table, "throughput", row) <= number(table, "limit", row) * (1 + 1e-5), "row " + row);
            if (table.column("residuals").get(row).endsWith("traffic")) {
                assertTrue(number(table, "max", row) <= 100, "row " + row);
            }
        }
    }

    @Test
    void keptGomezGraphsAreTheFirstThatDrawingFinds() {
        List<Long> kept = Gomez.kept();

        assertEquals(1000, kept.size());
        assertEquals(kept.stream().sorted().distinct().collect(Collectors.toList()), kept);
        assertEquals(Gomez.suitable().limit(FEW).boxed().collect(Collectors.toList()), kept.subList(0, FEW));
    }

    @Test
    void gomezHasTwoRoutesWhereItMustAndTheSameFirstRouteForAll() {
        Table table = Gomez.routesAndHops(FEW);
        assertEquals(Gomez.routesAndHops(FEW).toString(), table.toString());

        Map<String, String> first = new HashMap<>();
        for (int row = 0; row < table.column("what").size(); row++) {
            String what = table.column("what").get(row);
            assertTrue(!what.equals("routes") || number(table, "value", row) >= 2);
            if (what.equals("hops-1")) {
                String hops = table.column("value").get(row) + " hops " + table.column("count").get(row) + " times";
                first.merge(table.column("strategy").get(row), hops, (one, other) -> one + ", " + other);
            }
        }
        assertEquals(3, first.size());
        assertEquals(1, new HashSet<>(first.values()).size(), first::toString);
    }

    @Test
    void multiflowTakesThePathsOfItsFigure4() {
        Table table = Multiflow.pruning();

        assertEquals(List.of("SF1.1", "SF1.2", "SF1.3", "SF1.4", "SF2.1"), table.column("subflow"));
        assertEquals(List.of("1-2-5", "1-3-5", "1-4-5", "none", "1-2-5"), table.column("path"));
        assertEquals(List.of("4", "2", "0", "0", "4"), table.column("links_left"));
    }

    @Test
    void packetsOfFigure9AreReadAndAnswered() throws RunnerException {
        assertEquals(6, Harness.runOnce(PacketCost.class, Map.of()).size());
    }

    @Test
    void smallestTreeOfTable4IsMeasuredWithBothInAgreement() throws RunnerException {
        assertEquals(2, Harness.runOnce(MaxFlowFatTree.class, Map.of("k", "4")).size());
    }

    @Test
    void everyAllocatorGivesEveryConnectionOfFigure1Twelve() {
        Table table = Smptcp.shares();

        assertEquals(6, table.column("allocator").size());
        for (int connection = 1; connection <= 3; connection++) {
            for (String share : table.column("connection_" + connection)) {
                assertEquals(12, Double.parseDouble(share), 0.01);
            }
        }
    }

    private static double number(Table table, String column, int row) {
        return Double.parseDouble(table.column(column).get(row));
    }
}
