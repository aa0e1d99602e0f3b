// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.strategy.PathStrategies;

/**
 * Three link-disjoint paths by one of our strategies. A library finds the number of such paths and the largest smallest
 * bottleneck: the two exact goals of {@code widest-disjoint}. One operation is one pair of nodes.
 *
 * <p>Tried for the peer, for the 16 pairs of the fat tree, of the Waxman graphs, and of the same with symmetric capacities:
 * OR-tools' {@code MaxFlow} is the fastest, with 216, 1.3 and 1.2 ms on a busy machine. JGraphT's best maximum flows took 3.2 s
 * (Dinic), 6.5 ms and 3.0 ms (Boykov and Kolmogorov); its Suurballe is slower.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DisjointPaths {
    private static final int QUERIES = 16;
    private static final int K = 3;

    /** A library's way to the optimum. */
    interface Peer {
        /** Finds the largest smallest bottleneck of as many link-disjoint paths as exist, at most {@code k}. */
        Optimum find(int source, int target, int k);
    }

    /**
     * The largest smallest bottleneck.
     *
     * @param paths     number of disjoint paths, 0 if there is none
     * @param narrowest the smallest bottleneck in bit/s; 0 if there is no path
     */
    record Optimum(int paths, double narrowest) {
    }

    /** What is asked where. */
    @SuppressWarnings("ImmutableEnumChecker") // strategies have no state of their own
    public enum Workload {
        /** Edge switches of a fat tree with 1,280 switches and 16,384 links. */
        WIDEST_DISJOINT_FATTREE32("widest-disjoint", OrToolsWidestDisjoint::new),
        /** Waxman graphs of 50 nodes, one for each query, with a capacity for each direction of a link. */
        WIDEST_DISJOINT_WAXMAN50("widest-disjoint", OrToolsWidestDisjoint::new),
        /** The same with one capacity for both directions of a link. */
        WIDEST_DISJOINT_WAXMAN50_SYMMETRIC("widest-disjoint", OrToolsWidestDisjoint::new),
        /** Gabriel graphs of a chosen number of nodes, with a capacity for each direction of a link. */
        WIDEST_DISJOINT_GABRIEL("widest-disjoint", OrToolsWidestDisjoint::new),
        /** As WAXMAN50, with the heuristic of Sheu et al. (m = 7), which no library has; the peer finds the optimum. */
        K_MAX_MIN_WAXMAN50("k-max-min", OrToolsWidestDisjoint::new);

        private final PathStrategy strategy;
        private final Function<Graph, Peer> peer;

        Workload(String strategy, Function<Graph, Peer> peer) {
            this.strategy = PathStrategies.named(strategy);
            this.peer = peer;
        }

        private List<Query> queries(int nodes, int seeds) {
            return switch (this) {
                case WIDEST_DISJOINT_FATTREE32 -> Query.amongSwitches(32, QUERIES, seeds);
                case WIDEST_DISJOINT_GABRIEL -> Query.gabriel(nodes, QUERIES, seeds);
                default -> Query.waxman50(QUERIES, this == WIDEST_DISJOINT_WAXMAN50_SYMMETRIC);
            };
        }

        private boolean isExact() {
            return this != K_MAX_MIN_WAXMAN50;
        }
    }

    /** What is asked where. */
    @Param
    public Workload workload;

    /** Number of nodes of the Gabriel graphs; the others have their own. */
    @Param("50")
    public int nodes;

    /** Number of graphs; each query on a Waxman graph has a graph of its own anyhow. */
    @Param("1")
    public int seeds;

    private List<Query> queries;
    private final List<Peer> peers = new ArrayList<>();

    /** Prepares both and has them answer all queries once. */
    @Setup
    public void prepare() {
        queries = workload.queries(nodes, seeds);
        IdentityHashMap<Graph, Peer> byGraph = new IdentityHashMap<>();
        for (int i = 0; i < QUERIES; i++) {
            peers.add(byGraph.computeIfAbsent(queries.get(i).graph(), workload.peer));
            if (workload.isExact()) {
                checkSame(i);
            } else {
                checkNotBetter(i);
            }
        }
    }

    /** Runs our implementation. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public void ours(Blackhole sink) {
        for (int i = 0; i < QUERIES; i++) {
            sink.consume(askOurs(i));
        }
    }

    /** Runs JGraphT. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public void peer(Blackhole sink) {
        for (int i = 0; i < QUERIES; i++) {
            sink.consume(askPeer(i));
        }
    }

    private PathSet askOurs(int i) {
        Query query = queries.get(i);
        return workload.strategy.findPaths(
                PathRequest.on(query.graph()).from(query.source()).to(query.target()).k(K).build());
    }

    private Optimum askPeer(int i) {
        return peers.get(i).find(queries.get(i).source(), queries.get(i).target(), K);
    }

    private void checkSame(int i) {
        PathSet ours = askOurs(i);
        Optimum peers = askPeer(i);
        Disagreement.check("number of paths in query " + i, ours.size(), peers.paths(), 0);
        Disagreement.check("smallest bottleneck in query " + i, ours.minResidual(), peers.narrowest(), 0);
    }

    private void checkNotBetter(int i) {
        PathSet ours = askOurs(i);
        Optimum optimum = askPeer(i);
        Disagreement.unless(ours.size() < optimum.paths()
                || ours.size() == optimum.paths() && ours.minResidual() <= optimum.narrowest(),
                "query " + i + ": " + ours + " is better than the optimum " + optimum);
    }
}
