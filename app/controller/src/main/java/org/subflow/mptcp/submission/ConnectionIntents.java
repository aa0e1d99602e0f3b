// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.Link;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.IntentStore;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.intent.MptcpIntentCompiler;
import org.subflow.mptcp.intent.SubflowPathIntent;
import org.subflow.mptcp.intent.SubflowRoute;
import org.subflow.mptcp.loop.SteadyClock;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.WantedRules;

/**
 * Submits and withdraws the {@link MptcpIntent} of each connection, in a cluster in the {@link CoreIntentForm}, and reports the
 * outcomes.
 *
 * <p>Every submission has a greater revision than the last. ONOS's core may compile an older submission again when a newer
 * one arrives, so outcomes name the revision. One thread submits, withdraws and sweeps; any thread asks for revisions.
 *
 * <p>Where paths have labels ({@link LabelledPath}), a submission waits for the rules that it shares with others ({@link
 * Submissions}). All that is known of a connection's submission is in its {@link Submission}.
 */
public final class ConnectionIntents {
    /** Gets the outcomes of submissions, on ONOS's event threads. */
    public interface Outcome {
        /** The rules of this revision are in the switches. */
        void installed(ConnectionId connection, long revision);

        /** This revision could not be compiled or installed. */
        void failed(ConnectionId connection, long revision);

        /**
         * The rules are removed. The caller purges the connection; or, if it has submitted it again since, says {@link
         * ConnectionIntents#withdrawn} and submits it once more.
         */
        void withdrawn(ConnectionId connection);

        /**
         * Switches have rules that connections share, or refuse them, or have no rules any more of one that waits for this. The
         * caller calls {@link #submitWaiting()}.
         */
        void pathsChanged();
    }

    private static final Set<IntentEvent.Type> SETTLED =
            Sets.immutableEnumSet(IntentEvent.Type.INSTALLED, IntentEvent.Type.FAILED, IntentEvent.Type.CORRUPT);

    private final IntentService intents;
    private final ApplicationId appId;
    private final Outcome outcome;
    private final IntentListener listener = new OutcomeListener();
    private final AtomicLong revisions = new AtomicLong();
    private final Function<MptcpIntent, Intent> form;
    private final IntentRequests requests;
    private final SharedPaths paths;
    final Submissions submissions;

    /**
     * Makes a submitter for an ONOS of one node; nothing happens before {@link #start()}.
     *
     * @param own     the rules that connections share; not null
     * @param outcome gets the outcomes; not null
     * @param labels  the setting which paths have labels, as it is now; not null
     */
    public ConnectionIntents(IntentService intents, OwnRules own, Outcome outcome, Supplier<PathLabels> labels) {
        this(intents, own, outcome, wanted -> wanted, IntentRequests.of(intents), () -> { }, labels);
    }

    /**
     * Makes a submitter for a cluster of ONOS nodes: it compiles the intents itself.
     *
     * @param store     ONOS's intent store; not null
     * @param compiler  compiles the intents; not null
     * @param mayDecide throws an exception if this node may not submit now; not null
     */
    public static ConnectionIntents inCluster(IntentService intents, IntentStore store, OwnRules own,
                                              Outcome outcome, MptcpIntentCompiler compiler, Runnable mayDecide,
                                              Supplier<PathLabels> labels) {
        ApplicationId appId = own.appId();
        IntentRequests requests = new OrderedRequests(intents, store, appId, SteadyClock.SYSTEM::epochMillis);
        return new ConnectionIntents(intents, own, outcome, new CoreIntentForm(appId, compiler, mayDecide)::of, requests, mayDecide, labels);
    }

    private ConnectionIntents(IntentService intents, OwnRules own, Outcome outcome, Function<MptcpIntent, Intent> form,
                              IntentRequests requests, Runnable mayDecide, Supplier<PathLabels> labels) {
        this.intents = checkNotNull(intents, "intents");
        this.appId = own.appId();
        this.outcome = checkNotNull(outcome, "outcome");
        this.form = form;
        this.requests = requests;
        this.paths = new SharedPaths(own, outcome::pathsChanged, mayDecide);
        this.submissions = new Submissions(paths, labels);
    }

    /** Starts listening for outcomes. Revisions go on after those of an earlier run, whose intents ONOS may compile again. */
    public void start() {
        intents.getIntents().forEach(intent -> connection(intent).ifPresent(
                connection -> revisions.accumulateAndGet(revision(connection, intent), Math::max)));
        intents.addListener(listener);
    }

    /** Stops listening; intents stay as they are. */
    public void stop() {
        intents.removeListener(listener);
    }

