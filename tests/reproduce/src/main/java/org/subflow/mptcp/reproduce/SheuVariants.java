// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.KMaxMin;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;

/**
 * What the paper of Sheu et al. leaves open, varied: the number m of paths that a node takes from a neighbour, whether a node that
 * is relaxed both ways drops paths, and node-disjoint paths instead of link-disjoint ones.
 *
 * <p>Requests, networks and residual bandwidths are those of {@link Sheu}, with three paths. Each variant is compared with
 * {@code k-max-min} as the paper has it: m = 7, dropping, link-disjoint.
 */
final class SheuVariants {
    private static final double MEGABIT = 1e6;
    private static final int SUBFLOWS = 3;
    private static final int NODES = 40;
    private static final int PUBLISHED_M = 7;
    private static final List<Integer> OTHER_M = List.of(1, 2, 3, 5, 10, 15, 30);
    private static final PathStrategy OURS = PathStrategies.named("k-max-min");

    private final Table table = new Table("network", "strategy", "m", "drops", "disjoint", "requests", "paths", "max", "mean", "min",
            "throughput", "hops", "sum_gain", "sum_gain_ci95", "min_gain", "min_gain_ci95");

    /**
     * A strategy under a condition.
     *
     * @param m paths from a neighbour; 0 for a strategy without this number
     */
    private record Variant(PathStrategy strategy, int m, boolean drops, Disjointness disjoint) {
        private PathRequest of(PathRequest.Builder request) {
            return m == 0 ? request.disjointness(disjoint).build() : request.disjointness(disjoint).m(m).build();
        }
    }

    private SheuVariants() {
    }

    /**
     * Computes all variants.
     *
     * @param requests how many requests for each network
     * @param seed     the first request's seed; the next one has the next number
     * @return one row for each network and variant, the published one first; rates in Mbit/s
     */
    static Table evaluate(int requests, long seed) {
        SheuVariants variants = new SheuVariants();
        variants.ask("waxman", Sheu.waxman(NODES), requests, seed);
        variants.ask("internet2", drawn -> Topologies.os3e(MEGABIT), requests, seed);
        variants.ask("cernet", drawn -> Topologies.cernet(MEGABIT), requests, seed);
        return variants.table;
    }

    private static List<Variant> variants() {
        List<Variant> all = new ArrayList<>();
        all.add(new Variant(OURS, PUBLISHED_M, true, Disjointness.LINK));
        OTHER_M.forEach(m -> all.add(new Variant(OURS, m, true, Disjointness.LINK)));
        all.add(new Variant(KMaxMin.keepingAll(), PUBLISHED_M, false, Disjointness.LINK));
        all.add(new Variant(OURS, PUBLISHED_M, true, Disjointness.NODE));
        for (String rival : List.of("k-max", "widest-disjoint")) {
            all.add(new Variant(PathStrategies.named(rival), 0, true, Disjointness.LINK));
            all.add(new Variant(PathStrategies.named(rival), 0, true, Disjointness.NODE));
        }
        return all;
    }

    private void ask(String network, LongFunction<Topology> draw, int requests, long seed) {
        Map<Variant, PathStatistics> statistics = new LinkedHashMap<>();
        variants().forEach(variant -> statistics.put(variant, new PathStatistics()));
        Variant published = statistics.keySet().iterator().next();
        for (long drawn = seed; drawn < seed + requests; drawn++) {
            Graph graph = draw.apply(drawn).graph();
            double[] residual = Residuals.UNIFORM.draw(graph, new SplittableRandom(drawn).split());
            for (Map.Entry<Variant, PathStatistics> each : statistics.entrySet()) {
                PathRequest request = each.getKey().of(Sheu.between(graph, drawn).residual(residual).k(SUBFLOWS));
                PathSet answer = each.getKey().strategy().findPaths(request);
                each.getValue().add(answer, answer);
            }
        }
        statistics.forEach((variant, found) -> {
            Gain sum = found.over(statistics.get(published), PathStatistics.Measure.THROUGHPUT);
            Gain least = found.over(statistics.get(published), PathStatistics.Measure.MIN);
            table.row(network, variant.strategy().name(), variant.m(), variant.drops(), variant.disjoint(), found.answers(),
                    found.paths(), found.widest(), found.mean(), found.narrowest(), found.throughput(), found.hops(), sum.part(),
                    sum.error(), least.part(), least.error());
        });
    }
}
