// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.subflow.mptcp.placement.Rates;

/** The rates of a connection by the switches' counters. Immutable. */
public final class Measurement {
    /** Nothing has been measured. */
    public static final Measurement NONE = new Measurement(ImmutableMap.of(), 0);

    private final ImmutableMap<FiveTuple, Rates> rates;
    private final long lastActiveMillis;

    /**
     * Makes a measurement.
     *
     * @param rates            rates on the wire by subflow, bit/s, seen from the connection's client
     * @param lastActiveMillis when a counter last moved, milliseconds of the Unix epoch; 0 if none has
     */
    public Measurement(Map<FiveTuple, Rates> rates, long lastActiveMillis) {
        this.rates = ImmutableMap.copyOf(rates);
        this.lastActiveMillis = lastActiveMillis;
    }

    /** Returns a subflow's rates on the wire between the last two counter samples, bit/s. */
    public Rates rates(FiveTuple subflow) {
        return rates.getOrDefault(subflow, Rates.ZERO);
    }

    /** Returns when a counter last moved, milliseconds of the Unix epoch; 0 if none has. */
    public long lastActiveMillis() {
        return lastActiveMillis;
    }
}
