// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.bench;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jgrapht.alg.flow.DinicMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
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
import org.subflow.mptcp.path.MaximumFlow;

/**
 * Maximum flow between hosts in different pods of a fat tree (S-MPTCP, Table 4), ours and JGraphT's Dinic.
 *
 * <p>One object of JGraphT serves all queries, as its interface provides. One operation is one pair of hosts.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MaxFlowFatTree {
    private static final int QUERIES = 8;
    /** JGraphT treats smaller differences, in bit/s, as 0. */
    private static final double ROUNDING = 1e-9;

    /** Ports of a switch. */
    @Param("32")
    public int k;

    private List<Query> queries;
    private DinicMFImpl<Integer, DefaultWeightedEdge> peer;

    /** Makes the tree twice and has both answer all queries once. */
    @Setup
    public void prepare() {
        queries = Query.betweenHosts(k, QUERIES);
        peer = new DinicMFImpl<>(JgraphtNetworks.of(queries.get(0).graph()));
        for (Query query : queries) {
            Disagreement.check("maximum flow from " + query.source() + " to " + query.target(),
                    flow(query), peer.getMaximumFlowValue(query.source(), query.target()), ROUNDING);
        }
    }

    /** Runs our implementation. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public void ours(Blackhole sink) {
        for (Query query : queries) {
            sink.consume(flow(query));
        }
    }

    /** Runs JGraphT. */
    @Benchmark
    @OperationsPerInvocation(QUERIES)
    public void peer(Blackhole sink) {
        for (Query query : queries) {
            sink.consume(peer.getMaximumFlowValue(query.source(), query.target()));
        }
    }

    private static double flow(Query query) {
        return MaximumFlow.value(query.graph(), query.source(), query.target());
    }
}
