// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.Responder;
import org.subflow.mptcp.cluster.StateClient;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot;

/**
 * What a node answers while another one decides: the state that the other one told last, and its answers to questions, which
 * throw IllegalStateException while no node decides.
 */
public final class FollowerAnswers implements Answers {
    /** Longer than the node that decides takes. */
    private static final long ANSWER_MILLIS = 5000;

    private final LeaderContact contact;
    private final StateClient<StateSnapshot> leader;
    private final Supplier<Map<String, Long>> counters;

    /**
     * Makes it.
     *
     * @param contact  reaches the node that decides; not null
     * @param counters what this node counts by itself; not null
     * @param clock    the time; not null
     */
    public FollowerAnswers(LeaderContact contact, Supplier<Map<String, Long>> counters, Clock clock) {
        this.contact = checkNotNull(contact, "contact");
        this.leader = new StateClient<>(contact, StateSnapshot::decode, StateSnapshot.EMPTY, clock::millis);
        this.counters = checkNotNull(counters, "counters");
    }

    /** Asks the node that decides, if there is one and its last answer is not fresh. */
    public void refresh() {
        leader.state();
    }

    /** Keeps what this node knew when it ceased to decide, until another one answers. */
    public void keep(StateSnapshot own) {
        leader.keep(own);
    }

    private Reply ask(Question question) {
        return Reply.decode(contact.ask(Responder.QUESTIONS, question.encode(), ANSWER_MILLIS));
    }

    private Optional<StateSnapshot.Entry> entry(ConnectionId id) {
        return leader.state().connection(id);
    }

    @Override
    public List<Connection> connections() {
        return leader.state().connections().stream().map(StateSnapshot.Entry::connection).collect(Collectors.toList());
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::connection);
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::measurement).orElse(Measurement.NONE);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::demand).orElse(Demand.UNLIMITED);
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::attainable).orElse(AttainableRate.NONE);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return entry(id).filter(StateSnapshot.Entry::hasAgent).isPresent();
    }

    @Override
    public List<LinkUsage> links() {
        return leader.state().links();
    }

    /** Returns the counters of the node that decides, and those of this node, which have other names. */
    @Override
    public Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder().putAll(leader.state().counters()).putAll(counters.get()).build();
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return leader.state().waits(wait);
    }

    @Override
    public long ageMillis() {
        leader.state();
        return leader.ageMillis();
    }

    @Override
    public boolean hasLeaderBegun() {
        leader.state();
        return leader.isHeard();
    }

    @Override
    public Connection whatIf(Settings assumed, Subflow first) {
        return ask(Question.whatIf(assumed, first)).connections().get(0);
    }

    @Override
    public List<Connection> backgroundPlan() {
        return ask(Question.plan()).connections();
    }

    @Override
    public List<Connection> reoptimise(Optional<ConnectionId> id) {
        return ask(Question.reoptimise(id)).connections();
    }

    @Override
    public Optional<NetworkBound> bound() {
        return leader.state().bound();
    }

    @Override
    public Connection add(List<FiveTuple> subflows, int seconds) {
        return ask(Question.add(subflows, seconds)).connections().get(0);
    }

    @Override
    public boolean remove(ConnectionId id) {
        return ask(Question.remove(id)).isDone();
    }

    @Override
    public OptionalLong awaitedUntil(ConnectionId id) {
        return entry(id).map(StateSnapshot.Entry::awaitedUntil).orElse(OptionalLong.empty());
    }
}
