// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/** Checks of a subflow's path on the present network. Stateless. */
public final class Routes {
    private Routes() {
    }

    /** Returns whether a subflow has a path and all its switches and links are part of the network. */
    public static boolean isIntact(NetworkSnapshot network, Subflow subflow) {
        boolean endsUp = network.node(subflow.ingress().deviceId()) >= 0
                && network.node(subflow.egress().deviceId()) >= 0;
        return subflow.isRouted() && endsUp
                && subflow.path().stream().allMatch(link -> network.arc(link) >= 0)
                && subflow.reversePath().stream().allMatch(link -> network.arc(link) >= 0);
    }

    /** Returns whether every link of a subflow's path has a capacity above 0, in the direction in which it is used. */
    static boolean hasCapacity(NetworkSnapshot network, Subflow subflow) {
        return subflow.path().stream().allMatch(link -> network.capacity(link) > 0)
                && subflow.reversePath().stream().allMatch(link -> network.capacity(link) > 0);
    }
}
