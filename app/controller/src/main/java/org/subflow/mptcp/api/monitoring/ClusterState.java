// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api.monitoring;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Optional;

/** Which ONOS node decides about connections, as one node knows it. Immutable. */
public final class ClusterState {
    private final String node;
    private final List<String> others;
    private final Optional<Leader> leader;
    private final long ageMillis;
    private final boolean isStorageThere;
    private final List<String> unwatched;

    /** The node that decides. Immutable. */
    public static final class Leader {
        private final String node;
        private final long term;
        private final boolean hasBegun;

        /**
         * Makes it.
         *
         * @param node     its name; not null
         * @param term     the term of its leadership if it is the node that answers, else 0; 0 with one ONOS node
         * @param hasBegun whether it has begun to decide, as far as the node that answers knows
         */
        public Leader(String node, long term, boolean hasBegun) {
            this.node = checkNotNull(node, "node");
            this.term = term;
            this.hasBegun = hasBegun;
        }
    }

    /**
     * Makes it.
     *
     * @param node      the node that answers; not null
     * @param others    the addresses of the other ONOS nodes that it sees, as ONOS names them; not null
     * @param leader    the node that decides; empty if none does
     * @param ageMillis how old this node's answers about connections are, milliseconds; -1 if it has none
     * @param isStorageThere whether the storage nodes answer this node
     * @param unwatched the switches that may not show every handshake yet; not null
     */
    public ClusterState(String node, List<String> others, Optional<Leader> leader, long ageMillis, boolean isStorageThere,
                        List<String> unwatched) {
        this.node = checkNotNull(node, "node");
        this.others = List.copyOf(others);
        this.leader = checkNotNull(leader, "leader");
        this.ageMillis = ageMillis;
        this.isStorageThere = isStorageThere;
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
        return leader.map(one -> one.node);
    }

    /** Returns the term of this node's leadership; 0 if it does not lead, or is the only node. */
    public long term() {
        return leader.map(one -> one.term).orElse(0L);
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
        return leader.filter(one -> one.hasBegun).isPresent() && unwatched.isEmpty();
    }

    /** Returns the switches that may not show every handshake yet. */
    public List<String> unwatched() {
        return unwatched;
    }
}
