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
import org.subflow.mptcp.path.PathStrategies;

/** Sandri et al. (Multiflow), Fig. 4 (the path of each subflow) and Fig. 9 (the processing time of a packet). */
final class Multiflow {
    private static final double TEN_MEGABIT = 10e6;
    private static final int ITERATIONS = 10;

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

    private static String switches(Path path) {
        return IntStream.of(path.nodes()).mapToObj(node -> String.valueOf(node + 1)).collect(Collectors.joining("-"));
    }

    /** Measures {@link PacketCost}. */
    static Table packetCost() throws RunnerException {
        Map<String, Score> scores = Harness.measure(PacketCost.class, Map.of(), 1, ITERATIONS);
        Table table = new Table("packet", "parse_us", "parse_error_us", "answer_us", "answer_error_us");
        for (String packet : List.of("Plain", "Capable", "Join")) {
            Score parse = scores.get("parse" + packet);
            Score answer = scores.get("answer" + packet);
            table.row(packet.toLowerCase(Locale.ROOT), parse.micros(), parse.error(), answer.micros(), answer.error());
        }
        return table;
    }
}
