// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.loop.LoopGuard;
import org.subflow.mptcp.rest.DiamondView;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;

class NetworkModelTest {
    /** What the network is each time when it is asked; at last it has no path from switch 1 to switch 5. */
    private final Deque<NetworkSnapshot> changes =
            new ArrayDeque<>(List.of(Nets.diamond(), Nets.snapshot(Nets.bothWays(new int[][] {{4, 5}}))));
    private final NetworkModel model = new NetworkModel(new DiamondView() {
        @Override
        public NetworkSnapshot snapshot() {
            return changes.size() > 1 ? changes.pop() : changes.peek();
        }
    }, new SetTraffic(), LoopGuard.NONE);

    private final Subflow first = subflow(1, false);
    private final Connection connection = Connection.opened(
            ConnectionId.of("c"), 1, null, null, Settings.DEFAULTS.terms(), 0, first);

    private static Subflow subflow(int port, boolean isJoin) {
        FiveTuple tuple = FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 80);
        return Subflow.unrouted(tuple, isJoin, true, Nets.edge(1), Nets.edge(5));
    }

    @Test
    void aLinkThatGoesMeanwhileChangesNoPathThatIsBeingPlaced() {
        Subflow placed = model.place(connection, first, List.of());
        assertEquals(SubflowState.ACTIVE, placed.state());
        assertEquals(2, placed.path().size());
        assertEquals(SubflowState.DOWN, model.place(connection, first, List.of()).state(), "the next decision knows of it");
    }

    @Test
    void aLinkThatGoesMeanwhileChangesNoPathOfAPlannedSubflow() {
        Subflow next = subflow(2, true);
        assertEquals(Optional.of(2), model.placeDisjoint(connection, next, List.of()).map(placed -> placed.path().size()));
        assertEquals(Optional.empty(), model.placeDisjoint(connection, next, List.of()));
    }
}
