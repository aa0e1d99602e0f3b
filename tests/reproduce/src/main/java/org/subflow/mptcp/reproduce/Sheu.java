// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategies;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/**
 * Sheu et al., Fig. 3.1 to 3.6: k paths between two random nodes by {@code k-max-min} (m = 7), {@code k-max} and
 * {@code shortest}, and by our {@code widest-disjoint}.
 *
 * <p>The paper measures with iperf in Mininet under random traffic that it does not describe. Here every link's residual
 * bandwidth is drawn uniformly from 1 to 100 Mbit/s, and a path's throughput is its bottleneck. Each request has its own
 * graph (on the two real networks, its own bandwidths) and pair of nodes, the same for all strategies.
 *
 * <p>The table also has an upper bound for every strategy with disjoint paths. The j widest of such paths are j disjoint
 * paths. So the j-th widest has at most the largest smallest bottleneck of j disjoint paths. {@code widest-disjoint} finds
 * that bottleneck. The sum of these over all j bounds any sum of bottlenecks.
 */
final class Sheu {
    private static final double MEGABIT = 1e6;
    private static final int SUBFLOWS = 3;
    private static final int LARGEST_WAXMAN = 50;
    private static final String RIVAL = "k-max";
    private static final PathStrategy EXACT = PathStrategies.named("widest-disjoint");
    private static final List<String> STRATEGIES = List.of("k-max-min", RIVAL, "shortest", EXACT.name());

    private final int requests;
    private final long seed;
    private final Table table = new Table("network", "residuals", "nodes", "k", "strategy", "requests", "paths", "max", "mean",
            "min", "throughput", "throughput_ci95", "hops", "above_k_max", "below_k_max", "limit");

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
        for (int nodes = 10; nodes <= LARGEST_WAXMAN; nodes += 10) {
            sheu.ask("waxman", waxman(nodes), Residuals.UNIFORM, List.of(SUBFLOWS));
        }
        sheu.askOnRealNetworks(Residuals.UNIFORM);
        sheu.ask("waxman-k", waxman(40), Residuals.UNIFORM, IntStream.rangeClosed(1, 6).boxed().toList());
        return sheu.table;
    }

    /** As {@link #evaluate}, for the largest networks under all kinds of residuals. */
    static Table underOtherTraffic(int requests, long seed) {
        Sheu sheu = new Sheu(requests, seed);
        for (Residuals residuals : Residuals.values()) {
            sheu.ask("waxman", waxman(LARGEST_WAXMAN), residuals, List.of(SUBFLOWS));
            sheu.askOnRealNetworks(residuals);
        }
        return sheu.table;
    }

    private void askOnRealNetworks(Residuals residuals) {
        ask("internet2", drawn -> Topologies.os3e(MEGABIT), residuals, List.of(SUBFLOWS));
        ask("cernet", drawn -> Topologies.cernet(MEGABIT), residuals, List.of(SUBFLOWS));
    }

    private static LongFunction<Topology> waxman(int nodes) {
        return drawn -> Waxman.sheu(nodes, MEGABIT, drawn);
    }

    private void ask(String network, LongFunction<Topology> draw, Residuals residuals, List<Integer> counts) {
        for (int k : counts) {
            Map<String, PathStatistics> statistics = new LinkedHashMap<>();
            STRATEGIES.forEach(strategy -> statistics.put(strategy, new PathStatistics()));
            double limit = 0;
            int nodes = 0;
            for (long drawn = seed; drawn < seed + requests; drawn++) {
                Graph graph = draw.apply(drawn).graph();
                nodes = graph.nodeCount();
                PathRequest.Builder request = between(graph, drawn)
                        .residual(residuals.draw(graph, new SplittableRandom(drawn).split()));
                limit += limit(request, k);
                PathRequest asked = request.k(k).build();
                PathSet rival = PathStrategies.named(RIVAL).findPaths(asked);
                statistics.forEach((strategy, all) -> all.add(PathStrategies.named(strategy).findPaths(asked), rival));
            }
            report(network, residuals, nodes, k, statistics, limit / requests);
        }
    }

    private static PathRequest.Builder between(Graph graph, long drawn) {
        SplittableRandom random = new SplittableRandom(drawn);
        int source = random.nextInt(graph.nodeCount());
        int target = (source + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
        return PathRequest.on(graph).from(source).to(target);
    }

    /** Returns a bound on the sum of the bottlenecks of at most {@code k} disjoint paths, in Mbit/s. */
    private static double limit(PathRequest.Builder request, int k) {
        double sum = 0;
        for (int count = 1; count <= k; count++) {
            PathSet widest = EXACT.findPaths(request.k(count).build());
            sum += widest.size() == count ? widest.minResidual() / MEGABIT : 0;
        }
        return sum;
    }

    private void report(String network, Residuals residuals, int nodes, int k, Map<String, PathStatistics> statistics,
                        double limit) {
        statistics.forEach((strategy, all) -> table.row(network, residuals, nodes, k, strategy, all.answers(), all.paths(),
                all.widest(), all.mean(), all.narrowest(), all.throughput(), all.throughputConfidence(), all.hops(),
                all.aboveOther(), all.belowOther(), limit));
    }
}
