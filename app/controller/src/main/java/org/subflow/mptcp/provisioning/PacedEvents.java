// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Notifies listeners of a frequent type of change. ONOS's queue of events has no bound, so each connection has at most one
 * event of the type in it. Changes that come meanwhile become one event, with the connection as it is then. Thread-safe.
 */
final class PacedEvents {
    /** After this time an event counts as delivered, so that a lost one does not silence its connection. */
    static final long LOST_MILLIS = 10_000;

    private final Type type;
    private final ConnectionStore store;
    private final Runnable trigger;
    private final LongSupplier clockMillis;
    private final Consumer<ConnectionEvent> listeners;
    private final Set<ConnectionId> changed = ConcurrentHashMap.newKeySet();
    /** When the events were posted that are not yet delivered, milliseconds of the Unix epoch. */
    private final Map<ConnectionId, Long> underWay = new ConcurrentHashMap<>();

    /**
     * Makes a notifier that knows of no change.
     *
     * @param soon        makes a trigger of the task that posts events, with a least pause between two runs: the pause between
     *                    two events of a connection
     * @param clockMillis milliseconds of the Unix epoch
     * @param listeners   gets the events; not null
     */
    PacedEvents(Type type, ConnectionStore store, UnaryOperator<Runnable> soon, LongSupplier clockMillis,
                Consumer<ConnectionEvent> listeners) {
        this.type = checkNotNull(type, "type");
        this.store = checkNotNull(store, "store");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.listeners = checkNotNull(listeners, "listeners");
        this.trigger = soon.apply(this::post);
    }

    /** Notes a change of a connection. */
    void changed(ConnectionId id) {
        changed.add(id);
        trigger.run();
    }

    /** Notes that the listeners have the event of a connection. */
    void delivered(ConnectionId id) {
        underWay.remove(id);
        if (changed.contains(id)) {
            trigger.run();
        }
    }

    /** Forgets a connection. */
    void forget(ConnectionId id) {
        changed.remove(id);
        underWay.remove(id);
    }

    /** Posts the events that may go now. Connections that are idle or closed by now have had other events. */
    @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // a concurrent set
    private void post() {
        long now = clockMillis.getAsLong();
        for (ConnectionId id : changed) {
            Long since = underWay.get(id);
            if (since == null || now - since >= LOST_MILLIS) {
                changed.remove(id);
                store.get(id).filter(connection -> connection.state() != ConnectionState.IDLE)
                        .ifPresent(connection -> post(connection, now));
            }
        }
    }

    private void post(Connection connection, long now) {
        underWay.put(connection.id(), now);
        listeners.accept(new ConnectionEvent(type, connection));
    }
}
