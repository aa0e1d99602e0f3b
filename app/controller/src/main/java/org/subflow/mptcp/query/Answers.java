// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/**
 * Answers to all that users ask: {@link LeaderAnswers} on the node that decides, {@link FollowerAnswers} on any other one. What is
 * known is read at once; what takes a search, or changes something, is a {@link Question}.
 */
public abstract class Answers
        implements WhatIfService, BackgroundPlanService, NetworkBoundService, AwaitedService, ReoptimisationService {
    /** Returns all remembered connections, oldest first. */
    public abstract List<Connection> connections();

    /** Returns what is known of a connection; empty if there is none of this name. */
    abstract Optional<Entry> entry(ConnectionId id);

    /** As {@link org.subflow.mptcp.api.MptcpService#links}. */
    public abstract List<LinkUsage> links();

    /** As {@link org.subflow.mptcp.api.MptcpService#counters}. */
    public abstract Map<String, Long> counters();

    @Override
    public abstract Optional<NetworkBound> bound();

    /** As {@link org.subflow.mptcp.api.monitoring.RuleTimesService#histogram}. */
    public abstract DurationHistogram histogram(Wait wait);

    /** Returns how old the answers are, milliseconds; -1 if there has been none. */
    public abstract long ageMillis();

    /** Returns whether the node that decides has begun to, as far as this node knows. */
    public abstract boolean hasLeaderBegun();

    /**
     * Answers a question that takes a search, or changes something.
     *
     * @throws IllegalArgumentException if the question is wrong, here or from {@link Reply#connections}
     * @throws IllegalStateException    if there is no answer now, likewise
     */
    abstract Reply ask(Question question);

    /** As {@link org.subflow.mptcp.api.MptcpService#connection}. */
    public final Optional<Connection> connection(ConnectionId id) {
        return entry(id).map(entry -> entry.connection);
    }

    /** As {@link org.subflow.mptcp.api.MptcpService#measurement}. */
    public final Measurement measurement(ConnectionId id) {
        return entry(id).map(entry -> entry.measurement).orElse(Measurement.NONE);
    }

    /** As {@link org.subflow.mptcp.api.MptcpService#demand}. */
    public final Demand demand(ConnectionId id) {
        return entry(id).map(entry -> entry.demand).orElse(Demand.UNLIMITED);
    }

    /** As {@link org.subflow.mptcp.api.MptcpService#attainableRate}. */
    public final AttainableRate attainableRate(ConnectionId id) {
        return entry(id).map(entry -> entry.attainable).orElse(AttainableRate.NONE);
    }

    /** As {@link org.subflow.mptcp.api.MptcpService#hasAgent}. */
    public final boolean hasAgent(ConnectionId id) {
        return entry(id).filter(entry -> entry.hasAgent).isPresent();
    }

    @Override
    public final OptionalLong awaitedUntil(ConnectionId id) {
        return entry(id).map(entry -> entry.awaitedUntil).orElse(OptionalLong.empty());
    }

    @Override
    public final List<WhatIfAnswer> whatIf(List<String> strategies, int subflows, Subflow first) {
        return ask(Question.whatIf(strategies, subflows, first)).forecasts();
    }

    @Override
    public final List<Connection> backgroundPlan() {
        return ask(Question.plan()).connections();
    }

    @Override
    public final List<Connection> reoptimise(Optional<ConnectionId> id) {
        return ask(Question.reoptimise(id)).connections();
    }

    @Override
    public final Connection add(List<FiveTuple> subflows, int seconds) {
        return ask(Question.add(subflows, seconds)).connections().get(0);
    }

    @Override
    public final boolean remove(ConnectionId id) {
        return ask(Question.remove(id)).isDone();
    }
}
