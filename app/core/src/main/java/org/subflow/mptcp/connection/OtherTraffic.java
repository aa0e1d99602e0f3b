// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.connection;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Rates;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.NetworkSnapshot;

/**
 * What links carry beside our subflows: the ports' counters less the subflows', smoothed, as the two are not read at the
 * same moment.
 *
 * <p>Less than a twentieth of a link's capacity is taken for noise. A link with a subflow whose counters have not been read
 * three times keeps its old value. Used by the control loop only.
 */
final class OtherTraffic {
    private static final double SMOOTHING = 0.5;
    private static final double NOISE = 0.05;
    private static final double NOTICEABLE = 0.1;
    private static final double SETTLED = 0.01;

    /** Tells how a subflow's connection is measured. */
    interface Measurements {
        /** Returns the newest measurement of a connection. */
        Measurement of(Connection connection);

        /** Returns whether a subflow's counters have been read often enough for its rate to be one. */
        boolean isKnown(Connection connection, Subflow subflow);
    }

    /** Tells what a directed link's source port sends, bit/s. */
    interface PortRates {
        /** Returns bit/s of all traffic. */
        double of(Link link);
    }

    private final Map<LinkKey, Double> smoothed = new HashMap<>();
    private final Map<LinkKey, Double> told = new HashMap<>();

    /** Returns what a directed link carries beside our subflows, bit/s; 0 if that is next to nothing. */
    double on(Link link) {
        return told.getOrDefault(LinkKey.linkKey(link), 0.0);
    }

    /**
     * Learns from a sample.
     *
     * @param network      the network
     * @param connections  those on it
     * @param measurements what is measured of them
     * @param ports        what ports send
     * @return whether a link's value has moved noticeably
     */
    boolean update(NetworkSnapshot network, List<Connection> connections, Measurements measurements,
                   PortRates ports) {
        Map<LinkKey, Double> ours = new HashMap<>();
        Set<LinkKey> unknown = new HashSet<>();
        for (Connection connection : connections) {
            Measurement measurement = measurements.of(connection);
            for (Subflow subflow : connection.subflows()) {
                boolean known = measurements.isKnown(connection, subflow);
                Rates rates = measurement.rates(subflow.tuple());
                Rates alongSyn = subflow.fromClient() ? rates : rates.swapped();
                subflow.path().forEach(link -> add(link, alongSyn.up(), known, ours, unknown));
                subflow.reversePath().forEach(link -> add(link, alongSyn.down(), known, ours, unknown));
            }
        }
        boolean moved = false;
        for (Link link : network.links()) {
            LinkKey key = LinkKey.linkKey(link);
            if (!unknown.contains(key)) {
                double other = Math.max(0, ports.of(link) - ours.getOrDefault(key, 0.0));
                moved |= learn(key, other, network.capacity(link));
            }
        }
        return moved;
    }

    private static void add(Link link, double rate, boolean known, Map<LinkKey, Double> ours, Set<LinkKey> unknown) {
        LinkKey key = LinkKey.linkKey(link);
        ours.merge(key, rate, Double::sum);
        if (!known) {
            unknown.add(key);
        }
    }

    private boolean learn(LinkKey key, double other, double capacity) {
        double before = smoothed.getOrDefault(key, 0.0);
        double now = before + SMOOTHING * (other - before);
        smoothed.put(key, now);
        double said = told.getOrDefault(key, 0.0);
        double say = now < NOISE * capacity ? 0 : now;
        // Told at once if it is much, and once it has settled if it is little.
        boolean settled = Math.abs(now - before) < SETTLED * capacity;
        double least = settled ? 2 * SETTLED * capacity : NOTICEABLE * capacity;
        boolean noticeable = Math.abs(say - said) > least || (say == 0) != (said == 0);
        if (noticeable) {
            told.put(key, say);
        }
        return noticeable;
    }
}
