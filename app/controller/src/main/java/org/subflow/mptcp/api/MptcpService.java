// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onosproject.event.ListenerService;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;

/**
 * Gives access to the controller's MPTCP connections. Thread-safe; every answer is an immutable snapshot.
 *
 * <p>Listeners get {@link ConnectionEvent}s in the order of the changes. An event of type {@link
 * ConnectionEvent.Type#SHARES_CHANGED} has the new expected throughputs. After {@link
 * ConnectionEvent.Type#ATTAINABLE_RATE_CHANGED}, {@link #attainableRate} returns the new ζ.
 */
public interface MptcpService extends ListenerService<ConnectionEvent, ConnectionListener> {
    /** Returns all remembered connections, idle ones included, oldest first. */
    List<Connection> connections();

    /** Returns the connection with this name. */
    Optional<Connection> connection(ConnectionId id);

    /**
     * Returns the measurement of a connection.
     *
     * @param id its name
     * @return the measurement; all rates are 0 if nothing has been measured
     */
    Measurement measurement(ConnectionId id);

    /**
     * Returns the demand of a connection: its estimated greatest rate in each direction.
     *
     * @param id its name; not null
     * @return bit/s per direction; infinite where it is unknown or has no limit
     */
    Demand demand(ConnectionId id);

    /**
     * Returns the attainable rate ζ of a connection.
     *
     * @param id its name
     * @return the last estimate; zero if there is none
     */
    AttainableRate attainableRate(ConnectionId id);

    /**
     * Returns whether the agent of a connection's sender takes part: whether the host that sends in the direction with the
     * larger expected throughput has reported the connection within the last five seconds.
     *
     * @param id its name; not null
     * @return false, too, if there is no connection of this name
     */
    boolean hasAgent(ConnectionId id);

    /** Returns both directions of every link between switches, in the order of their source ports. */
    List<LinkUsage> links();

    /** Returns the counters of packets, handshakes and malformed options by name, in a fixed order. */
    Map<String, Long> counters();
}
