// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * Notifies listeners of events of connections. Changed shares and attainable rates are frequent: a connection has one event of
 * each at a time, with its newest state. Used by the control loop only, unless a method says otherwise.
 */
public final class ConnectionNotifier {
    private final Consumer<ConnectionEvent> listeners;
    private final PacedEvents shares;
    private final PacedEvents rates;

    /**
     * Makes a notifier.
     *
     * @param soon makes a trigger of a task that posts frequent events. Between two runs of the task is a least pause, the
     *             pause between two such events of a connection
     */
    public ConnectionNotifier(ConnectionStore store, LongSupplier clockMillis, UnaryOperator<Runnable> soon,
                              Consumer<ConnectionEvent> listeners) {
        this.listeners = checkNotNull(listeners, "listeners");
        this.shares = new PacedEvents(Type.SHARES_CHANGED, store, soon, clockMillis, listeners);
        this.rates = new PacedEvents(Type.ATTAINABLE_RATE_CHANGED, store, soon, clockMillis, listeners);
    }

    /** Notifies the listeners of an event. */
    public void notifyListeners(ConnectionEvent event) {
        ConnectionId id = event.subject().id();
        if (event.type() == Type.SHARES_CHANGED) {
            shares.changed(id);
            return;
        }
        if (event.type() == Type.CLOSED) {
            shares.forget(id);
            rates.forget(id);
        }
        listeners.accept(event);
    }

    /** Notifies the listeners that ζ of a connection has changed, unless it is idle or closed by then. Any thread may. */
    public void attainableRateChanged(ConnectionId id) {
        rates.changed(id);
    }

    /** Notes that the listeners have an event. Any thread may. */
    public void delivered(ConnectionEvent event) {
        if (event.type() == Type.SHARES_CHANGED) {
            shares.delivered(event.subject().id());
        } else if (event.type() == Type.ATTAINABLE_RATE_CHANGED) {
            rates.delivered(event.subject().id());
        }
    }
}
