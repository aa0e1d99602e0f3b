// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;
import org.subflow.mptcp.bench.Harness;
import org.subflow.mptcp.bench.Score;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.share.Allocators;
import org.subflow.mptcp.share.SharingProblem;

/** Sandri et al. (Multiflow), Fig. 4 (the path of each subflow) and Fig. 9 (the processing time of a packet). */
final class Multiflow {
    private static final double MEGABIT = 1e6;
    private static final double TEN_MEGABIT = 10e6;
    private static final double UDP = 7e6;

    private Multiflow() {
    }

    /** Returns the topology of Fig. 4: switches 1–{2, 3, 4}–5, here 0–{1, 2, 3}–4, with links of 10 Mbit/s. */
    static Graph topology() {
        Graph.Builder builder = Graph.builder(5);
        for (int middle = 1; middle <= 3; middle++) {
            builder.link(0, middle, TEN_MEGABIT).link(middle, 4, TEN_MEGABIT);
        }
        return builder.build();
    }

    /** Returns the path of a further subflow whose elder siblings are on the given paths; empty if none is left. */
    static PathSet next(Graph graph, List<Path> siblings) {
        return PathStrategies.named("multiflow").findPaths(PathRequest.on(graph).from(0).to(4).used(siblings).build());
    }

    /** Adds four subflows of one connection and one of another, one by one. */
    static Table pruning() {
        Table table = new Table("subflow", "path", "links_left");
        Graph graph = topology();
        for (int connection = 1; connection <= 2; connection++) {
            List<Path> siblings = new ArrayList<>();
            for (int subflow = 1; subflow <= (connection == 1 ? 4 : 1); subflow++) {
                PathSet answer = next(graph, siblings);
                siblings.addAll(answer.paths());
                table.row("SF" + connection + "." + subflow, answer.isEmpty() ? "none" : switches(answer.get(0)),
                        graph.linkCount() - siblings.stream().mapToInt(Path::hops).sum());
            }
        }
        return table;
    }

    /**
     * Adds subflows as Algorithms 1 and 2 are printed: the MP_CAPABLE takes a shortest path and prunes nothing, and lines 7 and
     * 15 prune one topology of all connections. Four subflows of one connection, and two of another.
     */
    static Table asPublished() {
        Table table = new Table("subflow", "path");
        Graph graph = topology();
        List<Path> pruned = new ArrayList<>();
        for (int connection = 1; connection <= 2; connection++) {
            for (int subflow = 1; subflow <= (connection == 1 ? 4 : 2); subflow++) {
                boolean joins = subflow > 1;
                // A token that is known has the topology as the last JOIN of any connection with that token left it. With one
                // connection after the other, that is the common one.
                PathSet answer = next(graph, joins ? pruned : List.of());
                if (joins) {
                    pruned.addAll(answer.paths());
                }
                table.row("SF" + connection + "." + subflow, answer.isEmpty() ? "none" : switches(answer.get(0)));
            }
        }
        return table;
    }

    /** Computes what max-min fair shares the settings of Fig. 6 and 8 leave to a connection, in Mbit/s on the wire. */
    static Table shares() {
        Table table = new Table("figure", "setting", "share");
        double free = TEN_MEGABIT - UDP;
        table.row("6", "one path with UDP", share(new double[] {free}, 1, new int[][] {{0}, {0}, {0}}));
        table.row("6", "three paths with UDP on one", share(new double[] {TEN_MEGABIT, free, TEN_MEGABIT}, 1,
                new int[][] {{0}, {1}, {2}}));
        table.row("8", "three TCP on one path", share(new double[] {TEN_MEGABIT}, 3, new int[][] {{0}}));
        table.row("8", "three MPTCP on three paths", share(new double[] {TEN_MEGABIT, TEN_MEGABIT, TEN_MEGABIT}, 3,
                new int[][] {{0}, {1}, {2}}));
        return table;
    }

    /** Returns the share of one of some connections that all have the same subflows. */
    private static double share(double[] capacities, int connections, int[][] subflows) {
        SharingProblem.Builder problem = SharingProblem.builder(capacities);
        for (int connection = 0; connection < connections; connection++) {
            problem.connection();
            for (int[] arcs : subflows) {
                problem.subflow(arcs);
            }
        }
        return Allocators.byName("max-min").allocate(problem.build()).total(0) / MEGABIT;
    }

    private static String switches(Path path) {
        return IntStream.of(path.nodes()).mapToObj(node -> String.valueOf(node + 1)).collect(Collectors.joining("-"));
    }

    /** Measures {@link PacketCost}. */
    static Table packetCost(int iterations) throws RunnerException {
        Map<String, Score> scores = Harness.measure(PacketCost.class, Map.of(), 1, iterations);
        Table table = new Table("packet", "parse_us", "parse_error_us", "answer_us", "answer_error_us");
        for (String packet : List.of("Plain", "Capable", "Join")) {
            Score parse = scores.get("parse" + packet);
            Score answer = scores.get("answer" + packet);
            table.row(packet.toLowerCase(Locale.ROOT), parse.micros(), parse.error(), answer.micros(), answer.error());
        }
        return table;
    }
}
