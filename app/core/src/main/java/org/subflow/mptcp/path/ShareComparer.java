// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;

/**
 * What a strategy that considers the network as a whole may ask about the connections on it: what links cost them, and which
 * paths of a newcomer leave all of them the best shares. The caller of the strategy implements it.
 */
public interface ShareComparer {
    /** Returns how many sets of paths may be compared, 2 or more: each comparison takes time. */
    int mostSets();

    /** Returns how many blends of prices, load and hops there are. None is the best on all networks. */
    int blends();

    /**
     * Returns the cost of each arc, in the direction from the request's sources to its targets.
     *
     * @param blend from 0; the most useful one comes first
     * @return by arc, finite, 0 or more; never null. Only proportions matter
     */
    double[] costs(int blend);

    /**
     * Compares sets of paths by the shares that all connections would have.
     *
     * @param sets at least one set, each of at least one path from the request's sources to its targets; not null
     * @return the place of the best set, from 0; of equally good ones the first
     */
    int best(List<List<Path>> sets);
}
