// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.placement.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.subflow.mptcp.path.Graph;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.PlacedSubflow.Role;
import org.subflow.mptcp.placement.rate.FairShares;

/**
 * Plans for connections on random networks. No move lowers the smallest share, all moves together gain what was asked for,
 * and the same network gets the same plan.
 */
class BackgroundPlanPropertyTest {
    private static final double ROUNDING = 1.1e-4;
    private static final int LEAST_PERCENT = 5;
    private static final double LEAST_RATIO = 1.05 * (1 - ROUNDING);

    private final FairShares shares = new FairShares();

    @Property(tries = 100)
    void noMoveLowersTheSmallestShareAndAllGain(@ForAll Random random) {
        NetworkState begin = arrived(Networks.random(random), random);
        BackgroundPlan plan = BackgroundPlan.of(begin, "max-min", LEAST_PERCENT);

        NetworkState now = begin;
        for (PlacedConnection move : plan.moves()) {
            NetworkState before = now;
            now = shared(now.with(move));
            double growth = Networks.smallest(now) / Networks.smallest(before);
            assertTrue(growth >= 1 - ROUNDING, () -> "the smallest share falls to " + growth + " of it: " + move);
            assertKeepsItsOwnPaths(before.connection(move.id()).orElseThrow(), move);
        }
        if (!plan.moves().isEmpty()) {
            double growth = Networks.smallest(now) / Networks.smallest(begin);
            double product = Math.exp(Networks.logarithms(now) - Networks.logarithms(begin));
            assertTrue(growth >= LEAST_RATIO || product >= LEAST_RATIO, () -> "smallest " + growth + ", product " + product);
            assertTrue(plan.moves().stream().map(PlacedConnection::id).distinct().count() == plan.moves().size(),
                    "each moves once");
        }
        for (PlacedConnection connection : now.connections()) {
            double planned = plan.network().connection(connection.id()).orElseThrow().expected().up();
            assertEquals(connection.expected().up(), planned, 1e-6 * planned + 1);
        }
    }

    @Property(tries = 30)
    void theSameNetworkGetsTheSamePlan(@ForAll Random random) {
        NetworkState begin = arrived(Networks.random(random), random);
        List<PlacedConnection> once = BackgroundPlan.of(begin, "max-min", LEAST_PERCENT).moves();
        assertEquals(once, BackgroundPlan.of(begin, "max-min", LEAST_PERCENT).moves());
    }

    private static NetworkState arrived(Graph graph, Random random) {
        Placement placement = Networks.on(graph);
        int count = 3 + random.nextInt(6);
        for (int n = 0; n < count; n++) {
            int from = random.nextInt(graph.nodeCount());
            int to = (from + 1 + random.nextInt(graph.nodeCount() - 1)) % graph.nodeCount();
            placement.open("c" + n, from, to, Networks.terms(1 + random.nextInt(3), JoinPolicy.SHARE), Networks.UP);
        }
        return placement.network();
    }

    private NetworkState shared(NetworkState network) {
        return network.withConnections(shares.of(network, "max-min"));
    }

    private static void assertKeepsItsOwnPaths(PlacedConnection before, PlacedConnection after) {
        assertEquals(before.subflows().size(), after.subflows().size());
        assertTrue(own(after) >= own(before), () -> before + " becomes " + after);
    }

    private static long own(PlacedConnection connection) {
        return connection.subflows().stream().filter(subflow -> subflow.role() == Role.OWN).count();
    }
}
