// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.plan.simulate;

import java.util.regex.Pattern;
import org.subflow.mptcp.path.topology.Topology;
import org.subflow.mptcp.plan.InputException;

/** Which nodes of a topology are hosts. */
final class Hosts {
    /** Generated fat trees, whose hosts are nodes. */
    private static final Pattern FAT_TREE = Pattern.compile("fattree[0-9]+");

    private Hosts() {
    }

    /**
     * Finds the hosts: nodes with one link whose names begin as the options say.
     *
     * @throws InputException if the options say it, and there is none
     */
    static boolean[] of(SimulateOptions options, Topology topology) {
        String prefix = options.hosts != null ? options.hosts : FAT_TREE.matcher(options.topology).matches() ? "h" : null;
        boolean[] isHost = new boolean[topology.nodes().size()];
        boolean any = false;
        for (int node = 0; prefix != null && node < isHost.length; node++) {
            isHost[node] = topology.name(node).startsWith(prefix) && topology.graph().degree(node) == 1;
            any |= isHost[node];
        }
        if (options.hosts != null && !any) {
            throw new InputException("--hosts " + options.hosts + ": no node with one link has a name that begins so");
        }
        return isHost;
    }
}
