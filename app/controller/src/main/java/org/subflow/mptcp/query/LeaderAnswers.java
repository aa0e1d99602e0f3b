// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.sharing.LinkUsages;
import org.subflow.mptcp.sharing.NetworkBoundEstimator;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot;

/** What the node that decides answers, to its own users and to other nodes. */
public final class LeaderAnswers implements Answers {
    private final ConnectionFigures connections;
    private final LongQuestions questions;
    private final AwaitedQueries awaited;
    private final LinkUsages usages;
    private final RuleTimes ruleTimes;
    private final NetworkBoundEstimator bound;
    private final Supplier<Map<String, Long>> counters;

    public LeaderAnswers(ConnectionFigures connections, LongQuestions questions, AwaitedQueries awaited, LinkUsages usages,
                         RuleTimes ruleTimes, NetworkBoundEstimator bound, Supplier<Map<String, Long>> counters) {
        this.connections = checkNotNull(connections, "connections");
        this.questions = checkNotNull(questions, "questions");
        this.awaited = checkNotNull(awaited, "awaited");
        this.usages = checkNotNull(usages, "usages");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.bound = checkNotNull(bound, "bound");
        this.counters = checkNotNull(counters, "counters");
    }

    /** Returns all that does not depend on a question. */
    public StateSnapshot snapshot() {
        Map<Wait, DurationHistogram> waits = Arrays.stream(Wait.values())
                .collect(Collectors.toMap(Function.identity(), this::histogram));
        return new StateSnapshot(connections.entries(this::awaitedUntil), links(), counters(), bound().orElse(null), waits);
    }

    /** Returns the {@link #snapshot()} as bytes for another node. */
    public byte[] state() {
        return snapshot().encode();
    }

    /** Answers a {@link Question} of another node with a {@link Reply}. */
    public byte[] reply(byte[] question) {
        try {
            return reply(Question.decode(question)).encode();
        } catch (RuntimeException e) {
            return Reply.failed(e).encode();
        }
    }

    private Reply reply(Question asked) {
        switch (asked.kind()) {
            case WHAT_IF:
                return Reply.of(List.of(whatIf(asked.assumed(), asked.first())));
            case ADD:
                return Reply.of(List.of(add(asked.tuples(), asked.seconds())));
            case REMOVE:
                return Reply.of(remove(asked.id()));
            case REOPTIMISE:
                return Reply.of(reoptimise(Optional.ofNullable(asked.id())));
            default:
                return Reply.of(backgroundPlan());
        }
    }

    @Override
    public List<Connection> connections() {
        return connections.connections();
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return connections.connection(id);
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return connections.measurement(id);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return connections.demand(id);
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return connections.attainableRate(id);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return connections.hasAgent(id);
    }

    @Override
    public List<LinkUsage> links() {
        return usages.now();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.get();
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return ruleTimes.histogram(wait);
    }

    @Override
    public boolean hasLeaderBegun() {
        return true;
    }

    @Override
    public long ageMillis() {
        return 0;
    }

    @Override
    public Connection whatIf(Settings assumed, Subflow first) {
        return questions.whatIf(assumed, first);
    }

    @Override
    public List<Connection> backgroundPlan() {
        return questions.backgroundPlan();
    }

    @Override
    public List<Connection> reoptimise(Optional<ConnectionId> id) {
        return questions.reoptimise(id);
    }

    @Override
    public Optional<NetworkBound> bound() {
        return bound.bound();
    }

    @Override
    public Connection add(List<FiveTuple> subflows, int seconds) {
        return awaited.add(subflows, seconds);
    }

    @Override
    public boolean remove(ConnectionId id) {
        return awaited.remove(id);
    }

    @Override
    public OptionalLong awaitedUntil(ConnectionId id) {
        return awaited.awaitedUntil(id);
    }
}
