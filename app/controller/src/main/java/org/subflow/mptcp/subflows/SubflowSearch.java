// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.subflows;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.provisioning.FlowTables;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.routing.NetworkModel;
import org.subflow.mptcp.store.ConnectionStore;

/** Finds addresses, a source port and a disjoint path for a further subflow of a connection. Used by the control loop only. */
public final class SubflowSearch {
    private final AddressPairs pairs;
    private final SourcePorts ports;
    private final NetworkModel model;
    private final Provisioner provisioner;
    private final FlowTables tables;

    public SubflowSearch(AddressPairs pairs, ConnectionStore store, NetworkModel model, Provisioner provisioner,
                         FlowTables tables) {
        this.pairs = checkNotNull(pairs, "pairs");
        this.ports = new SourcePorts(tuple -> store.owner(tuple).isPresent());
        this.model = checkNotNull(model, "model");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.tables = checkNotNull(tables, "tables");
    }

    /** Returns whether the switches have room for the rules of a connection. */
    boolean hasRoom(Connection connection) {
        return tables.hasRoom(connection);
    }

    /**
     * Returns a further subflow on a path that is disjoint from the others' as the connection's terms ask, and within its limits;
     * empty if there is none. It has no link in common with any of them, whatever the strategy promises, and backups count, too.
     * Nor has it one with a path between the same addresses that has failed and must not be tried now.
     */
    Optional<Subflow> next(Connection connection, PlannedSubflows plan, long nowMillis) {
        return pairs.of(connection).stream()
                .flatMap(pair -> between(pair, plan.withFailed(connection, pair, nowMillis)).stream())
                .findFirst();
    }

    private Optional<Subflow> between(AddressPair pair, Connection connection) {
        return ports.next(pair.with(connection.first().tuple()))
                .map(tuple -> Subflow.unrouted(tuple, true, true, pair.ingress(), pair.egress()))
                .flatMap(subflow -> model.placeDisjoint(connection, subflow, provisioner.live()))
                .filter(subflow -> sharesNoLink(subflow, connection));
    }

    private static boolean sharesNoLink(Subflow subflow, Connection connection) {
        Set<Link> taken = connection.subflows().stream()
                .flatMap(other -> (other.fromClient() ? other.path() : other.reversePath()).stream())
                .collect(Collectors.toSet());
        return !subflow.path().isEmpty()
                && Collections.disjoint(taken, subflow.path());
    }
}
