// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.Optional;
import java.util.Set;

/**
 * Keeps the connections that each user has chosen to see on ONOS's own topology view. Thread-safe; the choices end with the
 * node.
 *
 * <p>A choice holds for all browser sessions of its user, and for no other user.
 */
public interface OverlayService {
    /**
     * Shows connections to a user, in place of the last choice.
     *
     * @param user        the login name in ONOS; not null
     * @param connections the connections' names; empty for the few largest
     */
    void show(String user, Set<ConnectionId> connections);

    /** Ends the display for a user. */
    void hide(String user);

    /**
     * Returns the choice of a user.
     *
     * @param user the login name in ONOS; not null
     * @return names of connections, empty for the few largest; absent without a choice
     */
    Optional<Set<ConnectionId>> shown(String user);
}
