// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.cluster;

import java.util.Optional;

/** Chooses the node that decides about connections. */
public interface Election {
    /** What a node does. The two calls alternate, {@link #begin} first, on one thread. */
    interface Office {
        /** Begins to decide. */
        void begin(Mandate mandate);

        /** Decides no more; the mandate has ended. */
        void end();
    }

    /**
     * Becomes a candidate.
     *
     * @param office begins when this node is chosen; not null
     */
    void start(Office office);

    /** Is no candidate any more. The office is left as it is. */
    void stop();

    /** Returns whether there may be other nodes. */
    boolean isCluster();

    /** Returns whether the storage nodes have answered a moment ago, without which nobody decides; true with one node. */
    boolean isStorageThere();

    /** Returns the node that decides, as far as this node knows; empty if none does, or if there is one node only. */
    Optional<String> leader();
}
