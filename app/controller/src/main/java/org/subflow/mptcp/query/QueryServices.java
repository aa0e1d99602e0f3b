// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.query;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.onosproject.event.ListenerRegistry;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.wire.Question;
import org.subflow.mptcp.wire.Reply;
import org.subflow.mptcp.wire.StateSnapshot.Entry;

/** Offers everything that users can ask as services, and passes each question on to whoever answers on this node just now. */
public final class QueryServices extends Answers implements MptcpService, RuleTimesService {
    private static final String[] SERVICES = Stream.of(MptcpService.class, WhatIfService.class, BackgroundPlanService.class,
            ReoptimisationService.class, NetworkBoundService.class, AwaitedService.class).map(Class::getName).toArray(String[]::new);

    private final ListenerRegistry<ConnectionEvent, ConnectionListener> listeners;
    private final Supplier<Answers> answers;
    private final Set<RuleTimesService.Listener> waiting = new CopyOnWriteArraySet<>();
    private ServiceRegistration<?> offered;
    private ServiceRegistration<?> times;

    /**
     * Makes it; nobody can ask before {@link #open}.
     *
     * @param answers   who answers just now; not null
     */
    public QueryServices(ListenerRegistry<ConnectionEvent, ConnectionListener> listeners, Supplier<Answers> answers) {
        this.listeners = checkNotNull(listeners, "listeners");
        this.answers = checkNotNull(answers, "answers");
    }

    /** Offers the services. */
    public synchronized void open(BundleContext bundle) {
        offered = bundle.registerService(SERVICES, this, null);
        times = bundle.registerService(RuleTimesService.class, this, null);
    }

    /** Notes that somebody else answers now: who registers counters by name has to look at the names again. */
    public synchronized void changed(BundleContext bundle) {
        if (times != null) {
            times.unregister();
            times = bundle.registerService(RuleTimesService.class, this, null);
        }
    }

    /** Withdraws the services. */
    public synchronized void close() {
        times.unregister();
        times = null;
        offered.unregister();
    }

    /** Tells listeners of a wait for rules that has ended. */
    public void ended(Wait wait, long nanos) {
        waiting.forEach(listener -> listener.ended(wait, nanos));
    }

    @Override
    public List<Connection> connections() {
        return answers.get().connections();
    }

    @Override
    Optional<Entry> entry(ConnectionId id) {
        return answers.get().entry(id);
    }

    @Override
    Reply ask(Question question) {
        return answers.get().ask(question);
    }

    @Override
    public long ageMillis() {
        return answers.get().ageMillis();
    }

    @Override
    public boolean hasLeaderBegun() {
        return answers.get().hasLeaderBegun();
    }

    @Override
    public List<LinkUsage> links() {
        return answers.get().links();
    }

    @Override
    public Map<String, Long> counters() {
        return answers.get().counters();
    }

    @Override
    public void addListener(ConnectionListener listener) {
        listeners.addListener(listener);
    }

    @Override
    public void removeListener(ConnectionListener listener) {
        listeners.removeListener(listener);
    }

    @Override
    public Optional<NetworkBound> bound() {
        return answers.get().bound();
    }

    @Override
    public DurationHistogram histogram(Wait wait) {
        return answers.get().histogram(wait);
    }

    @Override
    public void addListener(RuleTimesService.Listener listener) {
        waiting.add(listener);
    }

    @Override
    public void removeListener(RuleTimesService.Listener listener) {
        waiting.remove(listener);
    }
}
