// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** Connections in the core's terms, and back. */
class TranslationTest {
    private final Subflow routed = Subflow.unrouted(
                    FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1, IpAddress.valueOf("10.0.0.2"), 80), true, false, Nets.edge(1), Nets.edge(5))
            .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, 2), Nets.link(2, 5)), List.of(Nets.link(5, 2), Nets.link(2, 1)),
                       Nets.CAPACITY);
    private final Connection connection = Connection.opened(
            ConnectionId.of("c"), 1, null, null, Settings.DEFAULTS.terms(), 0, routed);

    private Connection shared(double capacity, Link... others) {
        NetworkSnapshot network = NetworkSnapshot.of(
                Nets.diamond().devices(), Nets.diamondLinks(),
                link -> Nets.capacity(List.of(others).contains(link) ? capacity : Nets.CAPACITY));
        Translation translation = new Translation(network, id -> Demand.UNLIMITED, link -> 0);
        return Translation.shared(connection, translation.state(List.of(connection)).connections().get(0));
    }

    @Test
    void aPathsBottleneckFollowsTheCapacitiesOfItsLinks() {
        assertEquals(4e6, shared(4e6, Nets.link(2, 5)).first().bottleneck());
        assertEquals(20e6, shared(20e6, Nets.link(1, 2), Nets.link(2, 5)).first().bottleneck());
        assertEquals(Nets.CAPACITY, shared(20e6, Nets.link(2, 5)).first().bottleneck());
    }

    @Test
    void aConnectionWhoseSharesAndLinksStayIsTheSame() {
        assertSame(connection, shared(4e6, Nets.link(1, 3)));
    }
}
