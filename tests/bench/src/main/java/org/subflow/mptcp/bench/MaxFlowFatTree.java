// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jgrapht.alg.flow.DinicMFImpl;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.search.MaximumFlow;

/**
 * Maximum flow between edge switches in different pods of a fat tree (S-MPTCP, Table 4), ours and a library's.
 *
 * <p>Hosts are vertices as in the table, so that there are as many. But a host has one link, which would be the flow. One
 * object of a library serves all queries of a network, as the libraries provide. One operation is one pair of switches.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxFlowFatTree {
    private static final int QUERIES = 16;
    /** The peers treat smaller differences, as a part of the flow, as 0. */
    private static final double ROUNDING = 1e-9;

    /** A library's maximum flow. */
    interface Peer {
        /** Returns the value of the maximum flow between two nodes, in bit/s. */
        double value(int source, int target);
    }

    /** The libraries. */
    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    public enum Library {
        /** JGraphT's {@code DinicMFImpl}. */
        JGRAPHT(graph -> new DinicMFImpl<>(JgraphtNetworks.of(graph))::getMaximumFlowValue),
        /** OR-tools' {@code MaxFlow}. */
        ORTOOLS(OrToolsFlow::new);

        private final Function<Graph, Peer> maker;

        Library(Function<Graph, Peer> maker) {
            this.maker = maker;
        }
    }

    /** Ports of a switch. */
    @Param("32")
    public int k;

    /** The peer. */
    @Param("JGRAPHT")
    public Library library;

    /** Number of networks with capacities of their own. */
    @Param("1")
    public int seeds;

    private List<Query> queries;
    private final List<Peer> peers = new ArrayList<>();

    /** Makes the trees twice and has both answer all queries once. */
    @Setup
    public void prepare() {
        queries = Query.acrossPods(k, QUERIES, seeds);
        IdentityHashMap<Graph, Peer> byGraph = new IdentityHashMap<>();
        for (int i = 0; i < QUERIES; i++) {
            Query query = queries.get(i);
            peers.add(byGraph.computeIfAbsent(query.graph(), library.maker));
            Disagreement.check("maximum flow from " + query.source() + " to " + query.target(),
                    flow(i), peers.get(i).value(query.source(), query.target()), ROUNDING);
        }
    }

    /** Runs our implementation; returns the flow of each pair in bit/s. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public double[] ours() {
        return IntStream.range(0, QUERIES).mapToDouble(this::flow).toArray();
    }

    /** Runs the library; returns the flow of each pair in bit/s. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public double[] peer() {
        return IntStream.range(0, QUERIES)
                .mapToDouble(i -> peers.get(i).value(queries.get(i).source(), queries.get(i).target())).toArray();
    }

    private double flow(int i) {
        Query query = queries.get(i);
        return MaximumFlow.value(query.graph(), query.source(), query.target());
    }
}
