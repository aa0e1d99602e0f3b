// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import static org.onlab.util.Tools.groupedThreads;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.onlab.osgi.DefaultServiceDirectory;
import org.onlab.osgi.ServiceNotFoundException;
import org.onosproject.cluster.ClusterService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.LifeEvent;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.rest.request.UserLimit;
import org.subflow.mptcp.rest.view.Json;
import org.subflow.mptcp.rest.view.Views;

/**
 * Tells pages what has changed, once a second, in the form of server-sent events.
 *
 * <p>The state is written and compared once, however many listen, and not at all while nobody does. A listener first
 * gets everything, with the newest events and {@link Samples}, then changes; one that does not keep up is let go, and its browser comes back by itself. Changes of
 * attainable rates (ζ), which hosts may act on, are also told on their own.
 */
@Component(immediate = true, service = LiveFeed.class)
public final class LiveFeed {
    /** Most listeners at once: each holds a thread of the web server. Further pages ask again and again instead. */
    static final int MOST_LISTENERS = 24;
    /** Most listeners of one user at once. */
    static final int MOST_OF_A_USER = 8;

    private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);
    private static final long PERIOD_MILLIS = 1000;
    private static final int MOST_MESSAGES_WAITING = 8;
    private static final int MOST_EVENTS_WAITING = 5000;

    @Reference
    volatile HistoryService history;
    @Reference
    volatile MptcpService mptcp;
    @Reference
    volatile ClusterService cluster;
    // Not used here, but by the views: without it there is nothing to tell.
    @SuppressWarnings("unused")
    @Reference
    private volatile SettingsService settings;
    @SuppressWarnings("unused")
    @Reference
    private volatile NetworkBoundService bound;
    @SuppressWarnings("unused")
    @Reference
    private volatile FailureService failures;

    private final Queue<LifeEvent> events = new LinkedBlockingQueue<>(MOST_EVENTS_WAITING);
    private final Consumer<LifeEvent> follower = this::remember;
    /** Connections whose ζ has changed since the last tick. */
    private final Set<ConnectionId> rateChanged = ConcurrentHashMap.newKeySet();
    private final ConnectionListener attainableRateListener = new AttainableRateListener();
    private final Samples samples = new Samples();
    private final List<Listener> listeners = new ArrayList<>();
    private final UserLimit limit = new UserLimit(MOST_LISTENERS, MOST_OF_A_USER);
    private Views views;
    private ObjectNode last;
    private ScheduledExecutorService timer;

    @SuppressWarnings("FutureReturnValueIgnored") // the task catches what goes wrong
    @Activate
    void activate() {
        follow(new Views(new DefaultServiceDirectory()));
        timer = Executors.newSingleThreadScheduledExecutor(groupedThreads("onos/mptcp", "feed", LOG));
        timer.scheduleWithFixedDelay(this::tickSafely, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Begins to hear of what happens. */
    void follow(Views state) {
        views = state;
        history.follow(follower);
        mptcp.addListener(attainableRateListener);
    }

    @Deactivate
    void deactivate() {
        mptcp.removeListener(attainableRateListener);
        history.unfollow(follower);
        timer.shutdownNow();
        letAllGo();
    }

    private synchronized void letAllGo() {
        listeners.forEach(Listener::end);
        listeners.clear();
    }

    /**
     * Begins to listen.
     *
     * @param user whose page it is; empty if unknown; not null
     * @return a listener to which everything has been told, until {@link #leave}; empty if too many listen already, of this
     *         user or of all
     */
    synchronized Optional<Listener> listen(String user) {
        if (!limit.enter(user)) {
            return Optional.empty();
        }
        if (listeners.isEmpty()) {
            events.clear();
            rateChanged.clear();
            last = everything(user);
        }
        Listener listener = new Listener(user);
        listener.tell(message("snapshot", withPast(last)));
        listeners.add(listener);
        return Optional.of(listener);
    }

    /** Adds what has happened before: deltas tell of what is new only. */
    private ObjectNode withPast(ObjectNode state) {
        ObjectNode whole = state.objectNode().setAll(state);
        whole.set("ended", views.ended(history.ended()));
        whole.set("events", views.json().events(history.newest(Json.MOST_EVENTS)));
        whole.set("samples", samples.write(views.mapper()));
        return whole;
    }

    private ObjectNode everything(String user) {
        try {
            return views.everything();
        } catch (RuntimeException e) {
            limit.leave(user);
            throw e;
        }
    }

    /** Listens no more; to be called once for each listener, also for one that was let go. */
    synchronized void leave(Listener listener) {
        limit.leave(listener.user);
        listeners.remove(listener);
        if (listeners.isEmpty()) {
            last = null;
        }
    }

    /** Tells the listeners what has changed; lets them all go once the application has begun to stop. */
    void tickSafely() {
        try {
            tick();
        } catch (ServiceNotFoundException e) {
            letAllGo();
        } catch (RuntimeException e) {
            LOG.warn("The state could not be written for the page; tried again in {} ms", PERIOD_MILLIS, e);
        }
    }

    /** Tells the listeners what has changed since the last time. */
    synchronized void tick() {
        // Another node would have to ask the one that decides, again and again.
        if (!listeners.isEmpty() || cluster.getNodes().size() == 1) {
            samples.take(views.millis(), mptcp);
        }
        if (listeners.isEmpty()) {
            events.clear();
            rateChanged.clear();
            return;
        }
        ObjectNode now = views.everything();
        List<LifeEvent> since = new ArrayList<>();
        for (LifeEvent event = events.poll(); event != null; event = events.poll()) {
            since.add(event);
        }
        String message = message("delta", Delta.between(last, now, views.json().events(since)));
        last = now;
        String attainable = rateChanged.isEmpty() ? "" : message("attainable", attainable(now.get("millis").asLong()));
        listeners.removeIf(listener -> !listener.tell(message + attainable));
    }

    /** Writes ζ of the connections for which it has changed, and forgets that it has. */
    private ObjectNode attainable(long millis) {
        ObjectNode node = views.mapper().createObjectNode().put("millis", millis);
        ArrayNode connections = node.putArray("connections");
        for (ConnectionId id : List.copyOf(rateChanged)) {
            rateChanged.remove(id);
            // What has come to its end meanwhile is told by its events.
            if (mptcp.connection(id).filter(one -> one.state() != ConnectionState.IDLE).isPresent()) {
                connections.add(views.json().attainable(id, mptcp.attainableRate(id)));
            }
        }
        return node;
    }

    private void remember(LifeEvent event) {
        // What is beyond the bound is left out.
        events.offer(event);
    }

    /** Writes a message in the form of server-sent events; JSON has no line ends of its own. */
    private static String message(String kind, ObjectNode data) {
        return "event: " + kind + "\ndata: " + data + "\n\n";
    }

    /** Hears of ζ as anybody may who listens to {@link MptcpService}. */
    private final class AttainableRateListener implements ConnectionListener {
        @Override
        public boolean isRelevant(ConnectionEvent event) {
            return event.type() == ConnectionEvent.Type.ATTAINABLE_RATE_CHANGED;
        }

        @Override
        public void event(ConnectionEvent event) {
            rateChanged.add(event.subject().id());
        }
    }

    /** One page that listens. */
    static final class Listener {
        private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MOST_MESSAGES_WAITING);
        private final AtomicBoolean ended = new AtomicBoolean();
        private final String user;

        private Listener(String user) {
            this.user = user;
        }

        private boolean tell(String message) {
            if (!waiting.offer(message)) {
                end();
            }
            return !ended.get();
        }

        private void end() {
            ended.set(true);
        }

        /**
         * Waits for the next message.
         *
         * @param millis for how long at most
         * @return the message; empty if none came in time
         * @throws InterruptedException if the waiting thread is interrupted
         */
        Optional<String> next(long millis) throws InterruptedException {
            return Optional.ofNullable(waiting.poll(millis, TimeUnit.MILLISECONDS));
        }

        /** Returns whether it has been let go. */
        boolean isEnded() {
            return ended.get();
        }
    }
}
