// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Rates;

/**
 * Reads the counters of subflows' rules at the network's edge, and derives rates and idle times.
 *
 * <p>The time of a sample is that of the last report of the rule by its switch, not that of the reading here: a counter
 * that was not polled says nothing. A counter that runs backwards (reinstalled rules) starts a new series. Only the control
 * loop samples; any thread reads measurements.
 */
public final class Meter implements OtherTraffic.RuleCounters {
    private static final double BITS_PER_BYTE = 8;
    private static final double MILLIS_PER_SECOND = 1000;
    private static final int SAMPLES_UNTIL_KNOWN = 3;

    /** Open vSwitch updates the counters of rules every half second: all earlier traffic shows after this time. */
    private static final long COUNTED_MILLIS = 900;

    /** ONOS polls every 5 s by default, and on a busy machine a poll is late or lost. */
    private static final long LONGEST_BETWEEN_SAMPLES_MILLIS = 15_000;

    private final EdgeRules rules;
    private final Map<ConnectionId, Map<EdgeRule, Sample>> samples = new HashMap<>();
    private final Map<ConnectionId, Long> watchedSince = new HashMap<>();
    private final Map<ConnectionId, Measurement> measurements = new ConcurrentHashMap<>();
    private final Map<ConnectionId, Long> newestSample = new HashMap<>();

    public Meter(FlowRuleService flowRules) {
        this.rules = new EdgeRules(flowRules);
    }

    /** Returns the newest measurement of a connection. */
    public Measurement measurement(ConnectionId id) {
        return measurements.getOrDefault(id, Measurement.NONE);
    }

    /** Skips the first interval of a rule: packets may have passed before the switch had the rule. */
    @Override
    public CounterSpan span(Connection connection, Subflow subflow, boolean alongSyn) {
        Sample sample = samples.getOrDefault(connection.id(), Map.of()).get(EdgeRule.of(subflow, alongSyn));
        return sample == null || sample.number < SAMPLES_UNTIL_KNOWN ? null : sample.span;
    }

    /** Returns the time of the newest sample of a connection, milliseconds of the Unix epoch; 0 if there is none. */
    public long newestSampleMillis(ConnectionId id) {
        return newestSample.getOrDefault(id, 0L);
    }

    /**
     * Returns whether the switches have counted about a second of a connection's traffic: each of its rules was in its
     * switch at every reading over that time. Packets that the controller forwards before are not counted.
     */
    public boolean isCounted(Connection connection) {
        Map<EdgeRule, Sample> series = samples.getOrDefault(connection.id(), Map.of());
        return connection.subflows().stream().filter(Subflow::isRouted)
                .flatMap(subflow -> Stream.of(EdgeRule.of(subflow, true), EdgeRule.of(subflow, false)))
                .map(series::get)
                .allMatch(sample -> sample != null && sample.countedMillis() >= COUNTED_MILLIS);
    }

    /** Restarts the idle time of a connection, because its rules have just been installed. */
    public void watch(ConnectionId id, long nowMillis) {
        watchedSince.put(id, nowMillis);
    }

    /**
     * Returns when a connection last sent packets or its idle time began, milliseconds of the Unix epoch; 0 if that is not
     * known.
     */
    public long lastActiveMillis(ConnectionId id) {
        return Math.max(measurement(id).lastActiveMillis(), watchedSince.getOrDefault(id, 0L));
    }

    /** Forgets a connection's counters and its measurement. */
    public void forget(ConnectionId id) {
        samples.remove(id);
        watchedSince.remove(id);
        newestSample.remove(id);
        measurements.remove(id);
    }

    /**
     * Samples the counters of connections.
     *
     * @param connections the connections with installed rules
     */
    public void sample(List<Connection> connections) {
        Map<EdgeRule, FlowEntry> entries = rules.read(edgeRules(connections));
        connections.forEach(connection -> sample(connection, entries));
    }

