// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.subflow.mptcp.path.Disjointness;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.path.Path;
import org.subflow.mptcp.path.PathRequest;
import org.subflow.mptcp.path.PathSet;
import org.subflow.mptcp.path.PathStrategy;
import org.subflow.mptcp.path.topology.RandomGeometric;
import org.subflow.mptcp.path.topology.Topology;

/** Link-, node- and zone-disjoint routing as Gómez et al. compare them, and the exact forms of the first two. */
class GomezTest {
    private static final int MANY = 100;
    private final PathStrategy linkDisjoint = PathStrategies.named("link-disjoint");
    private final PathStrategy nodeDisjoint = PathStrategies.named("node-disjoint");
    private final PathStrategy zoneDisjoint = PathStrategies.named("zone-disjoint");

    @Provide
    Arbitrary<PathRequest.Builder> requests() {
        return Networks.requests(7);
    }

    @Property(tries = 2000)
    void exactFindsAsManyPathsAsExistWithTheFewestHops(@ForAll("requests") PathRequest.Builder builder) {
        PathRequest request = builder.k(3).exact(true).build();
        for (PathStrategy strategy : List.of(linkDisjoint, nodeDisjoint)) {
            Disjointness kind = strategy.disjointness().get(0);
            PathSet answer = strategy.findPaths(request);

            assertEquals(BruteForce.mostPaths(request, kind), answer.size());
            if (!answer.isEmpty()) {
                assertEquals(BruteForce.fewestHops(request, kind, answer.size(), 0), answer.hops());
            }
        }
    }

    /** Fig. 4 and 5 on their square with 64 nodes: a stricter disjointness gives fewer routes and a longer second one. */
    @Example
    void aStricterDisjointnessGivesFewerAndLongerRoutes() {
        int link = 0;
        int node = 0;
        int zone = 0;
        int[] secondHops = new int[3];
        for (int seed = 0; seed < 300; seed++) {
            PathRequest request = gomez(seed).build();
            PathSet ld = linkDisjoint.findPaths(request);
            PathSet nd = nodeDisjoint.findPaths(request);
            PathSet zd = zoneDisjoint.findPaths(request);
            assertEquals(ld.get(0), nd.get(0), "the first route is the same for all");
            assertEquals(ld.get(0), zd.get(0), "the first route is the same for all");
            link += ld.size() > 1 ? 1 : 0;
            node += nd.size() > 1 ? 1 : 0;
            zone += zd.size() > 1 ? 1 : 0;
            if (zd.size() > 1) {
                assertTrue(ld.size() > 1 && nd.size() > 1, "LD and ND find a second route wherever ZD does");
                assertTrue(ld.get(1).hops() <= nd.get(1).hops() && nd.get(1).hops() <= zd.get(1).hops(),
                        "second routes");
                secondHops[0] += ld.get(1).hops();
                secondHops[1] += nd.get(1).hops();
                secondHops[2] += zd.get(1).hops();
            }
        }
        assertTrue(link >= node && node > zone && zone > 0, link + " ≥ " + node + " > " + zone);
        assertTrue(secondHops[0] <= secondHops[1] && secondHops[1] < secondHops[2]);
    }

    @Example
    void greedyDeletionMissesPathsThatExist() {
        int missed = 0;
        for (int seed = 0; seed < 100; seed++) {
            int greedy = nodeDisjoint.findPaths(gomez(seed).build()).size();
            int exact = nodeDisjoint.findPaths(gomez(seed).exact(true).build()).size();
            assertTrue(exact >= greedy);
            missed += exact > greedy ? 1 : 0;
        }
        assertTrue(missed > 0, "on some of 100 graphs with 64 nodes");
    }

    @Example
    void aDirectLinkEndsNodeAndZoneDisjointButNotTheExactForm() {
        Graph graph = Graph.builder(3).link(0, 1, 1).link(0, 2, 1).link(2, 1, 1).build();
        PathRequest.Builder request = PathRequest.on(graph).from(0).to(1).k(MANY);

        assertEquals(2, linkDisjoint.findPaths(request.build()).size());
        assertEquals(List.of(Path.along(graph, 0, 1)), nodeDisjoint.findPaths(request.build()).paths());
        assertEquals(List.of(Path.along(graph, 0, 1)), zoneDisjoint.findPaths(request.build()).paths());
        assertEquals(2, nodeDisjoint.findPaths(request.exact(true).build()).size());
        PathRequest next = PathRequest.on(graph).from(0).to(1).used(List.of(Path.along(graph, 0, 1))).build();
        assertTrue(nodeDisjoint.findPaths(next).isEmpty(), "one by one as all at once");
    }

    private static PathRequest.Builder gomez(int seed) {
        Topology square = RandomGeometric.draw(64, 100, 20, 1e6, seed);
        return PathRequest.on(square.graph()).from(square.nearest(20, 50)).to(square.nearest(80, 50)).k(MANY);
    }
}
