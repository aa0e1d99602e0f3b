// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.Optional;
import java.util.Set;

/**
 * Who wants to see which connections on ONOS's own topology view. Thread-safe; lost with the node.
 *
 * <p>The choice is a user's: it holds for all of their browser sessions and for nobody else's.
 */
public interface OverlayService {
    /**
     * Shows connections to a user, in place of those shown before.
     *
     * @param user        name with which they log in to ONOS; not null
     * @param connections their names; empty for all that are active
     */
    void show(String user, Set<ConnectionId> connections);

    /** Shows nothing to a user any more. */
    void hide(String user);

    /**
     * Returns what a user wants to see.
     *
     * @param user their name; not null
     * @return names of connections, empty for all that are active; absent if the user wants to see nothing
     */
    Optional<Set<ConnectionId>> shown(String user);
}
