// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;

class LeastSharedTest {
    /** 0–{1,2,3}–4, and 0–5–6–4 as a detour. */
    private static final Graph NET = Graph.builder(7)
            .link(0, 1, 10).link(1, 4, 10)
            .link(0, 2, 20).link(2, 4, 20)
            .link(0, 3, 10).link(3, 4, 10)
            .link(0, 5, 10).link(5, 6, 10).link(6, 4, 10)
            .build();

    @Test
    void aLongDisjointPathIsBetterThanAShortSharedOne() {
        assertArrayEquals(new int[] {0, 5, 6, 4}, path(nodes(0, 1, 4), nodes(0, 2, 4), nodes(0, 3, 4)));
    }

    @Test
    void ofTwoThatShareNothingTheShorterOneAndThenTheWiderOneIsTaken() {
        assertArrayEquals(new int[] {0, 2, 4}, path(nodes(0, 1, 4)));
        assertArrayEquals(new int[] {0, 1, 4}, path(nodes(0, 2, 4)), "of equals the first");
    }

    @Test
    void aLinkThatTwoSiblingsTakeCountsTwice() {
        assertArrayEquals(new int[] {0, 3, 4}, path(nodes(0, 1, 4), nodes(0, 1, 4), nodes(0, 2, 4), nodes(0, 2, 4),
                                                    nodes(0, 3, 4), nodes(0, 5, 6, 4)));
    }

    @Test
    void aLinkCountsInBothDirections() {
        assertArrayEquals(new int[] {0, 2, 4}, path(nodes(4, 1, 0)));
    }

    @Test
    void withoutAnyPathTheAnswerIsEmpty() {
        Graph oneWay = Graph.builder(3).link(0, 1, 10).link(1, 2, 10, 0).build();
        assertArrayEquals(new int[] {0, 1, 2},
                          LeastShared.find(PathRequest.on(oneWay).from(0).to(2).build()).get().nodes());
        assertFalse(LeastShared.find(PathRequest.on(oneWay).from(2).to(0).build()).isPresent());
        assertFalse(LeastShared.find(PathRequest.on(Graph.builder(2).build()).from(0).to(1).build()).isPresent());
    }

    @Test
    void withoutRegardToCapacitiesALinkThatHasNoneIsUsedToo() {
        Graph drained = Graph.builder(4).link(0, 1, 0).link(1, 3, 10).link(0, 2, 0).link(2, 3, 0).build();
        PathRequest request = PathRequest.on(drained).from(0).to(3).used(List.of(Path.along(drained, 0, 1, 3))).build();
        assertFalse(LeastShared.find(request).isPresent());
        assertArrayEquals(new int[] {0, 2, 3}, LeastShared.findWithoutCapacity(request).get().nodes());
        assertFalse(LeastShared.findWithoutCapacity(
                PathRequest.on(Graph.builder(2).build()).from(0).to(1).build()).isPresent());
    }

    @Test
    void noSimplePathSharesLess() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            Graph.Builder builder = Graph.builder(6);
            for (int a = 0; a < 6; a++) {
                for (int b = a + 1; b < 6; b++) {
                    if (random.nextInt(3) > 0) {
                        builder.link(a, b, 1 + random.nextInt(9));
                    }
                }
            }
            Graph graph = builder.build();
            List<Path> all = new ArrayList<>();
            extend(graph, new ArrayList<>(List.of(0)), all);
            if (all.isEmpty()) {
                continue;
            }
            List<Path> used = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                used.add(all.get(random.nextInt(all.size())));
            }
            Path found = LeastShared.find(PathRequest.on(graph).from(0).to(5).used(used).build()).get();
            long least = all.stream().mapToLong(path -> shared(path, used)).min().getAsLong();
            assertEquals(least, shared(found, used));
            int fewest = all.stream().filter(path -> shared(path, used) == least).mapToInt(Path::hops).min().getAsInt();
            assertEquals(fewest, found.hops());
        }
    }

    private static void extend(Graph graph, List<Integer> nodes, List<Path> all) {
        int last = nodes.get(nodes.size() - 1);
        if (last == 5) {
            all.add(Path.along(graph, nodes.stream().mapToInt(Integer::intValue).toArray()));
            return;
        }
        for (int i = 0; i < graph.degree(last); i++) {
            int next = graph.head(graph.arcFrom(last, i));
            if (!nodes.contains(next)) {
                nodes.add(next);
                extend(graph, nodes, all);
                nodes.remove(nodes.size() - 1);
            }
        }
    }

    private static long shared(Path path, List<Path> used) {
        long sum = 0;
        for (int arc : path.arcs()) {
            sum += used.stream().filter(other -> other.usesLink(Graph.linkOf(arc))).count();
        }
        return sum;
    }

    private static Path nodes(int... nodes) {
        return Path.along(NET, nodes);
    }

    private static int[] path(Path... used) {
        return LeastShared.find(PathRequest.on(NET).from(0).to(4).used(List.of(used)).build()).get().nodes();
    }
}
