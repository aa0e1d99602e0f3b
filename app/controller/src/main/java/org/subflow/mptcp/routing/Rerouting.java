// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.placement.NetworkState;
import org.subflow.mptcp.placement.PlacedConnection;
import org.subflow.mptcp.placement.search.Repair;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.SubflowStates;

/**
 * Finds new paths for subflows that have lost theirs: a link, a switch or a host is gone, or a link has no capacity any
 * more. The other subflows stay where they are. Changes nothing itself. Used by the control loop only.
 */
public final class Rerouting {
    private static final int AT_ONCE = 32;

    private final NetworkModel model;
    private final SubflowEndpoints endpoints;

    public Rerouting(NetworkModel model, SubflowEndpoints endpoints) {
        this.model = checkNotNull(model, "model");
        this.endpoints = checkNotNull(endpoints, "endpoints");
    }

    /**
     * Finds connections that need other paths, and their new paths. Tells them a few at a time: switches get the rules of the
     * first while the others' paths are searched.
     *
     * @param live  all connections on the network, as they are now; each is placed with the earlier ones on their new paths
     * @param found gets the changed connections, each subflow on a path, or down if there is no path for it; without those for which
     *              the search failed
     */
    public void reroute(List<Connection> live, Consumer<List<Connection>> found) {
        List<Connection> changed = new ArrayList<>();
        Translation translation = model.now();
        // A failed link may concern hundreds of connections: the state of all is made once, then follows their moves.
        NetworkState[] state = {null};
        OneByOne.forEach(live, connection -> {
            if (isSettled(translation.network(), connection)) {
                return;
            }
            if (state[0] == null) {
                state[0] = translation.state(live);
            }
            Connection rerouted = repaired(connection, translation, state[0]);
            if (!rerouted.subflows().equals(connection.subflows())) {
                changed.add(rerouted);
                state[0] = state[0].with(translation.placed(rerouted));
                if (changed.size() >= AT_ONCE) {
                    tell(changed, found);
                }
            }
        });
        tell(changed, found);
    }

    private static void tell(List<Connection> changed, Consumer<List<Connection>> found) {
        if (!changed.isEmpty()) {
            List<Connection> told = List.copyOf(changed);
            changed.clear();
            found.accept(told);
        }
    }

    /**
     * Finds new paths for one connection.
     *
     * @param connection the connection
     * @param live       all connections on the network
     * @return the connection, each subflow on a path, or down if there is no path for it
     */
    public Connection reroute(Connection connection, List<Connection> live) {
        Translation translation = model.now();
        return isSettled(translation.network(), connection) ? connection
                : repaired(connection, translation, translation.state(live));
    }

    private boolean isSettled(NetworkSnapshot now, Connection connection) {
        return connection.subflows().stream().allMatch(subflow -> subflow.isRouted()
                ? hasPath(now, subflow) && SubflowStates.hasCapacity(now, subflow)
                : subflow.state() != SubflowState.DOWN || !endpoints.areUp(endpoints.renewed(subflow)));
    }

    private Connection repaired(Connection connection, Translation translation, NetworkState state) {
        Connection down = connection.mapSubflows(subflow -> subflow.isRouted() && !hasPath(translation.network(), subflow)
                ? subflow.withoutRoute(SubflowState.DOWN) : subflow);
        Connection renewed = down.mapSubflows(subflow -> subflow.state() == SubflowState.DOWN
                ? endpoints.renewed(subflow) : subflow);
        PlacedConnection before = translation.placed(renewed);
        for (int i = 0; i < connection.subflows().size(); i++) {
            before = before.with(i, before.subflows().get(i).withExpected(connection.subflows().get(i).expected()));
        }
        PlacedConnection after = Repair.repair(state, before, i -> isLost(renewed.subflows().get(i)));
        return translation.moved(renewed, before, after);
    }

    private boolean hasPath(NetworkSnapshot now, Subflow subflow) {
        return SubflowStates.isIntact(now, subflow) && endpoints.hold(subflow);
    }

    private boolean isLost(Subflow subflow) {
        return subflow.state() == SubflowState.DOWN && endpoints.areUp(subflow);
    }
}
