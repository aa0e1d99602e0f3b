// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.onlab.packet.IpAddress;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * What a connection that began now would get: the same choice of paths and the same shares as for a real one, without
 * touching anything. Stateless.
 */
public final class WhatIf {
    private static final ConnectionId NOBODY = ConnectionId.of("what-if");

    private WhatIf() {
    }

    /**
     * Works out the connection.
     *
     * @param network  the network as it is; not null
     * @param live     the connections that hold rules and bandwidth; not null
     * @param settings the settings that the connection would meet: strategy, subflows, JOIN policy; not null
     * @param client   address and place of the host that would open it
     * @param server   address and place of the other host
     * @return the connection with as many subflows as the settings ask for, each with its path and expected throughput
     * @throws IllegalArgumentException if the addresses are of different IP versions, or the strategy is unknown or
     *                                  cannot do what is asked; the message says why
     */
    public static Connection connection(NetworkSnapshot network, Collection<Connection> live, Settings settings,
                                        End client, End server) {
        Connection connection = null;
        for (int i = 0; i < settings.subflows(); i++) {
            FiveTuple tuple = FiveTuple.of(client.address, i, server.address, 0);
            Subflow subflow = Subflow.unrouted(tuple, true, i > 0, client.port, server.port);
            Connection sofar = connection == null
                    ? Connection.opened(NOBODY, 1, null, null, settings.strategy(), 0, subflow) : connection;
            Subflow routed = RoutePlanner.route(network, sofar, subflow, live, settings);
            connection = connection == null
                    ? sofar.withSubflows(ImmutableList.of(routed)) : connection.withSubflow(routed);
        }
        checkArgument(connection != null, "a connection has one subflow or more");
        return shared(network, live, connection);
    }

    private static Connection shared(NetworkSnapshot network, Collection<Connection> live, Connection connection) {
        List<Connection> all = new ArrayList<>(live);
        all.add(connection);
        Map<FiveTuple, Rates> expected = EqualSplit.expected(network, all);
        return connection.mapSubflows(
                subflow -> subflow.withExpected(expected.getOrDefault(subflow.tuple(), Rates.ZERO)));
    }

    /** One end of a connection: an address and the switch port behind which it is. Immutable. */
    public static final class End {
        private final IpAddress address;
        private final ConnectPoint port;

        /**
         * Makes an end.
         *
         * @param address the host's address; not null
         * @param port    the switch port behind which it is; not null
         */
        public End(IpAddress address, ConnectPoint port) {
            this.address = address;
            this.port = port;
        }
    }
}
