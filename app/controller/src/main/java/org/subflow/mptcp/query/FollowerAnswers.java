// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.ImmutableMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.cluster.LeaderContact;
import org.subflow.mptcp.cluster.RelayReceiver;
import org.subflow.mptcp.loop.Clock;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/**
 * What a node answers while another one decides: the state that the other one told last, and its answers to questions, which
 * throw IllegalStateException while no node decides. The state is asked for when somebody wants to know, at most twice a second.
 * If there is no answer, the last one stays, or what this node knew itself when it ceased to decide. Thread-safe.
 */
public final class FollowerAnswers extends Answers {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerAnswers.class);
    /** Longer than the node that decides takes. */
    private static final long ANSWER_MILLIS = 5000;
    private static final long STATE_MILLIS = 2000;
    /** A state is used for so long. */
    private static final long FRESH_MILLIS = 500;
    private static final long HEARD_MILLIS = 2000;

    private final LeaderContact contact;
    private final Supplier<Map<String, Long>> counters;
    private final Clock clock;
    private StateSnapshot last = StateSnapshot.EMPTY;
    private long heardMillis = -1;
    private Optional<String> heardOf = Optional.empty();
    private long askedMillis = -FRESH_MILLIS;

    /**
     * Makes it.
     *
     * @param counters what this node counts by itself; not null
     */
    public FollowerAnswers(LeaderContact contact, Supplier<Map<String, Long>> counters, Clock clock) {
        this.contact = checkNotNull(contact, "contact");
        this.counters = checkNotNull(counters, "counters");
        this.clock = checkNotNull(clock, "clock");
    }

    /** Returns the newest state that this node can get; waits for an answer if there is no fresh one. */
    public synchronized StateSnapshot state() {
        Optional<String> leader = contact.leader();
        if (leader.isPresent() && clock.millis() - askedMillis >= FRESH_MILLIS) {
            try {
                last = StateSnapshot.decode(contact.ask(RelayReceiver.STATE, new byte[1], STATE_MILLIS));
                heardMillis = clock.millis();
                heardOf = leader;
            } catch (RuntimeException e) {
                LOG.debug("The last answer stays", e);
            }
            askedMillis = clock.millis();
        }
        return last;
    }

    /** Keeps what this node knew when it ceased to decide, until another one answers. */
    public synchronized void keep(StateSnapshot own) {
        last = checkNotNull(own, "own");
        heardMillis = clock.millis();
        heardOf = Optional.empty();
    }

    @Override
    Reply ask(Question question) {
        return Reply.decode(contact.ask(RelayReceiver.QUESTIONS, question.encode(), ANSWER_MILLIS));
    }

    @Override
    Optional<Entry> entry(ConnectionId id) {
        return state().connection(id);
    }

    @Override
    public List<Connection> connections() {
        return state().connections.stream().map(entry -> entry.connection).collect(Collectors.toList());
    }

    @Override
    public List<LinkUsage> links() {
        return state().links;
    }

    /** Returns the counters of the node that decides, and those of this node, which have other names. */
    @Override
    public Map<String, Long> counters() {
        return ImmutableMap.<String, Long>builder().putAll(state().counters).putAll(counters.get()).build();
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return state().waits(wait);
    }

    @Override
    public synchronized long ageMillis() {
        state();
        return heardMillis < 0 ? -1 : clock.millis() - heardMillis;
    }

    @Override
    public synchronized boolean hasLeaderBegun() {
        // It has answered a moment ago.
        return ageMillis() <= HEARD_MILLIS && contact.leader().isPresent() && contact.leader().equals(heardOf);
    }

    @Override
    public Optional<NetworkBound> bound() {
        return state().bound();
    }
}
