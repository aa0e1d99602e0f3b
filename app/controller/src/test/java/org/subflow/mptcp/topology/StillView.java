// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;

/** A view of a network for tests, in which nothing is measured, all ports are up, and nothing happens by itself. */
public interface StillView extends NetworkView {
    @Override
    default double measured(Link link) {
        return 0;
    }

    @Override
    default Optional<PortCounter> counter(Link link) {
        return Optional.empty();
    }

    @Override
    default boolean isUp(ConnectPoint port) {
        return true;
    }

    @Override
    default void addListener(Listener listener) {
    }

    @Override
    default void removeListener(Listener listener) {
    }
}
