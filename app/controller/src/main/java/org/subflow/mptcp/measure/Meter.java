// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.loop.OneByOne;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rules.RuleReading;
import org.subflow.mptcp.topology.PortCounter;

/**
 * Reads the counters of subflows' rules at the network's edge, and derives rates and idle times.
 *
 * <p>The time of a sample is that of the last report of the rule by its switch, not that of the reading here: a counter
 * that was not polled says nothing. A counter that runs backwards (reinstalled rules) starts a new series. A rule that is not
 * in its switch says nothing ({@link RuleSample}), and no rule has counted more than its port received ({@link
 * ReceivedBytes}). Only the control loop samples; any thread reads measurements.
 */
public final class Meter implements OtherTraffic.RuleCounters {
    /** Part of what its path carries that a subflow may send in a time without readings of its port. */
    private static final double MOST_OF_BOTTLENECK = 1.25;
    private static final double UNBOUNDED = 1e15;

    /** Open vSwitch updates the counters of rules every half second: all earlier traffic shows after this time. */
    private static final long COUNTED_MILLIS = 900;

    /** ONOS polls every 5 s by default, and on a busy machine a poll is late or lost. */
    private static final long LONGEST_BETWEEN_SAMPLES_MILLIS = 15_000;

    private final ApplicationId appId;
    private final ReceivedBytes received;
    private final Stamps stamps;
    private final Map<ConnectionId, Metered> connections = new ConcurrentHashMap<>();

    /** What it knows of a connection. */
    private static final class Metered {
        private static final Metered NOTHING = new Metered();

        /** The rules that its subflows have now: as ONOS has them, once they were found there. */
        private final Map<EdgeRule, FlowRule> rules = new HashMap<>();
        private final Map<EdgeRule, RuleSample> samples = new HashMap<>();
        /** Any thread reads it. */
        private volatile Measurement measurement = Measurement.NONE;
        /** When its idle time began, milliseconds of the Unix epoch, as the next two; below 0 if it is not watched. */
        private long watchedSince = -1;
        /** Time of the newest sample; 0 if there is none. */
        private long newest;
        /** Until then each rule has been read: a connection with a rule that no switch has told of is not known to be silent. */
        private long complete;
        private long bytes;

        private void retain(Set<EdgeRule> wanted) {
            rules.keySet().retainAll(wanted);
            samples.keySet().retainAll(wanted);
        }
    }

    /**
     * Makes a meter.
     *
     * @param appId     the application that has the rules; not null
     * @param received  the last reading of the received bytes of a port, empty if there is none; no subflow has sent more than
     *                  its port received; not null
     * @param stamps    makes of the time of a counter one of a clock without steps; not null
     */
    public Meter(ApplicationId appId, Function<ConnectPoint, Optional<PortCounter>> received,
                 Stamps stamps) {
        this.appId = checkNotNull(appId, "appId");
        this.received = new ReceivedBytes(received);
        this.stamps = checkNotNull(stamps, "stamps");
    }

    private Metered of(ConnectionId id) {
        return connections.getOrDefault(id, Metered.NOTHING);
    }

    private Metered known(ConnectionId id) {
        return connections.computeIfAbsent(id, any -> new Metered());
    }

    /** Returns the newest measurement of a connection. */
    public Measurement measurement(ConnectionId id) {
        return of(id).measurement;
    }

    @Override
    public CounterSpan span(Connection connection, Subflow subflow, boolean alongSyn) {
        RuleSample sample = of(connection.id()).samples.get(EdgeRule.of(subflow, alongSyn));
        return sample == null ? null : sample.span;
    }

    /** Returns the time of the newest sample of a connection, milliseconds of the Unix epoch; 0 if there is none. */
    public long newestSampleMillis(ConnectionId id) {
        return of(id).newest;
    }

    /**
     * Returns whether the switches have counted about a second of a connection's traffic: each of its rules was in its
     * switch at every reading over that time. Packets that the controller forwards before are not counted.
     */
    public boolean isCounted(Connection connection) {
        Map<EdgeRule, RuleSample> series = of(connection.id()).samples;
        return connection.subflows().stream().filter(Subflow::isRouted)
                .flatMap(subflow -> Stream.of(EdgeRule.of(subflow, true), EdgeRule.of(subflow, false)))
                .map(series::get)
                .allMatch(sample -> sample != null && sample.countedMillis() >= COUNTED_MILLIS);
    }

    /** Starts the idle time of a connection that is not watched yet. */
    public void begin(ConnectionId id, long nowMillis) {
        Metered metered = known(id);
        metered.watchedSince = metered.watchedSince < 0 ? nowMillis : metered.watchedSince;
    }

    /** Restarts the idle time of a connection, because its rules have just been installed. */
    public void watch(ConnectionId id, long nowMillis) {
        known(id).watchedSince = nowMillis;
    }

    /**
     * Returns when a connection last sent packets or its idle time began, milliseconds of the Unix epoch; 0 if that is not
     * known.
     */
    public long lastActiveMillis(ConnectionId id) {
        Metered metered = of(id);
        return Math.max(metered.measurement.lastActiveMillis(), metered.watchedSince);
    }

