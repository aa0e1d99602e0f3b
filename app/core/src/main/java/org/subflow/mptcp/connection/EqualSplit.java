// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * Expected throughputs by an equal split: every directed link is divided equally among the active subflows on it, and a
 * subflow gets the smallest of its parts. Feasible on every link; not always maximal. Stateless.
 */
final class EqualSplit {
    private EqualSplit() {
    }

    /**
     * Works out the expected throughput of every subflow.
     *
     * @param network     the network with its capacities
     * @param connections the connections that are on it
     * @return bit/s, seen from the connection's client, by subflow; backups and subflows without a path get 0
     */
    static Map<FiveTuple, Rates> expected(NetworkSnapshot network, Collection<Connection> connections) {
        Map<Link, Integer> users = new HashMap<>();
        connections.forEach(connection -> connection.subflows().forEach(subflow -> {
            if (subflow.state() == SubflowState.ACTIVE) {
                subflow.path().forEach(link -> users.merge(link, 1, Integer::sum));
                subflow.reversePath().forEach(link -> users.merge(link, 1, Integer::sum));
            }
        }));
        Map<FiveTuple, Rates> expected = new HashMap<>();
        connections.forEach(connection -> connection.subflows().forEach(
                subflow -> expected.put(subflow.tuple(), expected(network, subflow, users))));
        return expected;
    }

    private static Rates expected(NetworkSnapshot network, Subflow subflow, Map<Link, Integer> users) {
        if (subflow.state() != SubflowState.ACTIVE || subflow.path().isEmpty()) {
            return Rates.ZERO;
        }
        Rates rates = Rates.of(smallest(network, subflow.path(), users), smallest(network, subflow.reversePath(), users));
        return subflow.fromClient() ? rates : rates.swapped();
    }

    private static double smallest(NetworkSnapshot network, List<Link> links, Map<Link, Integer> users) {
        return links.stream().mapToDouble(link -> network.capacity(link) / users.get(link)).min().orElse(0);
    }
}
