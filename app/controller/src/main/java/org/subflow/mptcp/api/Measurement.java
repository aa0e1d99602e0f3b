// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.api;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.Optional;
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
     * @param rates            rates on the wire by subflow, bit/s, seen from the connection's client; of those that were read
     * @param lastActiveMillis when a counter last moved, milliseconds of the Unix epoch; 0 if none has
     */
    public Measurement(Map<FiveTuple, Rates> rates, long lastActiveMillis) {
        this.rates = ImmutableMap.copyOf(rates);
        this.lastActiveMillis = lastActiveMillis;
    }

    /** Returns a subflow's rates on the wire between the last two counter samples, bit/s; zero if there are none. */
    public Rates rates(FiveTuple subflow) {
        return rates.getOrDefault(subflow, Rates.ZERO);
    }

    /** Returns the sum of the rates of a connection's subflows, bit/s. */
    public Rates rates(Connection connection) {
        return connection.subflows().stream().map(subflow -> rates(subflow.tuple())).reduce(Rates.ZERO, Rates::plus);
    }

    /** Returns a subflow's rates, bit/s; empty if it has rules, and no counter of them gives a rate yet. */
    public Optional<Rates> read(Subflow subflow) {
        return subflow.isRouted() && !rates.containsKey(subflow.tuple()) ? Optional.empty() : Optional.of(rates(subflow.tuple()));
    }

    /** Returns the sum over a connection's subflows, bit/s; empty if some have rules, and no counter of them gives a rate yet. */
    public Optional<Rates> read(Connection connection) {
        boolean isUnread = connection.subflows().stream().anyMatch(Subflow::isRouted)
                && connection.subflows().stream().noneMatch(subflow -> rates.containsKey(subflow.tuple()));
        return isUnread ? Optional.empty() : Optional.of(rates(connection));
    }

    /** Returns when a counter last moved, milliseconds of the Unix epoch; 0 if none has. */
    public long lastActiveMillis() {
        return lastActiveMillis;
    }
}