    /** Returns what the rules of a connection have counted so far where packets come in, bytes on the wire in both directions. */
    public long bytes(ConnectionId id) {
        return of(id).bytes;
    }

    /** Returns how many counters it keeps: those of rules that subflows have now. */
    int size() {
        return connections.values().stream().mapToInt(metered -> metered.samples.size()).sum();
    }

    /** Forgets a connection's counters and its measurement. */
    public void forget(ConnectionId id) {
        connections.remove(id);
    }

    /**
     * Samples the counters of connections.
     *
     * @param installed the connections with installed rules
     * @param reading   the rules that ONOS has; not null
     */
    public void sample(List<Connection> installed, RuleReading reading) {
        Set<ConnectionId> ids = installed.stream().map(Connection::id).collect(Collectors.toSet());
        connections.forEach((id, metered) -> {
            if (!ids.contains(id)) {
                metered.retain(Set.of());
            }
        });
        received.read(installed.stream().flatMap(connection -> connection.subflows().stream()).filter(Subflow::isRouted)
                .flatMap(subflow -> Stream.of(subflow.ingress(), subflow.egress())).collect(Collectors.toSet()));
        OneByOne.forEach(installed, connection -> sample(connection, reading));
    }

    /**
     * Returns how long a connection has sent no packet, by the switches' counters: from the last sample in which a counter
     * moved to the newest sample of all its rules. If samples of a rule end because it has vanished, or a switch refuses it, the
     * connection counts as idle after a while. Its next packet wakes it and restores the rules.
     *
     * @param id        the connection
     * @param nowMillis milliseconds of the Unix epoch
     * @return milliseconds; 0 if there is no sample since its rules were installed, and none is long overdue
     */
    public long idleMillis(ConnectionId id, long nowMillis) {
        Metered metered = of(id);
        long read = metered.complete;
        long watched = metered.watchedSince < 0 ? read : metered.watchedSince;
        long since = Math.max(metered.measurement.lastActiveMillis(), watched);
        long silent = nowMillis - Math.max(read, since) - LONGEST_BETWEEN_SAMPLES_MILLIS;
        return Math.max(0, Math.max(read - since, silent));
    }

    private void sample(Connection connection, RuleReading reading) {
        Metered metered = known(connection.id());
        Set<EdgeRule> wanted = edgeRules(connection);
        metered.retain(wanted);
        Map<EdgeRule, RuleSample> last = metered.samples;
        long lastActive = metered.measurement.lastActiveMillis();
        Map<FiveTuple, Rates> rates = new HashMap<>();
        for (Subflow subflow : connection.subflows()) {
            if (!subflow.isRouted()) {
                continue;
            }
            double[] bps = new double[2];
            boolean isRated = false;
            for (int direction = 0; direction < 2; direction++) {
                EdgeRule series = EdgeRule.of(subflow, direction == 0);
                Optional<FlowEntry> entry = reading.find(metered.rules.computeIfAbsent(series, rule -> rule.rule(appId)));
                if (!entry.isPresent()) {
                    continue;
                }
                metered.rules.put(series, entry.get());
                RuleSample now = RuleSample.after(last.get(series), entry.get(), stamps, limit(series.port(), carried(subflow)));
                if (now == null) {
                    continue;
                }
                metered.bytes += now.since(last.put(series, now));
                bps[direction] = now.bps;
                isRated |= now.isRated;
                metered.newest = Math.max(metered.newest, now.millis());
                lastActive = Math.max(lastActive, now.movedMillis);
            }
            if (isRated) {
                Rates alongSyn = Rates.of(bps[0], bps[1]);
                rates.put(subflow.tuple(), subflow.fromClient() ? alongSyn : alongSyn.swapped());
            }
        }
        metered.complete = last.size() < wanted.size() ? 0 : last.values().stream().mapToLong(RuleSample::millis).min().orElse(0);
        metered.measurement = new Measurement(rates, lastActive);
    }

    /** Returns what the path of a subflow carries, bit/s; where no link bounds it, more than any port. */
    private static double carried(Subflow subflow) {
        return subflow.bottleneck() > 0 ? subflow.bottleneck() : UNBOUNDED;
    }

    private RuleSample.Limit limit(ConnectPoint port, double carried) {
        return new RuleSample.Limit() {
            @Override
            public double most(long fromMillis, long toMillis) {
                return received.most(port, fromMillis, toMillis, MOST_OF_BOTTLENECK * carried);
            }

            @Override
            public double carried() {
                return carried;
            }
        };
    }

    private static Set<EdgeRule> edgeRules(Connection connection) {
        Set<EdgeRule> edgeRules = new HashSet<>();
        connection.subflows().stream().filter(Subflow::isRouted).forEach(subflow -> {
            edgeRules.add(EdgeRule.of(subflow, true));
            edgeRules.add(EdgeRule.of(subflow, false));
        });
        return edgeRules;
    }
}
