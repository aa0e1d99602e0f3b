// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;

/**
 * Answers to queries: of the node that decides, or of another one about it. The methods are those of {@link
 * org.subflow.mptcp.api.MptcpService}, {@link org.subflow.mptcp.api.WhatIfService} and {@link
 * org.subflow.mptcp.api.BackgroundPlanService}.
 */
interface Answers {
    List<Connection> connections();

    Optional<Connection> connection(ConnectionId id);

    Measurement measurement(ConnectionId id);

    Demand demand(ConnectionId id);

    AttainableRate attainableRate(ConnectionId id);

    boolean hasAgent(ConnectionId id);

    List<LinkUsage> links();

    Map<String, Long> counters();

    /** Returns how old the answers are, milliseconds; -1 if there has been none. */
    long ageMillis();

    /** Throws IllegalStateException on a node that does not decide. */
    Connection whatIf(Settings assumed, Subflow first);

    /** Throws IllegalStateException on a node that does not decide. */
    List<Connection> backgroundPlan();
}
