// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.Rates;
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
        Translation translation = new Translation(network, new SetTraffic());
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

    /** Whatever has come, gone or changed since the last state, the next is the one that is made from nothing. */
    @Property(tries = 100)
    void aStateThatFollowsAnotherIsAsOneMadeAnew(@ForAll long seed) {
        Random random = new Random(seed);
        SetTraffic traffic = new SetTraffic();
        Translation following = new Translation(Nets.diamond(), traffic);
        List<Connection> connections = new ArrayList<>();
        int named = 0;
        for (int step = 0; step < 40; step++) {
            for (int change = random.nextInt(4); change > 0; change--) {
                int at = random.nextInt(connections.size() + 1);
                boolean isThere = at < connections.size();
                switch (random.nextInt(5)) {
                    case 0:
                        connections.add(random.nextBoolean() ? at : connections.size(), named("c" + named++));
                        break;
                    case 1:
                        if (isThere) {
                            connections.remove(at);
                        }
                        break;
                    case 2:
                        if (isThere) {
                            double up = random.nextInt(10) * 1e6;
                            connections.set(at, connections.get(at).mapSubflows(one -> one.withExpected(Rates.of(up, 0))));
                        }
                        break;
                    case 3:
                        if (isThere) {
                            traffic.demand(connections.get(at).id(), Demand.of(random.nextInt(9) * 1e6, 1e6));
                        }
                        break;
                    default:
                        traffic.other(Nets.link(1, 2), random.nextInt(5) * 1e6);
                }
            }
            List<Connection> now = List.copyOf(connections);
            NetworkState state = following.state(now);
            NetworkState anew = new Translation(Nets.diamond(), traffic).state(now);
            assertEquals(anew.connections(), state.connections());
            int arc = Nets.diamond().arc(LinkKey.linkKey(Nets.link(1, 2)));
            assertEquals(anew.otherTraffic(arc), state.otherTraffic(arc));
            for (Connection one : now) {
                assertEquals(anew.indexOf(one.id().value()), state.indexOf(one.id().value()));
                assertEquals(anew.loadsWithout(one.id().value()).expected(arc), state.loadsWithout(one.id().value()).expected(arc));
            }
        }
    }

    private Connection named(String id) {
        return Connection.opened(ConnectionId.of(id), 1, null, null, Settings.DEFAULTS.terms(), 0, routed);
    }

    @Test
    void nothingIsTranslatedWhereNothingHasChanged() {
        Translation translation = new Translation(Nets.diamond(), new SetTraffic());
        List<Connection> both = List.of(connection, named("d"));
        NetworkState state = translation.state(both);
        assertSame(state, translation.state(both));
        assertSame(state, translation.state(List.copyOf(new ArrayList<>(both))));
    }
}
