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
 * Tells what happens to connections, and has what is remembered about them beside the store begin, rest and end with it. Used
 * by the control loop only.
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

    public ConnectionNotifier(ConnectionStore store, Meter meter, Demands demands, AttainableRateEstimator attainableRates, KeyStore keys, TokenTable tokens,
           LongSupplier clockMillis, Consumer<ConnectionEvent> listeners) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
        this.listeners = checkNotNull(listeners, "listeners");
    }

    /** Something has happened to a connection. */
    public void tell(ConnectionEvent event) {
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

    /** The rate that a connection could attain has changed; meanwhile it may have changed itself, or be gone. */
    public void tellAttainableRate(ConnectionId id) {
        store.get(id)
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .ifPresent(connection -> tell(new ConnectionEvent(Type.ATTAINABLE_RATE_CHANGED, connection)));
    }
}
