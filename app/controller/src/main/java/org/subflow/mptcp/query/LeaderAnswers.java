// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Maps;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.provisioning.RuleTimes;
import org.subflow.mptcp.sharing.LinkUsages;
import org.subflow.mptcp.sharing.NetworkBoundEstimator;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/** What the node that decides answers, to its own users and to other nodes. */
public final class LeaderAnswers extends Answers {
    private final ConnectionFigures figures;
    private final Searches searches;
    private final LinkUsages usages;
    private final RuleTimes ruleTimes;
    private final NetworkBoundEstimator bound;
    private final Supplier<Map<String, Long>> counters;

    public LeaderAnswers(ConnectionFigures figures, Searches searches, LinkUsages usages, RuleTimes ruleTimes,
                         NetworkBoundEstimator bound, Supplier<Map<String, Long>> counters) {
        this.figures = checkNotNull(figures, "figures");
        this.searches = checkNotNull(searches, "searches");
        this.usages = checkNotNull(usages, "usages");
        this.ruleTimes = checkNotNull(ruleTimes, "ruleTimes");
        this.bound = checkNotNull(bound, "bound");
        this.counters = checkNotNull(counters, "counters");
    }

    /** Returns all that does not depend on a question. */
    public StateSnapshot snapshot() {
        return new StateSnapshot(figures.entries(), links(), counters(), bound().orElse(null),
                                 Maps.toMap(Arrays.asList(Wait.values()), this::histogram));
    }

    /** Returns the {@link #snapshot()} as bytes for another node. */
    public byte[] state() {
        return snapshot().encode();
    }

    /** Answers a {@link Question} of another node with a {@link Reply}. */
    public byte[] reply(byte[] question) {
        try {
            return ask(Question.decode(question)).encode();
        } catch (RuntimeException e) {
            return Reply.failed(e).encode();
        }
    }

    @Override
    Reply ask(Question question) {
        return searches.answer(question);
    }

    @Override
    public List<Connection> connections() {
        return figures.connections();
    }

    @Override
    Optional<Entry> entry(ConnectionId id) {
        return figures.entry(id);
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
    public Optional<NetworkBound> bound() {
        return bound.bound();
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
}