    /**
     * Submits a connection's routes, in place of its last submission.
     *
     * @param connection the connection; its routed subflows are submitted, one at least
     * @return the revision of this submission
     */
    public long submit(Connection connection) {
        List<SubflowRoute> routes = connection.subflows().stream()
                .filter(Subflow::isRouted)
                .map(subflow -> submissions.labelled(connection.id(), SubflowRoute.of(subflow)))
                .collect(Collectors.toList());
        long revision = revisions.incrementAndGet();
        if (intents.getIntentState(key(connection.id())) == IntentState.WITHDRAWING) {
            // As the command remove-intent does.
            submissions.of(connection.id()).leaves();
        }
        if (submissions.submit(new MptcpIntent(appId, connection.id(), revision, routes))) {
            submitNow(submissions.of(connection.id()));
        }
        return revision;
    }

    private void submitNow(Submission submission) {
        Intent intent = form.apply(submission.newest());
        submission.given(intent);
        requests.submit(intent);
    }

    /** Returns the submission of a connection, unless it is withdrawn or there was none. */
    public Optional<Submission> submission(ConnectionId connection) {
        return submissions.get(connection).filter(submission -> !submission.isGone());
    }

    /** Returns the submissions of all connections that have one, as they are now. */
    public List<Submission> submissions() {
        return submissions.all().stream().filter(submission -> !submission.isGone()).collect(Collectors.toList());
    }

    /** Returns the revision of the newest submission of any connection; 0 before the first one. */
    public long newestRevision() {
        return revisions.get();
    }

    /** Returns whether rules of some submission up to this revision may be on their way. */
    public boolean isAnyPending(long revision) {
        return submissions.all().stream().anyMatch(submission -> submission.isPending() && submission.revision() <= revision);
    }

    /** Submits the connections that have waited for their paths. The submitting thread calls this once paths have changed. */
    public void submitWaiting() {
        submissions.look().forEach(this::submitNow);
    }

    /**
     * Leads packets on paths with labels around lost links at once, before their connections have other paths; and back, once a
     * path is whole. The submitting thread calls this after each change of the network.
     *
     * @param ways the links that packets on a path take now: its own, or others from its first link to its last switch; empty if
     *             there is no way; not null
     */
    public void detour(Function<List<Link>, Optional<List<Link>>> ways) {
        paths.detour(ways);
    }

    /** Withdraws the submission of a connection; {@link Outcome#withdrawn} follows when its rules are removed. */
    public void withdraw(ConnectionId connection) {
        submissions.get(connection).ifPresent(Submission::withdraw);
        Intent intent = intents.getIntent(key(connection));
        if (intent != null) {
            requests.withdraw(intent);
        } else {
            submissions.forget(connection);
        }
    }

    /**
     * Withdraws or purges leftover intents of connections that are not submitted. If a link fails, a withdrawal can end as
     * FAILED, or ONOS's reinstallation can overtake it. The submitting thread calls this every few seconds.
     */
    public void sweep() {
        submissions.sweep().forEach(this::submitNow);
        for (Intent intent : intents.getIntents()) {
            connection(intent).filter(connection -> !submission(connection).isPresent())
                    .ifPresent(connection -> sweep(connection, intent));
        }
        Set<LabelledPath> used = new HashSet<>();
        for (Submission submission : submissions.all()) {
            sweep(submission);
            used.addAll(submission.paths());
        }
        paths.sweep(used);
    }

    private void sweep(Submission submission) {
        submission.swept();
        ConnectionId connection = submission.connection();
        if (isInstalled(connection, submission.revision())) {
            submission.leaveEarlierPaths();
        }
        IntentState state = intents.getIntentState(key(connection));
        boolean isRemoved = state == null || state == IntentState.WITHDRAWN;
        if (submission.isGone() && isRemoved) {
            submissions.forget(connection);
        }
    }

    private boolean isInstalled(ConnectionId connection, long revision) {
        return revision(connection) == revision && intents.getIntentState(key(connection)) == IntentState.INSTALLED;
    }

    private void sweep(ConnectionId connection, Intent intent) {
        IntentState state = intents.getIntentState(intent.key());
        if (state == IntentState.WITHDRAWN || state == IntentState.FAILED && hasNoRules(intent)) {
            purge(connection);
        } else if (state == IntentState.INSTALLED || state == IntentState.FAILED || state == IntentState.CORRUPT) {
            requests.withdraw(intent);
        }
    }

    private boolean hasNoRules(Intent intent) {
        List<Intent> installables = intents.getInstallableIntents(intent.key());
        return installables == null || installables.isEmpty();
    }

    /**
     * Reports the outcome of a connection's submission once more, as ONOS's intent store has it. ONOS delivers an event once,
     * and some are lost.
     *
     * @return whether ONOS holds an intent of the connection, or it waits for its paths; if there is no outcome so far, none is
     *         reported
     */
    public boolean report(ConnectionId connection) {
        Intent intent = intents.getIntent(key(connection));
        IntentState state = intent != null && isOurs(intent) ? intents.getIntentState(intent.key()) : null;
        if (state == null) {
            return isWaiting(connection);
        }
        IntentEvent.getEvent(state, intent).ifPresent(event -> tell(event.type(), connection, intent));
        return true;
    }

