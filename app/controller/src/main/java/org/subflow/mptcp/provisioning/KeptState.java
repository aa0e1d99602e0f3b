// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.LongSupplier;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.measure.Demands;
import org.subflow.mptcp.measure.Meter;
import org.subflow.mptcp.sharing.AttainableRateEstimator;
import org.subflow.mptcp.store.KeyStore;
import org.subflow.mptcp.token.TokenTable;

/**
 * Updates what other classes keep of a connection when something happens to it: counters, demands, attainable rates, keys and
 * tokens. Used by the control loop only.
 */
public final class KeptState {
    private final Meter meter;
    private final Demands demands;
    private final AttainableRateEstimator attainableRates;
    private final KeyStore keys;
    private final TokenTable tokens;
    private final LongSupplier clockMillis;

    public KeptState(Meter meter, Demands demands, AttainableRateEstimator attainableRates, KeyStore keys, TokenTable tokens,
                     LongSupplier clockMillis) {
        this.meter = checkNotNull(meter, "meter");
        this.demands = checkNotNull(demands, "demands");
        this.attainableRates = checkNotNull(attainableRates, "attainableRates");
        this.keys = checkNotNull(keys, "keys");
        this.tokens = checkNotNull(tokens, "tokens");
        this.clockMillis = checkNotNull(clockMillis, "clockMillis");
    }

    /** Notes what has become of a connection. */
    public void follow(ConnectionEvent event) {
        ConnectionId id = event.subject().id();
        switch (event.type()) {
            case OPENED:
            case AWAITED:
            case DOWN:
                meter.begin(id, clockMillis.getAsLong());
                break;
            case INSTALLED:
                meter.watch(id, clockMillis.getAsLong());
                break;
            case IDLE:
            case DEMOTED:
                demands.rest(id);
                attainableRates.forget(id);
                break;
            case CLOSED:
                FiveTuple first = event.subject().first().tuple();
                meter.forget(id);
                demands.forget(id);
                attainableRates.forget(id);
                // Another connection may have its five-tuple already.
                keys.get(id).ifPresentOrElse(known -> tokens.remove(first, known), () -> tokens.remove(first));
                keys.remove(id);
                break;
            default:
                break;
        }
    }
}
