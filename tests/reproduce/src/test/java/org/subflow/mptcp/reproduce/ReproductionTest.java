// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;
import org.subflow.mptcp.bench.ConnectionSet;
import org.subflow.mptcp.bench.Harness;
import org.subflow.mptcp.bench.MaxFlowFatTree;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.rate.SplittableFlow;

/** The figures' data are deterministic, and correct where a paper prints an example or the answer is known. */
class ReproductionTest {
    private static final int FEW = 3;

    @Test
    void sheuIsTheSameEveryTimeAndOtherWithAnotherSeed() {
        assertEquals(Sheu.evaluate(FEW, 1).strategies().toString(), Sheu.evaluate(FEW, 1).strategies().toString());
        assertTrue(!Sheu.evaluate(FEW, 1).strategies().toString().equals(Sheu.evaluate(FEW, 2).strategies().toString()));
    }

    @Test
    void sheuHasEveryPointOfItsFiguresForEveryStrategy() {
        Table table = Sheu.evaluate(1, 1).strategies();
        // Five sizes, two real networks and six values of k; five strategies.
        assertEquals(13 * 5, table.column("strategy").size());
        assertEquals(List.of("10", "20", "30", "34", "40", "41", "50"),
                new HashSet<>(table.column("nodes")).stream().sorted().collect(Collectors.toList()));
    }

    @Test
    void exactStrategyHasAsManyPathsAsAnyOfSheuAndWithOnePathTheSameBandwidthAsKMax() {
        Table table = Sheu.evaluate(FEW, 1).strategies();
        List<String> strategies = table.column("strategy");
        for (int row = 0; row < strategies.size(); row += 5) {
            assertEquals(List.of("k-max-min", "k-max", "first-k-max", "shortest", "widest-disjoint"),
                    strategies.subList(row, row + 5));
            double exact = number(table, "paths", row + 4);
            assertTrue(exact >= number(table, "paths", row) && exact >= number(table, "paths", row + 1), "row " + row);
            if (table.column("k").get(row).equals("1")) {
                assertEquals(number(table, "throughput", row + 1), number(table, "throughput", row + 4));
            }
        }
    }

    @Test
    void leadsWithAsManyPathsAreThoseOfAllRequestsWhereAllHaveAsMany() {
        Table gains = Sheu.evaluate(20, 1).gains();
        int some = 0;
        for (int row = 0; row < gains.column("k").size(); row++) {
            double asMany = number(gains, "as_many", row);
            if (asMany == number(gains, "requests", row)) {
                assertEquals(gains.column("gain").get(row), gains.column("gain_as_many").get(row), "row " + row);
            } else {
                some++;
            }
            assertTrue(asMany == 20 || !gains.column("k").get(row).equals("1"), "one path each: row " + row);
        }
        assertTrue(some > 0, "with k = 3 k-max-min misses paths");
    }

    @Test
    void noStrategyWithDisjointPathsPassesTheLimit() {
        Table table = Sheu.underOtherTraffic(FEW, 1).strategies();
        assertEquals(3 * 4 * 5, table.column("strategy").size());
        for (int row = 0; row < table.column("strategy").size(); row++) {
            assertTrue(number(table, "throughput", row) <= number(table, "limit", row) * (1 + 1e-5), "row " + row);
            if (table.column("residuals").get(row).endsWith("traffic")) {
                assertTrue(number(table, "max", row) <= 100, "row " + row);
            }
        }
    }

    @Test
    void variantsOfSheuBeginWithThePublishedOneAndDifferFromIt() {
        Table table = SheuVariants.evaluate(30, 1);
        List<String> strategies = table.column("strategy");
        assertEquals(3 * 14, strategies.size());
        for (int row = 0; row < strategies.size(); row += 14) {
            assertEquals(List.of("k-max-min", "7", "true", "link"), List.of(strategies.get(row), table.column("m").get(row),
                    table.column("drops").get(row), table.column("disjoint").get(row)));
            assertEquals(0, number(table, "sum_gain", row));
            assertTrue(number(table, "paths", row + 1) < number(table, "paths", row), "with m = 1 it misses paths");
            assertTrue(number(table, "paths", row + 13) <= number(table, "paths", row + 12), "disjoint nodes are harder to find");
        }
    }

