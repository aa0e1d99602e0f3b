// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;

/** Which ONOS node decides about connections, as one node knows it. Immutable. */
public final class ClusterState {
    private final String node;
    private final List<String> others;
    private final String leader;
    private final long term;
    private final long ageMillis;
    private final boolean isStorageThere;
    private final boolean hasLeaderBegun;
    private final List<String> unwatched;

    /**
     * Makes it.
     *
     * @param node      the node that answers; not null
     * @param others    the addresses of the other ONOS nodes that it sees, as ONOS names them; not null
     * @param leader    the node that decides; null if none does
     * @param term      the term of its leadership if it is this node, else 0; 0 with one ONOS node
     * @param ageMillis how old this node's answers about connections are, milliseconds; -1 if it has none
     * @param isStorageThere whether the storage nodes answer this node
     * @param hasLeaderBegun whether the node that decides has begun to, as far as this node knows
     * @param unwatched the switches that may not show every handshake yet; not null
     */
    public ClusterState(String node, List<String> others, String leader, long term, long ageMillis,
                        boolean isStorageThere, boolean hasLeaderBegun, List<String> unwatched) {
        this.node = checkNotNull(node, "node");
        this.others = List.copyOf(others);
        this.leader = leader;
        this.term = term;
        this.ageMillis = ageMillis;
        this.isStorageThere = isStorageThere;
        this.hasLeaderBegun = hasLeaderBegun;
        this.unwatched = List.copyOf(unwatched);
    }

    /** Returns the node that answers. */
    public String node() {
        return node;
    }

    /** Returns how many ONOS nodes it sees, itself included. */
    public int nodes() {
        return 1 + others.size();
    }

    /** Returns the addresses of the other ONOS nodes that it sees, as ONOS names them: IP addresses or host names. */
    public List<String> others() {
        return others;
    }

    /** Returns the node that decides; empty if none does: then connections go on as they are. */
    public Optional<String> leader() {
        return Optional.ofNullable(leader);
    }

    /** Returns the term of this node's leadership; 0 if it does not lead, or is the only node. */
    public long term() {
        return term;
    }

    /** Returns how old this node's answers about connections are, milliseconds; -1 if it has none. */
    public long ageMillis() {
        return ageMillis;
    }

    /** Returns whether the storage nodes answer this node; without them nobody decides. */
    public boolean isStorageThere() {
        return isStorageThere;
    }

    /** Returns whether a connection that begins now will be known: a node decides, and all switches show handshakes. */
    public boolean isReady() {
        return leader != null && hasLeaderBegun && unwatched.isEmpty();
    }

    /** Returns the switches that may not show every handshake yet. */
    public List<String> unwatched() {
        return unwatched;
    }
}
