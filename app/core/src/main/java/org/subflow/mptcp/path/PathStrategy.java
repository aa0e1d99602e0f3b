// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.path;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A way to choose the paths of a connection's subflows.
 *
 * <p>A strategy holds no state: the same request gets the same answer, and any number of threads may ask at once. Every
 * path of an answer is simple, starts at a source and ends at a target of the request with no source or target in
 * between, and takes only arcs with residual bandwidth.
 */
public interface PathStrategy {
    /** Returns the name that users type. */
    String name();

    /**
     * Returns the kinds of disjointness that this strategy can be asked for, its own choice first;
     * {@link Disjointness#NONE} alone for one that promises nothing.
     */
    List<Disjointness> disjointness();

    /** Returns the options that this strategy understands. */
    Set<PathOption> options();

    /** Returns what a request has to tell this strategy beside graph, ends, residual bandwidth and siblings' paths. */
    default Set<PathInput> needs() {
        return Set.of();
    }

    /**
     * Returns a strategy whose paths are worth a look, too, when a living subflow may move.
     *
     * @return empty if this strategy's own paths are enough
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
     * @throws IllegalArgumentException if the request asks for what this strategy cannot do; the message says what it can
     */
    PathSet findPaths(PathRequest request);
}
