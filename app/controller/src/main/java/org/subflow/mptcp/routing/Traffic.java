// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.routing;

import org.onosproject.net.Link;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.placement.Demand;

/** What is sent and what is to be sent on the network, as the counters tell. Any thread may ask. */
public interface Traffic {
    /** Returns the demand of a connection, unlimited as long as it is unknown; not null. */
    Demand demand(ConnectionId id);

    /** Returns the rate of other traffic on a directed link, without connections' subflows, bit/s, at least 0. */
    double other(Link link);

    /** Returns a number that is another one once an answer has changed. */
    long changes();
}
