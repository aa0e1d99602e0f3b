// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.Responder;
import org.subflow.mptcp.cluster.StateClient;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/**
 * What a node answers while another one decides: the state that the other one told last, and its answers to questions, which
 * throw IllegalStateException while no node decides.
 */
public final class FollowerAnswers extends Answers {
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

    @Override
    Reply ask(Question question) {
        return Reply.decode(contact.ask(Responder.QUESTIONS, question.encode(), ANSWER_MILLIS));
    }

    @Override
    Optional<Entry> entry(ConnectionId id) {
        return leader.state().connection(id);
    }

    @Override
    public List<Connection> connections() {
        return leader.state().connections().stream().map(Entry::connection).collect(Collectors.toList());
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
    public Optional<NetworkBound> bound() {
        return leader.state().bound();
    }
}
