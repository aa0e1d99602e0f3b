// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static com.google.common.base.Preconditions.checkNotNull;

import com.google.common.cache.CacheBuilder;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.segment.Ending;
import org.subflow.mptcp.store.ConnectionStore;

/**
 * The managed subflows whose end was seen: FINs of both hosts, or an RST. Anybody can forge these, and a half-closed
 * subflow goes on; so an end counts only after a reading in which the switches' counters stand still. Used by the control
 * loop only.
 */
public final class Endings {
    /** Limit of subflows; the oldest are forgotten first and end by their idle time. */
    private static final int MOST = 10_000;

    private final ConnectionStore store;
    private final Map<FiveTuple, Noted> noted =
            CacheBuilder.newBuilder().concurrencyLevel(1).maximumSize(MOST).<FiveTuple, Noted>build().asMap();

    private static final class Noted {
        private final Ending ending = new Ending();
        private long millis;
    }

    public Endings(ConnectionStore store) {
        this.store = checkNotNull(store, "store");
    }

    /**
     * Notes a FIN or RST of a managed subflow. Its rules, path and share go with the next reading of still counters.
     *
     * @param sender    five-tuple of the segment
     * @param reset     whether it is an RST
     * @param nowMillis milliseconds of the Unix epoch
     */
    public void ended(FiveTuple sender, boolean reset, long nowMillis) {
        store.checkThread();
        store.owner(sender).flatMap(store::get).flatMap(connection -> connection.subflow(sender))
                .ifPresent(subflow -> note(subflow.tuple(), subflow.tuple().equals(sender), reset, nowMillis));
    }

    private void note(FiveTuple tuple, boolean fromSource, boolean reset, long nowMillis) {
        Noted one = noted.computeIfAbsent(tuple, unused -> new Noted());
        one.ending.note(fromSource, reset);
        one.millis = nowMillis;
    }

    /** Notes that a subflow begins: what ended before had the same five-tuple. */
    public void begins(FiveTuple tuple) {
        store.checkThread();
        noted.remove(tuple);
    }

    /** Returns whether no end is noted. */
    public boolean isEmpty() {
        return noted.isEmpty();
    }

    /**
     * Returns the subflows of a connection that have ended.
     *
     * @param connection   the connection
     * @param measurement  its newest measurement
     * @param sampleMillis when the switches reported it, milliseconds of the Unix epoch
     */
    public Set<FiveTuple> of(Connection connection, Measurement measurement, long sampleMillis) {
        return connection.subflows().stream()
                .filter(subflow -> hasEnded(connection, subflow, measurement, sampleMillis))
                .map(Subflow::tuple)
                .collect(Collectors.toSet());
    }

    private boolean hasEnded(Connection connection, Subflow subflow, Measurement measurement, long sampleMillis) {
        Noted one = noted.get(subflow.tuple());
        if (one == null || !one.ending.isComplete()) {
            return false;
        }
        boolean isStill = sampleMillis > one.millis && measurement.rates(subflow.tuple()).equals(Rates.ZERO);
        return isStill || !subflow.isRouted() || connection.state() == ConnectionState.IDLE;
    }

    /**
     * Returns whether the end of a subflow was seen. One that is idle then stays so, whatever it sends: with each packet it would
     * get a path, and lose it at the next reading.
     *
     * @param tuple its five-tuple, either way round
     */
    public boolean hasEnded(FiveTuple tuple) {
        Noted one = noted.getOrDefault(tuple, noted.get(tuple.reversed()));
        return one != null && one.ending.isComplete();
    }

    /** Forgets the subflows of a connection. */
    public void forget(Connection connection) {
        connection.subflows().forEach(subflow -> noted.remove(subflow.tuple()));
    }
}