    @Test
    void everyPartWritesTheFilesOfItsPaper() throws Exception {
        for (String name : List.of("sheu/strategies", "sheu/residuals", "sheu/variants", "sheu/example", "emptcp/paths")) {
            Parts.named(name).compute(1).keySet().forEach(
                    file -> assertTrue(file.startsWith(name.substring(0, name.indexOf('/'))) && file.endsWith(".csv"), file));
        }
        assertThrows(IllegalArgumentException.class, () -> Parts.named("sheu"));
    }

    @Test
    void gainHasTheIntervalOfPairedValues() {
        // Always a quarter more: nothing is left to chance.
        Gain certain = Gain.of(List.of(5.0, 10.0, 15.0), List.of(4.0, 8.0, 12.0));
        assertEquals(0.25, certain.part(), 1e-12);
        assertEquals(0, certain.error(), 1e-12);

        // The ratio is 1, the differences are 1 and -1: deviation √2, times √2 over the sum 4.
        Gain uncertain = Gain.of(List.of(3.0, 1.0), List.of(2.0, 2.0));
        assertEquals(0, uncertain.part(), 1e-12);
        assertEquals(1.96 * 2 / 4, uncertain.error(), 1e-12);
    }

    @Test
    void workedExampleOfSheuComesOut() {
        assertEquals(List.of("8/8/4", "7/8/7"), Sheu.example().column("bottlenecks"));
    }

    @Test
    void multiflowAsPrintedRepeatsAPathAndPrunesForOthers() {
        Table table = Multiflow.asPublished();

        assertEquals(List.of("SF1.1", "SF1.2", "SF1.3", "SF1.4", "SF2.1", "SF2.2"), table.column("subflow"));
        assertEquals(List.of("1-2-5", "1-2-5", "1-3-5", "1-4-5", "1-2-5", "none"), table.column("path"));
    }

    @Test
    void sharesOfMultiflowAreThoseOfArithmetic() {
        assertEquals(List.of("3.00000", "23.0000", "3.33333", "10.0000"), Multiflow.shares().column("share"));
    }

    @Test
    void exactAllocatorsGiveTwelveForAllCapacitiesOfTheFamily() {
        Table table = Smptcp.family();
        for (int row = 0; row < 2; row++) {
            assertEquals(table.column("capacities").get(row), table.column("twelve_each").get(row));
        }
    }

    @Test
    void figuresOfEmptcpAreThoseOfArithmetic() {
        assertEquals(List.of("1", "4", "16"), Emptcp.paths().column("paths"));
        for (int row = 0; row < 2; row++) {
            assertEquals(30, number(Emptcp.triangle(), "flow_mbps", row), 0.001);
        }
    }

    @Test
    void everyStrategyIsComparedOnTheSameSetsAndNoneHasALargerSmallestShareThanTheBound() {
        Table table = NetworkWideShares.of("os3e", List.of(4), 2);
        assertEquals(2 * PathStrategies.names().size(), table.column("strategy").size());
        for (int row = 0; row < table.column("strategy").size(); row++) {
            double first = number(table, "first_smallest", row);
            double settled = number(table, "smallest", row);
            assertTrue(first > 0 && settled >= first * (1 - 1e-4) && settled <= 1 + 1e-5, "row " + row + ": " + first + ", " + settled);
            assertTrue(number(table, "mean", row) > 0, "row " + row);
        }
    }

    @Test
    void aConnectionAloneHasAsManyOfItsLinksAsSubflows() {
        NetworkState network = new ConnectionSet(ConnectionSet.FAT_TREE, 1, 1).arrivals("multiflow").network();
        // One connection alone has three of the four links of its edge switch.
        assertEquals(0.75, NetworkWideShares.mean(network, SplittableFlow.of(network)), 1e-6);
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