    /**
     * Returns how long a connection has sent no packet, by the switches' counters: from the last sample in which a counter
     * moved to the newest sample. If samples end because the rules have vanished, the connection counts as idle from then
     * on. Its next packet wakes it and restores the rules.
     *
     * @param id        the connection
     * @param nowMillis milliseconds of the Unix epoch
     * @return milliseconds; 0 if there is no sample since its rules were installed, and none is long overdue
     */
    public long idleMillis(ConnectionId id, long nowMillis) {
        long newest = newestSample.getOrDefault(id, 0L);
        long watched = watchedSince.getOrDefault(id, newest);
        long since = Math.max(measurement(id).lastActiveMillis(), watched);
        long silent = nowMillis - Math.max(newest, watched) - LONGEST_BETWEEN_SAMPLES_MILLIS;
        return Math.max(0, Math.max(newest - since, silent));
    }

    private void sample(Connection connection, Map<EdgeRule, FlowEntry> entries) {
        Map<EdgeRule, Sample> last = samples.computeIfAbsent(connection.id(), id -> new HashMap<>());
        Measurement previous = measurement(connection.id());
        long lastActive = previous.lastActiveMillis();
        long newest = newestSample.getOrDefault(connection.id(), 0L);
        Map<FiveTuple, Rates> rates = new HashMap<>();
        for (Subflow subflow : connection.subflows()) {
            if (!subflow.isRouted()) {
                continue;
            }
            double[] bps = new double[2];
            for (int direction = 0; direction < 2; direction++) {
                EdgeRule series = EdgeRule.of(subflow, direction == 0);
                FlowEntry entry = entries.get(series);
                if (entry == null) {
                    continue;
                }
                Sample now = Sample.after(last.get(series), entry);
                last.put(series, now);
                bps[direction] = now.bps;
                newest = Math.max(newest, now.millis);
                lastActive = Math.max(lastActive, now.movedMillis);
            }
            Rates alongSyn = Rates.of(bps[0], bps[1]);
            rates.put(subflow.tuple(), subflow.fromClient() ? alongSyn : alongSyn.swapped());
        }
        newestSample.put(connection.id(), newest);
        measurements.put(connection.id(), new Measurement(rates, lastActive));
    }

    private static Set<EdgeRule> edgeRules(List<Connection> connections) {
        Set<EdgeRule> edgeRules = new HashSet<>();
        connections.forEach(connection -> connection.subflows().stream().filter(Subflow::isRouted).forEach(subflow -> {
            edgeRules.add(EdgeRule.of(subflow, true));
            edgeRules.add(EdgeRule.of(subflow, false));
        }));
        return edgeRules;
    }

    /** A counter at the time of its switch's report. */
    private static final class Sample {
        private final long millis;
        private final long packets;
        private final long bytes;
        private final double bps;
        private final long movedMillis;
        private final int number;
        /**
         * Time of the first reading of the uninterrupted series in which the rule is installed; 0 if it is not installed.
         */
        private final long installedMillis;
        private final CounterSpan span;

        private Sample(long millis, long packets, long bytes, double bps, long movedMillis, int number,
                       long installedMillis, CounterSpan span) {
            this.millis = millis;
            this.installedMillis = installedMillis;
            this.packets = packets;
            this.bytes = bytes;
            this.bps = bps;
            this.movedMillis = movedMillis;
            this.number = number;
            this.span = span;
        }

        long countedMillis() {
            return installedMillis > 0 ? millis - installedMillis : 0;
        }

        static Sample after(Sample before, FlowEntry entry) {
            long millis = entry.lastSeen();
            // Some switches report -1 for a counter that they do not keep.
            long packets = Math.max(0, entry.packets());
            long bytes = Math.max(0, entry.bytes());
            boolean installed = entry.state() == FlowEntryState.ADDED;
            if (before == null || packets < before.packets || bytes < before.bytes) {
                return new Sample(millis, packets, bytes, 0, packets > 0 ? millis : 0, 1, installed ? millis : 0, null);
            }
            if (millis <= before.millis) {
                return before;
            }
            boolean moved = packets > before.packets;
            double bps = (bytes - before.bytes) * BITS_PER_BYTE * MILLIS_PER_SECOND / (millis - before.millis);
            return new Sample(millis, packets, bytes, bps, moved ? millis : before.movedMillis,
                              before.number + 1,
                              !installed ? 0 : before.installedMillis > 0 ? before.installedMillis : millis,
                              new CounterSpan(before.millis, before.bytes, millis, bytes));
        }
    }
}