    private void tell(IntentEvent.Type what, ConnectionId connection, Intent intent) {
        long revision = revision(connection, intent);
        if (what == IntentEvent.Type.WITHDRAWN) {
            outcome.withdrawn(connection);
        } else if (what == IntentEvent.Type.INSTALLED) {
            submissions.get(connection).ifPresent(submission -> submission.confirmed(revision, SteadyClock.SYSTEM.nanos()));
            outcome.installed(connection, revision);
        } else if (SETTLED.contains(what)) {
            outcome.failed(connection, revision);
            // ONOS has removed its rules.
            submissions.get(connection).filter(submission -> submission.removed(revision))
                    .ifPresent(waiting -> outcome.pathsChanged());
        }
    }

    /** Notes that ONOS has withdrawn what it had of a connection, so that the next submission waits for nothing. */
    public void withdrawn(ConnectionId connection) {
        submissions.get(connection).ifPresent(Submission::endRemoval);
    }

    /** Purges a withdrawn intent. */
    public void purge(ConnectionId connection) {
        Intent intent = intents.getIntent(key(connection));
        if (intent != null) {
            requests.purge(intent);
        }
        submissions.forget(connection);
    }

    /**
     * Withdraws and purges every MPTCP intent of this application, and waits for completion. The caller removes rules that
     * connections share.
     *
     * @param timeoutMillis time-out, milliseconds
     * @return whether all intents are purged
     */
    public boolean removeAll(long timeoutMillis) {
        submissions.all().forEach(Submission::withdraw);
        boolean isClean = IntentRemoval.remove(intents, requests, this::isOurs, timeoutMillis);
        paths.forget();
        submissions.all().forEach(submission -> submissions.forget(submission.connection()));
        return isClean;
    }

    /** Returns what is wanted of the kinds of rules that intents make; for the submitting thread. */
    public Map<RuleKind, Supplier<WantedRules>> wantedRules() {
        return Map.of(RuleKind.PATH, paths::wanted, RuleKind.SUBFLOW,
                      () -> submissions.wantedRules(one -> isInstalled(one.connection(), one.revision()), this::ownRules));
    }

    /** Returns the key of a connection's intent. */
    Key key(ConnectionId connection) {
        return MptcpIntent.keyOf(appId, connection);
    }

    /** Returns the revision of a connection that waits for its paths, else that of the intent that ONOS holds, or -1 if none. */
    public long revision(ConnectionId connection) {
        return submissions.get(connection).filter(Submission::isWaiting).map(Submission::revision).orElseGet(() -> {
            Intent intent = intents.getIntent(key(connection));
            return intent == null ? Submission.UNKNOWN : revision(connection, intent);
        });
    }

    private long revision(ConnectionId connection, Intent intent) {
        return intent instanceof MptcpIntent ? ((MptcpIntent) intent).revision
                : submissions.get(connection).map(submission -> submission.revisionOf(intent)).orElse(Submission.UNKNOWN);
    }

    private boolean isWaiting(ConnectionId connection) {
        return submissions.get(connection).filter(Submission::isWaiting).isPresent();
    }

    /**
     * Returns the flow rules of a connection's intent, as ONOS compiled them, and those that it shares with others. None while it
     * waits for its paths.
     */
    public List<FlowRule> rules(ConnectionId connection) {
        List<FlowRule> own = ownRules(key(connection)).collect(Collectors.toList());
        if (own.isEmpty() || isWaiting(connection)) {
            return List.of();
        }
        submissions.get(connection).ifPresent(submission ->
                submission.newestPaths().forEach(path -> own.addAll(paths.rules(path))));
        return own;
    }

    private Stream<FlowRule> ownRules(Key key) {
        List<Intent> installables = intents.getInstallableIntents(key);
        return installables == null ? Stream.empty() : installables.stream().flatMap(one -> one instanceof SubflowPathIntent
                ? ((SubflowPathIntent) one).rules().stream() : ((FlowRuleIntent) one).flowRules().stream());
    }

    /** Returns the connection of which this is the intent; empty for any other intent. */
    private Optional<ConnectionId> connection(Intent intent) {
        boolean mayBe = intent.appId().equals(appId) && (intent instanceof MptcpIntent || intent instanceof FlowRuleIntent);
        return mayBe ? MptcpIntent.connection(intent.key()) : Optional.empty();
    }

    private boolean isOurs(Intent intent) {
        return connection(intent).isPresent();
    }

    private final class OutcomeListener implements IntentListener {
        @Override
        public boolean isRelevant(IntentEvent event) {
            return isOurs(event.subject());
        }

        @Override
        public void event(IntentEvent event) {
            connection(event.subject()).ifPresent(connection -> tell(event.type(), connection, event.subject()));
        }
    }
}
