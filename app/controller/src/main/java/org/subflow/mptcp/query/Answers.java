// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;

/**
 * Answers to all that users ask: {@link LeaderAnswers} on the node that decides, {@link FollowerAnswers} on any other one. The
 * methods without a comment are those of {@link org.subflow.mptcp.api.MptcpService}.
 */
public interface Answers extends WhatIfService, BackgroundPlanService, NetworkBoundService, AwaitedService, ReoptimisationService {
    List<Connection> connections();

    Optional<Connection> connection(ConnectionId id);

    Measurement measurement(ConnectionId id);

    Demand demand(ConnectionId id);

    AttainableRate attainableRate(ConnectionId id);

    boolean hasAgent(ConnectionId id);

    List<LinkUsage> links();

    Map<String, Long> counters();

    /** As {@link org.subflow.mptcp.api.monitoring.RuleTimesService#histogram}. */
    DurationHistogram histogram(Wait wait);

    /** Returns how old the answers are, milliseconds; -1 if there has been none. */
    long ageMillis();

    /** Returns whether the node that decides has begun to, as far as this node knows. */
    boolean hasLeaderBegun();
}
