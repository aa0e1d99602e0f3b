// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.function.Consumer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Cause;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.provisioning.Provisioner;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.routing.Detours;
import org.subflow.mptcp.routing.Rerouting;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.subflows.SubflowPlanner;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.NetworkView;

/**
 * Reacts to the network: replaces lost paths, follows hosts, and takes over the connections of an earlier run. Used by the control
 * loop only.
 */
public final class NetworkChanges {
    private final ConnectionStore store;
    private final NetworkView network;
    private final Provisioner provisioner;
    private final Rerouting rerouting;
    private final Reoptimiser reoptimiser;
    private final Recovery recovery;
    private final SubflowPlanner planner;
    /** The network when it was looked at last; null before. */
    private NetworkSnapshot last;

    public NetworkChanges(ConnectionStore store, NetworkView network, Provisioner provisioner, Rerouting rerouting,
                          Reoptimiser reoptimiser, Recovery recovery, SubflowPlanner planner) {
        this.store = checkNotNull(store, "store");
        this.network = checkNotNull(network, "network");
        this.provisioner = checkNotNull(provisioner, "provisioner");
        this.rerouting = checkNotNull(rerouting, "rerouting");
        this.reoptimiser = checkNotNull(reoptimiser, "reoptimiser");
        this.recovery = checkNotNull(recovery, "recovery");
        this.planner = checkNotNull(planner, "planner");
    }

    /** Follows hosts that have come, gone or moved. */
    public void hostsChanged() {
        store.checkThread();
        rerouted(moved -> provisioner.apply(moved, Type.REROUTED, Cause.HOST));
    }

    /**
     * Takes over the connections of an earlier run of the application.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void recover(long nowMillis) {
        recovery.begin(nowMillis);
        reoptimiser.networkChanged(nowMillis);
    }

    /**
     * Handles a change of links, switches, ports or capacities: replaces lost paths, then requests new shares. The port of a host
     * concerns its own connections alone.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void networkChanged(long nowMillis) {
        store.checkThread();
        NetworkSnapshot now = network.snapshot();
        provisioner.networkChanged(path -> Detours.around(now, path));
        OneByOne.run(recovery::networkChanged, "connections of an earlier run");
        rerouted(provisioner::reroute);
        if (now != last) {
            // A changed capacity changes shares without moving a path.
            provisioner.requestShare();
        }
        last = now;
        reoptimiser.networkChanged(nowMillis);
        planner.networkChanged();
    }

    private void rerouted(Consumer<List<Connection>> found) {
        rerouting.reroute(provisioner.live(), found);
    }
}
