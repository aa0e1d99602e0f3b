// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.store.ConnectionStore;
import org.subflow.mptcp.store.KeyStore;

/**
 * Notifies listeners of events of connections, and updates the state that other classes keep of a connection: counters,
 * demands, attainable rates, keys and tokens. Used by the control loop only.
 */
public final class ConnectionNotifier {
    private final ConnectionStore store;
    private final Meter meter;
    private final Demands demands;
    private final AttainableRateEstimator attainableRates;
    private final KeyStore keys;
    private final TokenTable tokens;
    private final LongSupplier clockMillis;
    private final Consumer<ConnectionEvent> listeners;

    public ConnectionNotifier(ConnectionStore store, Meter meter, Demands demands, AttainableRateEstimator attainableRates,
                              KeyStore keys, TokenTable tokens, LongSupplier clockMillis,
                              Consumer<ConnectionEvent> listeners) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.listeners = checkNotNull(listeners, "listeners");
    }

    /** Updates the kept state of a connection after an event, then notifies the listeners. */
    public void notifyListeners(ConnectionEvent event) {
        Connection connection = event.subject();
        switch (event.type()) {
            case INSTALLED:
                meter.watch(connection.id(), clockMillis.getAsLong());
                break;
            case IDLE:
                demands.rest(connection.id());
                attainableRates.forget(connection.id());
                break;
            case CLOSED:
                meter.forget(connection.id());
                demands.forget(connection.id());
                attainableRates.forget(connection.id());
                keys.remove(connection.id());
                tokens.remove(connection.first().tuple());
                break;
            default:
                break;
        }
        listeners.accept(event);
    }

    /** Notifies the listeners that ζ of a connection has changed, unless the connection is idle or closed by now. */
    public void attainableRateChanged(ConnectionId id) {
        store.get(id)
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .ifPresent(connection -> notifyListeners(new ConnectionEvent(Type.ATTAINABLE_RATE_CHANGED, connection)));
    }
}
