// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.detect.TokenTable;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;

/**
 * Tells what happens to connections, and has what is remembered about them beside the store begin, rest and end with it. Used
 * by the control loop only.
 */
final class Herald {
    private final ConnectionStore store;
    private final Meter meter;
    private final Demands demands;
    private final ReachEstimator reaches;
    private final KeyStore keys;
    private final TokenTable tokens;
    private final Consumer<ConnectionEvent> listeners;

    Herald(ConnectionStore store, Meter meter, Demands demands, ReachEstimator reaches, KeyStore keys, TokenTable tokens,
           Consumer<ConnectionEvent> listeners) {
        this.store = checkNotNull(store, "store");
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.reaches = checkNotNull(reaches, "reaches");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
        this.listeners = checkNotNull(listeners, "listeners");
    }

    /** Something has happened to a connection. */
    void tell(ConnectionEvent event) {
        Connection connection = event.subject();
        switch (event.type()) {
            case INSTALLED:
                meter.watch(connection.id(), System.currentTimeMillis());
                break;
            case IDLE:
                demands.rest(connection.id());
                reaches.forget(connection.id());
                break;
            case CLOSED:
                meter.forget(connection.id());
                demands.forget(connection.id());
                reaches.forget(connection.id());
                keys.remove(connection.id());
                tokens.remove(connection.first().tuple());
                break;
            default:
                break;
        }
        listeners.accept(event);
    }

    /** What a connection could reach has changed; meanwhile it may have changed itself, or be gone. */
    void tellReach(ConnectionId id) {
        store.get(id)
                .filter(connection -> connection.state() != ConnectionState.IDLE)
                .ifPresent(connection -> tell(new ConnectionEvent(Type.REACH_CHANGED, connection)));
    }
}
