// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onosproject.event.ListenerService;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;

/**
 * What the controller knows of MPTCP connections. Thread-safe; every answer is an immutable snapshot.
 *
 * <p>Listeners get {@link ConnectionEvent}s in the order in which things happened. One whose type is
 * {@link ConnectionEvent.Type#SHARES_CHANGED} carries the new expected throughputs; at
 * {@link ConnectionEvent.Type#ATTAINABLE_RATE_CHANGED} ask {@link #attainableRate} for ζ.
 */
public interface MptcpService extends ListenerService<ConnectionEvent, ConnectionListener> {
    /** Returns all connections that are remembered, idle ones too, oldest first. */
    List<Connection> connections();

    /** Returns the connection of this name. */
    Optional<Connection> connection(ConnectionId id);

    /**
     * Returns what is measured of a connection.
     *
     * @param id its name
     * @return the measurements; all zero if nothing has been measured
     */
    Measurement measurement(ConnectionId id);

    /**
     * Returns the demand of a connection: the most that it would send in each direction, as far as it has shown that.
     *
     * @param id its name; not null
     * @return bit/s per direction; infinite where it is unknown or has no limit
     */
    Demand demand(ConnectionId id);

    /**
     * Returns ζ of a connection, the largest rate that it could attain.
     *
     * @param id its name
     * @return the estimate of a moment ago; zero if there is none
     */
    AttainableRate attainableRate(ConnectionId id);

    /** Returns both directions of every link between switches, in the order of their source ports. */
    List<LinkUsage> links();

    /** Returns the counters of packets, handshakes and malformed options by name, in a fixed order. */
    Map<String, Long> counters();
}
