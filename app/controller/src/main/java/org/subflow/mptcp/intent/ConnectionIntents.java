// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.collect.Sets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.intent.FlowRuleIntent;
import org.onosproject.net.intent.Intent;
import org.onosproject.net.intent.IntentEvent;
import org.onosproject.net.intent.IntentListener;
import org.onosproject.net.intent.IntentService;
import org.onosproject.net.intent.IntentState;
import org.onosproject.net.intent.Key;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.Subflow;

/**
 * Submits and withdraws the {@link MptcpIntent} of each connection and tells what became of it.
 *
 * <p>Every submission carries a growing revision. The core may compile an older submission again at the moment when a
 * newer one arrives; outcomes name the revision, so that the caller can tell. Submitted, withdrawn and swept by one
 * thread; read by any.
 */
public final class ConnectionIntents {
    /** Hears what became of submissions; called on ONOS's event threads. */
    public interface Outcome {
        /** The rules of this revision are in the switches. */
        void installed(ConnectionId connection, long revision);

        /** This revision could not be compiled or installed. */
        void failed(ConnectionId connection, long revision);

        /**
         * The rules are gone, and ONOS has released what is reserved under the intent's key. If the connection has not
         * been submitted again since, the caller purges it.
         */
        void withdrawn(ConnectionId connection);
    }

    private static final Set<IntentEvent.Type> GONE =
            Sets.immutableEnumSet(IntentEvent.Type.WITHDRAWN, IntentEvent.Type.FAILED);

    private final IntentService intents;
    private final ApplicationId appId;
    private final Outcome outcome;
    private final IntentListener listener = new OutcomeListener();
    private final AtomicLong revisions = new AtomicLong();
    private final DepartedRules departed;

    /**
     * Makes a submitter; nothing happens before {@link #start()}.
     *
     * @param intents   ONOS's intent service; not null
     * @param appId     the application in whose name intents are submitted; not null
     * @param flowRules ONOS's rules, to see whether those of the past are gone; not null
     * @param outcome   told what became of submissions; not null
     */
    public ConnectionIntents(IntentService intents, ApplicationId appId, FlowRuleService flowRules, Outcome outcome) {
        this.intents = checkNotNull(intents, "intents");
        this.appId = checkNotNull(appId, "appId");
        this.departed = new DepartedRules(flowRules);
        this.outcome = checkNotNull(outcome, "outcome");
    }

    /** Starts listening for outcomes. */
    public void start() {
        intents.addListener(listener);
    }

    /** Stops listening; intents stay as they are. */
    public void stop() {
        intents.removeListener(listener);
    }

    /**
     * Submits a connection's routes in place of what was submitted for it before.
     *
     * @param connection the connection; its routed subflows are submitted
     * @param tails      ends of other routes of its subflows, to be installed beside
     * @return the revision of this submission
     */
    public long submit(Connection connection, List<PathTail> tails) {
        List<SubflowRoute> routes = connection.subflows().stream()
                .filter(Subflow::isRouted)
                .map(SubflowRoute::of)
                .collect(Collectors.toList());
        long revision = revisions.incrementAndGet();
        MptcpIntent intent = MptcpIntent.of(appId, connection.id(), revision, routes, tails);
        departed.submitted(intent);
        intents.submit(intent);
        return revision;
    }

    /** Withdraws what was submitted for a connection; {@link Outcome#withdrawn} tells when its rules are gone. */
    public void withdraw(ConnectionId connection) {
        departed.withdrawn(connection);
        Intent intent = intents.getIntent(key(connection));
        if (intent != null) {
            intents.withdraw(intent);
        }
    }

