// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.segment.option.MptcpVersion;
import org.subflow.mptcp.token.ConnectionKeys;
import org.subflow.mptcp.topology.Nets;

/** What the kept files of earlier releases hold: connections of every kind, and their keys. */
public final class Examples {
    public static final ConnectionId ACTIVE = ConnectionId.of("33a99110");
    public static final ConnectionId IDLE = ConnectionId.of("0badcafe");
    static final ConnectionId UNKNOWN_KEYS = ConnectionId.of("mptcp-10.0.0.1-40000");

    private Examples() {
    }

    public static List<Connection> connections() {
        // As they were when the forms were new.
        Settings settings = Settings.DEFAULTS.with(Settings.MAX_DELAY_SPREAD_MILLIS, 0);
        Terms bulk = Policy.named("bulk").weight(2).cap(7e6).with(Settings.SUBFLOWS, 4).with(Settings.STRATEGY, "shortest")
                                      .with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).build().terms(settings)
                .withMostSubflows(Integer.MAX_VALUE);
        Terms standard = settings.terms().withMostSubflows(Integer.MAX_VALUE);
        Connection active = Connection.opened(ACTIVE, 1, Token.of(0x1f2e3d4c), Token.of(-5), bulk, 1_700_000_000_000L,
                                              routed(4000, false, 2, SubflowState.ACTIVE, Rates.of(9e6, 0.3e6)))
                .withSubflow(routed(4001, true, 3, SubflowState.BACKUP, Rates.ZERO))
                .withSubflow(Subflow.unrouted(v4(4002), false, true, Nets.edge(5), Nets.edge(1))
                                     .withoutRoute(SubflowState.BLOCKED))
                .withState(ConnectionState.ACTIVE);
        FiveTuple v6 = FiveTuple.of(IpAddress.valueOf("fd00::1"), 65_535, IpAddress.valueOf("fd00::2"), 80);
        Connection idle = Connection.opened(IDLE, 1, null, Token.of(7), standard, 1_700_000_000_001L,
                                            Subflow.unrouted(v6, true, false, Nets.edge(1), Nets.edge(5))
                                                    .withoutRoute(SubflowState.IDLE))
                .withState(ConnectionState.IDLE);
        Connection down = Connection.opened(UNKNOWN_KEYS, 0, null, null, standard, 1_700_000_000_002L,
                                            Subflow.unrouted(v4(40_000), true, false, Nets.edge(1), Nets.edge(5)))
                .withState(ConnectionState.DOWN);
        return List.of(active, idle, down);
    }

    public static Map<ConnectionId, ConnectionKeys> keys() {
        return Map.of(
                ACTIVE, new ConnectionKeys(MptcpVersion.V1, OptionalLong.of(0x0123_4567_89ab_cdefL), OptionalLong.of(-2)),
                IDLE, new ConnectionKeys(MptcpVersion.V0, OptionalLong.empty(), OptionalLong.of(Long.MIN_VALUE)));
    }

    private static Subflow routed(int port, boolean join, int middle, SubflowState state, Rates expected) {
        List<Link> path = List.of(Nets.link(1, middle), Nets.link(middle, 5));
        List<Link> back = List.of(Nets.link(5, middle), Nets.link(middle, 1));
        return Subflow.unrouted(v4(port), true, join, Nets.edge(1), Nets.edge(5))
                .withRoute(state, path, back, 10e6)
                .withExpected(expected);
    }

    private static FiveTuple v4(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
    }
}
