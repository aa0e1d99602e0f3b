// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;

/**
 * Notifies listeners of events of connections, and updates the state that other classes keep of a connection: counters,
 * demands, attainable rates, keys and tokens. Changed shares and attainable rates are frequent: a connection has one event of
 * each at a time, with its newest state. Used by the control loop only, unless a method says otherwise.
 */
public final class ConnectionNotifier {
    private final Meter meter;
    private final Demands demands;
    private final AttainableRateEstimator attainableRates;
    private final KeyStore keys;
    private final TokenTable tokens;
    private final LongSupplier clockMillis;
    private final Consumer<ConnectionEvent> listeners;
    private final PacedEvents shares;
    private final PacedEvents rates;

    /**
     * Makes a notifier.
     *
     * @param soon makes a trigger of a task that posts frequent events. Between two runs of the task is a least pause, the
     *             pause between two such events of a connection
     */
    public ConnectionNotifier(ConnectionStore store, Meter meter, Demands demands, AttainableRateEstimator attainableRates,
                              KeyStore keys, TokenTable tokens, LongSupplier clockMillis,
                              UnaryOperator<Runnable> soon, Consumer<ConnectionEvent> listeners) {
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.listeners = checkNotNull(listeners, "listeners");
        this.shares = new PacedEvents(Type.SHARES_CHANGED, store, soon, clockMillis, listeners);
        this.rates = new PacedEvents(Type.ATTAINABLE_RATE_CHANGED, store, soon, clockMillis, listeners);
    }

    /** Updates the kept state of a connection after an event, then notifies the listeners. */
    public void notifyListeners(ConnectionEvent event) {
        Connection connection = event.subject();
        switch (event.type()) {
            case SHARES_CHANGED:
                shares.changed(connection.id());
                return;
            case OPENED:
            case AWAITED:
            case DOWN:
                meter.begin(connection.id(), clockMillis.getAsLong());
                break;
            case INSTALLED:
                meter.watch(connection.id(), clockMillis.getAsLong());
                break;
            case IDLE:
            case GIVEN_BACK:
                demands.rest(connection.id());
                attainableRates.forget(connection.id());
                break;
            case CLOSED:
                meter.forget(connection.id());
                demands.forget(connection.id());
                attainableRates.forget(connection.id());
                // Another connection may have its five-tuple already.
                keys.get(connection.id()).ifPresentOrElse(known -> tokens.remove(connection.first().tuple(), known),
                                                          () -> tokens.remove(connection.first().tuple()));
                keys.remove(connection.id());
                shares.forget(connection.id());
                rates.forget(connection.id());
                break;
            default:
                break;
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
