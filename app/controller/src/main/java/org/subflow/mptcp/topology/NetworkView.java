// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.Optional;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Link;

/** Gives the network as it is now. Thread-safe. */
public interface NetworkView {
    /** Hears that links, switches or capacities have changed; called on ONOS's event threads, must return soon. */
    interface Listener {
        /** The next {@link NetworkView#snapshot()} may differ from the last. */
        void networkChanged();
    }

    /** Returns the network as ONOS knows it now; never null. */
    NetworkSnapshot snapshot();

    /**
     * Returns what a port sends, all traffic together.
     *
     * @param link the directed link whose source port is meant
     * @return bit/s over the last interval of port statistics; 0 if there are none
     */
    double measured(Link link);

    /**
     * Returns the last reading of what a port has sent.
     *
     * @param link the directed link whose source port is meant
     * @return the reading; empty if there has been none
     */
    Optional<PortCounter> counter(Link link);

    /** Returns whether a switch is up and its port is enabled. */
    boolean isUp(ConnectPoint port);

    /** Adds a listener. */
    void addListener(Listener listener);

    /** Removes a listener. */
    void removeListener(Listener listener);
}
