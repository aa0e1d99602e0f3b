// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.FirstKMax;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.path.topology.Topologies;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.path.topology.Waxman;

/**
 * Sheu et al., Fig. 3.1 to 3.6: k paths between two random nodes by {@code k-max-min} (m = 7), {@code k-max} and
 * {@code shortest}, by our {@code widest-disjoint}, and by {@link FirstKMax}.
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
    private static final PathStrategy FIRST_K_MAX = new FirstKMax();
    private static final String OURS = "k-max-min";
    private static final List<PathStrategy> STRATEGIES = List.of(PathStrategies.named(OURS), PathStrategies.named(RIVAL),
            FIRST_K_MAX, PathStrategies.named("shortest"), EXACT);
    private static final int PATHS_OF_EXAMPLE = 3;
    private static final int M_OF_EXAMPLE = 4;

    private final int requests;
    private final long seed;
    private final Table table = new Table("network", "residuals", "nodes", "k", "strategy", "requests", "paths", "max", "mean",
            "min", "throughput", "throughput_ci95", "hops", "above_k_max", "below_k_max", "limit");
    private final Table gains = new Table("network", "residuals", "nodes", "k", "over", "measure", "gain", "gain_ci95",
            "requests", "as_many", "gain_as_many", "gain_as_many_ci95");

    private Sheu(int requests, long seed) {
        this.requests = requests;
        this.seed = seed;
    }

    /**
     * What comes out.
     *
     * @param strategies one row for each network, k and strategy; rates in Mbit/s
     * @param gains      by how much {@code k-max-min} is above each other strategy; 0.08 for 8 %. Also over the requests to which
     *                   both find as many paths, and how many these are
     */
    record Result(Table strategies, Table gains) {
    }

    /**
     * Computes all figures' data.
     *
     * @param requests how many requests for each point
     * @param seed     the first request's seed; the next one has the next number
     */
    static Result evaluate(int requests, long seed) {
        Sheu sheu = new Sheu(requests, seed);
        for (int nodes = 10; nodes <= LARGEST_WAXMAN; nodes += 10) {
            sheu.ask("waxman", waxman(nodes), Residuals.UNIFORM, List.of(SUBFLOWS));
        }
        sheu.askOnRealNetworks(Residuals.UNIFORM);
        sheu.ask("waxman-k", waxman(40), Residuals.UNIFORM, IntStream.rangeClosed(1, 6).boxed().toList());
        return new Result(sheu.table, sheu.gains);
    }

    /** Returns the bottlenecks in Mbit/s that the worked example of Fig. 2.1 to 2.6 has: its first and its best set. */
    static Table example() {
        Topology topology = Topologies.sheu8();
        PathRequest request = PathRequest.on(topology.graph()).from(topology.node("s")).to(topology.node("t"))
                .k(PATHS_OF_EXAMPLE).m(M_OF_EXAMPLE).build();
        Table table = new Table("figure", "bottlenecks");
        table.row("2.5", bottlenecks(FIRST_K_MAX.findPaths(request)));
        table.row("2.6", bottlenecks(PathStrategies.named(OURS).findPaths(request)));
        return table;
    }

    private static String bottlenecks(PathSet paths) {
        return paths.paths().stream().map(path -> String.valueOf(Math.round(path.residual() / MEGABIT)))
                .collect(Collectors.joining("/"));
    }

    /** As {@link #evaluate}, for the largest networks under all kinds of residuals. */
    static Result underOtherTraffic(int requests, long seed) {
        Sheu sheu = new Sheu(requests, seed);
        for (Residuals residuals : Residuals.values()) {
            sheu.ask("waxman", waxman(LARGEST_WAXMAN), residuals, List.of(SUBFLOWS));
            sheu.askOnRealNetworks(residuals);
        }
        return new Result(sheu.table, sheu.gains);
    }

    private void askOnRealNetworks(Residuals residuals) {
        ask("internet2", drawn -> Topologies.os3e(MEGABIT), residuals, List.of(SUBFLOWS));
        ask("cernet", drawn -> Topologies.cernet(MEGABIT), residuals, List.of(SUBFLOWS));
    }

    static LongFunction<Topology> waxman(int nodes) {
        return drawn -> Waxman.sheu(nodes, MEGABIT, drawn);
    }

    private void ask(String network, LongFunction<Topology> draw, Residuals residuals, List<Integer> counts) {
        for (int k : counts) {
            Map<String, PathStatistics> statistics = new LinkedHashMap<>();
            STRATEGIES.forEach(strategy -> statistics.put(strategy.name(), new PathStatistics()));
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
                STRATEGIES.forEach(strategy -> statistics.get(strategy.name()).add(strategy.findPaths(asked), rival));
            }
            report(network, residuals, nodes, k, statistics, limit / requests);
        }
    }

    /** Returns a request between two nodes that are drawn. */
    static PathRequest.Builder between(Graph graph, long drawn) {
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
        statistics.forEach((strategy, all) -> {
            for (PathStatistics.Measure measure : PathStatistics.Measure.values()) {
                Gain gain = statistics.get(OURS).over(all, measure);
                Gain asMany = statistics.get(OURS).overWithAsMany(all, measure);
                gains.row(network, residuals, nodes, k, strategy, measure.name().toLowerCase(Locale.ROOT), gain.part(),
                        gain.error(), all.answers(), statistics.get(OURS).withAsMany(all), asMany.part(), asMany.error());
            }
        });
    }
}