    /**
     * Withdraws again, or has ONOS forget, what it still holds for connections that are to have no rules: a withdrawal
     * that meets a failing link can end as FAILED, or be overtaken by ONOS's own installing anew. Rules that ONOS put back
     * go too. To be called every few seconds, by the thread that submits and withdraws.
     *
     * @param wanted the connections that are submitted
     */
    public void sweep(Set<ConnectionId> wanted) {
        departed.sweep(intent -> revision(intent.connection()) == intent.revision()
                && intents.getIntentState(intent.key()) == IntentState.INSTALLED);
        for (Intent intent : intents.getIntents()) {
            if (isOurs(intent) && !wanted.contains(((MptcpIntent) intent).connection())) {
                sweep(intent);
            }
        }
    }

    private void sweep(Intent intent) {
        IntentState state = intents.getIntentState(intent.key());
        if (state == IntentState.WITHDRAWN || state == IntentState.FAILED && hasNoRules(intent)) {
            intents.purge(intent);
        } else if (state == IntentState.INSTALLED || state == IntentState.FAILED || state == IntentState.CORRUPT) {
            intents.withdraw(intent);
        }
    }

    private boolean hasNoRules(Intent intent) {
        List<Intent> installables = intents.getInstallableIntents(intent.key());
        return installables == null || installables.isEmpty();
    }

    /** Has ONOS forget a withdrawn intent. */
    public void purge(ConnectionId connection) {
        Intent intent = intents.getIntent(key(connection));
        if (intent != null) {
            intents.purge(intent);
        }
    }

    /**
     * Withdraws and purges every MPTCP intent of this application, and waits until that is done.
     *
     * @param timeoutMillis for how long at most, milliseconds
     * @return whether all are gone
     */
    public boolean removeAll(long timeoutMillis) {
        Set<Key> left = ConcurrentHashMap.newKeySet();
        CountDownLatch done = new CountDownLatch(1);
        IntentListener undertaker = event -> {
            if (isOurs(event.subject()) && GONE.contains(event.type())) {
                intents.purge(event.subject());
                left.remove(event.subject().key());
                if (left.isEmpty()) {
                    done.countDown();
                }
            }
        };
        intents.addListener(undertaker);
        try {
            List<Intent> ours = new ArrayList<>();
            intents.getIntents().forEach(intent -> {
                if (isOurs(intent)) {
                    ours.add(intent);
                    left.add(intent.key());
                }
            });
            ours.forEach(intents::withdraw);
            return ours.isEmpty() || done.await(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            intents.removeListener(undertaker);
        }
    }

    /** Returns the key of a connection's intent, under which its bandwidth is reserved too. */
    public Key key(ConnectionId connection) {
        return MptcpIntent.keyOf(appId, connection);
    }

    /** Returns the revision of a connection's intent that ONOS holds now, or -1 if it holds none. */
    public long revision(ConnectionId connection) {
        Intent intent = intents.getIntent(key(connection));
        return intent instanceof MptcpIntent ? ((MptcpIntent) intent).revision() : -1;
    }

    /** Returns the flow rules that a connection's intent has in the switches, as ONOS compiled them. */
    public List<FlowRule> rules(ConnectionId connection) {
        List<Intent> installables = intents.getInstallableIntents(key(connection));
        return installables == null ? List.of() : installables.stream()
                .filter(FlowRuleIntent.class::isInstance)
                .flatMap(installable -> ((FlowRuleIntent) installable).flowRules().stream())
                .collect(Collectors.toList());
    }

    private boolean isOurs(Intent intent) {
        return intent instanceof MptcpIntent && intent.appId().equals(appId);
    }

    private final class OutcomeListener implements IntentListener {
        @Override
        public boolean isRelevant(IntentEvent event) {
            return isOurs(event.subject());
        }

        @Override
        public void event(IntentEvent event) {
            MptcpIntent intent = (MptcpIntent) event.subject();
            switch (event.type()) {
                case INSTALLED:
                    outcome.installed(intent.connection(), intent.revision());
                    break;
                case FAILED:
                case CORRUPT:
                    outcome.failed(intent.connection(), intent.revision());
                    break;
                case WITHDRAWN:
                    outcome.withdrawn(intent.connection());
                    break;
                default:
                    break;
            }
        }
    }
}
