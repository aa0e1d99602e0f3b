// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A way to choose the paths of a connection's subflows.
 *
 * <p>A strategy holds no state: the same request gets the same answer, and any number of threads may ask at once. Every path
 * of an answer is simple and uses only arcs with residual bandwidth. It starts at a source of the request and ends at a
 * target, with no source or target in between.
 */
public interface PathStrategy {
    /** Returns the name that users type. */
    String name();

    /**
     * Returns the kinds of disjointness that this strategy can be asked for, its own choice first;
     * {@link Disjointness#NONE} alone if its paths are not disjoint.
     */
    List<Disjointness> disjointness();

    /** Returns the options that this strategy understands. */
    Set<PathOption> options();

    /**
     * Returns the further parts of a request that this strategy needs, beside graph, ends, residual bandwidth and siblings'
     * paths.
     */
    default Set<PathInput> needs() {
        return Set.of();
    }

    /**
     * Returns another strategy whose paths are compared with this one's when a living subflow may move.
     *
     * @return the other strategy; empty if this strategy's own paths are enough
     */
    default Optional<PathStrategy> alternative() {
        return Optional.empty();
    }

    /**
     * Finds paths.
     *
     * @param request what is asked
     * @return at most {@code k} paths; empty if there is none. Under any kind but {@link Disjointness#NONE} they are
     *         disjoint from each other and from the request's used paths
     * @throws IllegalArgumentException if this strategy does not support the request; the message names what it supports
     */
    PathSet findPaths(PathRequest request);
}
