// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;

/** Multiflow, Fig. 4: switches 1–{2,3,4}–5, here 0–{1,2,3}–4. */
class MultiflowTest {
    private static final double TEN_MEGABIT = 10e6;

    private final Graph fig4 = Graph.builder(5)
            .link(0, 1, TEN_MEGABIT).link(0, 2, TEN_MEGABIT).link(0, 3, TEN_MEGABIT)
            .link(1, 4, TEN_MEGABIT).link(2, 4, TEN_MEGABIT).link(3, 4, TEN_MEGABIT).build();
    private final PathStrategy multiflow = PathStrategies.named("multiflow");

    @Test
    void subflowsThatComeOneByOneTakeThreePathsAndTheFourthFindsNone() {
        List<Path> siblings = new ArrayList<>();
        for (int subflow = 1; subflow <= 3; subflow++) {
            PathSet answer = multiflow.findPaths(next(siblings));
            assertEquals(1, answer.size(), "SF1." + subflow);
            siblings.add(answer.get(0));
        }

        assertEquals(Path.along(fig4, 0, 1, 4), siblings.get(0), "SF1.1 takes 1-2-5, as in the figure");
        assertEquals(3, new HashSet<>(siblings).size());
        assertTrue(multiflow.findPaths(next(siblings)).isEmpty(), "a fourth subflow");
    }

    @Test
    void anotherConnectionStartsFromTheFullTopology() {
        multiflow.findPaths(next(List.of()));

        assertEquals(Path.along(fig4, 0, 1, 4), multiflow.findPaths(next(List.of())).get(0), "SF2.1");
    }

    @Test
    void oneRequestForAllSubflowsGivesTheSamePathsAsOneByOne() {
        PathSet together = multiflow.findPaths(PathRequest.on(fig4).from(0).to(4).k(4).build());

        assertEquals(List.of(Path.along(fig4, 0, 1, 4), Path.along(fig4, 0, 2, 4), Path.along(fig4, 0, 3, 4)),
                together.paths());
        assertEquals(Disjointness.LINK, together.disjointness());
    }

    private PathRequest next(List<Path> siblings) {
        return PathRequest.on(fig4).from(0).to(4).used(siblings).build();
    }
}
