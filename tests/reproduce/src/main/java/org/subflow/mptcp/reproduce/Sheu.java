// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/**
 * Sheu et al., Fig. 3.1 to 3.6: k paths between two random nodes by {@code k-max-min} (m = 7), {@code k-max} and
 * {@code shortest}, and by our {@code widest-disjoint} beside them.
 *
 * <p>The paper measures with iperf in Mininet under random traffic that it does not describe. Here every link's residual
 * bandwidth is drawn uniformly from 1 to 100 Mbit/s, and a path's throughput is its bottleneck. Each request has a graph (or,
 * on the two real networks, bandwidths) and a pair of nodes of its own, the same for all strategies.
 */
final class Sheu {
    private static final double MEGABIT = 1e6;
    private static final int SUBFLOWS = 3;
    private static final String RIVAL = "k-max";
    private static final List<String> STRATEGIES = List.of("k-max-min", RIVAL, "shortest", "widest-disjoint");

    private final int requests;
    private final long seed;
    private final Table table = new Table("network", "nodes", "k", "strategy", "requests", "paths", "max", "mean", "min",
            "throughput", "throughput_ci95", "hops", "above_k_max", "below_k_max");

    private Sheu(int requests, long seed) {
        this.requests = requests;
        this.seed = seed;
    }

    /**
     * Computes all figures' data.
     *
     * @param requests how many requests for each point
     * @param seed     the first request's seed; the next one has the next number
     * @return one row for each network, k and strategy; rates in Mbit/s
     */
    static Table evaluate(int requests, long seed) {
        Sheu sheu = new Sheu(requests, seed);
        for (int nodes = 10; nodes <= 50; nodes += 10) {
            sheu.ask("waxman", waxman(nodes), List.of(SUBFLOWS));
        }
        sheu.ask("internet2", drawn -> Topologies.os3e(MEGABIT), List.of(SUBFLOWS));
        sheu.ask("cernet", drawn -> Topologies.cernet(MEGABIT), List.of(SUBFLOWS));
        sheu.ask("waxman-k", waxman(40), IntStream.rangeClosed(1, 6).boxed().toList());
        return sheu.table;
    }

    private static LongFunction<Topology> waxman(int nodes) {
        return drawn -> Waxman.sheu(nodes, MEGABIT, drawn);
    }

    private void ask(String network, LongFunction<Topology> draw, List<Integer> counts) {
        for (int k : counts) {
            Map<String, PathStatistics> statistics = new LinkedHashMap<>();
            STRATEGIES.forEach(strategy -> statistics.put(strategy, new PathStatistics()));
            int nodes = 0;
            for (long drawn = seed; drawn < seed + requests; drawn++) {
                Topology topology = draw.apply(drawn).withUniformCapacities(MEGABIT, 100 * MEGABIT, drawn);
                nodes = topology.graph().nodeCount();
                PathRequest request = between(topology, k, drawn);
                PathSet rival = PathStrategies.named(RIVAL).findPaths(request);
                statistics.forEach((strategy, all) -> all.add(PathStrategies.named(strategy).findPaths(request), rival));
            }
            report(network, nodes, k, statistics);
        }
    }

    private static PathRequest between(Topology topology, int k, long drawn) {
        SplittableRandom random = new SplittableRandom(drawn);
        int nodes = topology.graph().nodeCount();
        int source = random.nextInt(nodes);
        int target = (source + 1 + random.nextInt(nodes - 1)) % nodes;
        return PathRequest.on(topology.graph()).from(source).to(target).k(k).build();
    }

    private void report(String network, int nodes, int k, Map<String, PathStatistics> statistics) {
        statistics.forEach((strategy, all) -> table.row(network, nodes, k, strategy, all.answers(), all.paths(), all.widest(),
                all.mean(), all.narrowest(), all.throughput(), all.throughputConfidence(), all.hops(), all.aboveOther(),
                all.belowOther()));
    }
}
