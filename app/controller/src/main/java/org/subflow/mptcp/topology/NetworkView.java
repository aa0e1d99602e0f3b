// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;

/** Gives the present network. Thread-safe. */
public interface NetworkView {
    /** Notified of changes of links, switches or capacities on ONOS's event threads; must return soon. */
    interface Listener {
        /** The next {@link NetworkView#snapshot()} may differ from the last. */
        void networkChanged();
    }

    /** Returns the present network; never null. It is the same object until switches, links, or what is known of these change. */
    NetworkSnapshot snapshot();

    /**
     * Returns the rate of a port, all traffic together.
     *
     * @param link the directed link; its source port counts
     * @return bit/s over the last interval of port statistics; NaN if there is none
     */
    double measured(Link link);

    /**
     * Returns the last reading of the sent bytes of a port.
     *
     * @param link the directed link; its source port counts
     * @return the reading; empty if there has been none
     */
    Optional<PortCounter> counter(Link link);

    /**
     * Returns the last reading of the received bytes of a port.
     *
     * @param port the port
     * @return the reading; empty if there has been none
     */
    default Optional<PortCounter> received(ConnectPoint port) {
        return Optional.empty();
    }

    /** Returns whether a switch is up and its port is enabled. */
    boolean isUp(ConnectPoint port);

    /** Adds a listener. */
    void addListener(Listener listener);

    /** Removes a listener. */
    void removeListener(Listener listener);
}
