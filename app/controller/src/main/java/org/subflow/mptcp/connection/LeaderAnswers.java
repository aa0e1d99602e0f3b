// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

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
import org.subflow.mptcp.api.DurationHistogram;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.NetworkBound;
import org.subflow.mptcp.api.RuleTimesService.Wait;
import org.subflow.mptcp.api.Settings;
import org.subflow.mptcp.api.SettingsService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.host.HostAgents;
import org.subflow.mptcp.loop.Loops;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.Question;
import org.subflow.mptcp.store.Reply;
import org.subflow.mptcp.store.StateSnapshot;
import org.subflow.mptcp.topology.SteadyClock;

/** What the node that decides answers, to its own users and to other nodes. */
final class LeaderAnswers implements Answers {
    private static final long ANSWER_MILLIS = 4000;
    /** Of the control loop's time; connections may begin meanwhile. */
    private static final long EXAMINATION_NANOS = 300_000_000;

    private final ConnectionStore store;
    private final Wiring parts;
    private final HostAgents agents;
    private final Loops loops;
    private final SettingsService settings;
    private final AwaitedDesk awaited;
    private final Supplier<Map<String, Long>> counters;

    LeaderAnswers(ConnectionStore store, Wiring parts, HostAgents agents, Loops loops, SettingsService settings,
                  Supplier<Map<String, Long>> counters) {
        this.store = checkNotNull(store, "store");
        this.parts = checkNotNull(parts, "parts");
        this.agents = checkNotNull(agents, "agents");
        this.loops = checkNotNull(loops, "loops");
        this.settings = checkNotNull(settings, "settings");
        this.awaited = new AwaitedDesk(loops.decisions, parts.awaited);
        this.counters = checkNotNull(counters, "counters");
    }

    /** Returns all that does not depend on a question. */
    StateSnapshot snapshot() {
        List<StateSnapshot.Entry> entries = store.all().stream().map(connection -> new StateSnapshot.Entry(
                connection, measurement(connection.id()), demand(connection.id()), attainableRate(connection.id()),
                agents.isReported(connection), awaitedUntil(connection.id()))).collect(Collectors.toList());
        Map<Wait, DurationHistogram> waits = Arrays.stream(Wait.values())
                .collect(Collectors.toMap(Function.identity(), this::histogram));
        return new StateSnapshot(entries, links(), counters(), bound().orElse(null), waits);
    }

    /** Returns the {@link #snapshot()} as bytes for another node. */
    byte[] state() {
        return snapshot().encode();
    }

    /** Answers a {@link Question} of another node with a {@link Reply}. */
    byte[] reply(byte[] question) {
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
        return store.all();
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return store.get(id);
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return parts.meter.measurement(id);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return parts.demands.of(id);
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return parts.attainableRates.attainableRate(id);
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return store.get(id).filter(agents::isReported).isPresent();
    }

    @Override
    public List<LinkUsage> links() {
        return parts.usages.now();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.get();
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return parts.ruleTimes.histogram(wait);
    }

    @Override
    public boolean isLeaderHeard() {
        return true;
    }

    @Override
    public long ageMillis() {
        return 0;
    }

    @Override
    public Connection whatIf(Settings assumed, Subflow first) {
        return loops.questions.ask(() -> parts.whatIf.connection(parts.provisioner.live(), assumed, first), ANSWER_MILLIS);
    }

    @Override
    public List<Connection> backgroundPlan() {
        return loops.questions.ask(() -> parts.whatIf.plan(parts.provisioner.live(), settings.settings()), ANSWER_MILLIS);
    }

    @Override
    public List<Connection> reoptimise(Optional<ConnectionId> id) {
        return loops.decisions.ask(() -> parts.reoptimiser.examine(
                id.map(List::of).orElseGet(() -> parts.provisioner.live().stream().map(Connection::id).collect(Collectors.toList())),
                SteadyClock.SYSTEM.getAsLong(), EXAMINATION_NANOS), ANSWER_MILLIS);
    }

    @Override
    public Optional<NetworkBound> bound() {
        return parts.bound.bound();
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
