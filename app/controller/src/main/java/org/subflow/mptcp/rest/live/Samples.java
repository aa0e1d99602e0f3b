// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.placement.Mbps;
import org.subflow.mptcp.placement.Rates;

/** The last five minutes in figures, for pages that are opened later. Not thread-safe. */
final class Samples {
    /** Between two samples. */
    static final long PERIOD_MILLIS = 2000;
    static final int MOST = 150;
    /** Of one sample. */
    static final int MOST_SUBFLOWS = 100;

    private static final double BUSY_BPS = 0.1e6;
    private static final double STEPS = 1e4;

    private final Deque<Sample> kept = new ArrayDeque<>();

    /** The network at one moment. */
    private static final class Sample {
        private long millis;
        private int connections;
        private int subflows;
        private double rate;
        private double fairness;
        private double mean;
        private double most;
        /** By the names of connection and subflow: measured and expected bit/s, in the direction in which its connection sends more. */
        private final Map<List<String>, double[]> rates = new HashMap<>();
    }

    /**
     * Takes a sample, unless the last one is too young.
     *
     * @param millis the time, milliseconds of the Unix epoch
     */
    void take(long millis, MptcpService mptcp) {
        if (!kept.isEmpty() && Math.abs(millis - kept.getLast().millis) < PERIOD_MILLIS) {
            return;
        }
        Sample sample = new Sample();
        sample.millis = millis;
        connections(sample, mptcp);
        links(sample, mptcp.links());
        kept.addLast(sample);
        if (kept.size() > MOST) {
            kept.removeFirst();
        }
    }

    private static void connections(Sample sample, MptcpService mptcp) {
        double squares = 0;
        int busy = 0;
        int read = 0;
        Set<List<Object>> seen = new LinkedHashSet<>();
        for (Connection connection : mptcp.connections()) {
            Measurement measurement = mptcp.measurement(connection.id());
            Rates sum = measurement.rates(connection);
            boolean isActive = connection.state() == ConnectionState.ACTIVE;
            sample.connections += isActive ? 1 : 0;
            sample.subflows += isActive ? connection.subflows().size() : 0;
            // Legs of one connection count once.
            if (seen.add(key(connection))) {
                double rate = sum.larger();
                sample.rate += rate;
                read += measurement.read(connection).isPresent() ? 1 : 0;
                squares += rate > BUSY_BPS ? rate * rate : 0;
                busy += rate > BUSY_BPS ? 1 : 0;
                sample.fairness += rate > BUSY_BPS ? rate : 0;
            }
            if (isActive) {
                rates(sample, connection, measurement, sum.up() >= sum.down());
            }
        }
        sample.rate = read > 0 || seen.isEmpty() ? sample.rate : Double.NaN;
        sample.fairness = busy > 0 ? sample.fairness * sample.fairness / (busy * squares) : Double.NaN;
    }

    private static List<Object> key(Connection connection) {
        return List.of(connection.first().tuple().sourceText(), connection.first().tuple().destinationText(),
                       connection.clientToken(), connection.serverToken());
    }

    private static void rates(Sample sample, Connection connection, Measurement measurement, boolean isUp) {
        for (Subflow subflow : connection.subflows()) {
            if (sample.rates.size() < MOST_SUBFLOWS) {
                double measured = measurement.read(subflow).map(isUp ? Rates::up : Rates::down).orElse(Double.NaN);
                sample.rates.put(List.of(connection.id().value(), subflow.tuple().sourceText()), new double[] {
                    measured, isUp ? subflow.expected().up() : subflow.expected().down()});
            }
        }
    }

    private static void links(Sample sample, List<LinkUsage> links) {
        double capacity = 0;
        double carried = 0;
        for (LinkUsage usage : links) {
            if (usage.capacity() > 0 && !Double.isNaN(usage.measured())) {
                capacity += usage.capacity();
                carried += usage.measured();
                sample.most = Math.max(sample.most, usage.measured() / usage.capacity());
            }
        }
        sample.mean = capacity > 0 ? carried / capacity : Double.NaN;
        sample.most = capacity > 0 ? sample.most : Double.NaN;
    }

    /** Writes the samples, oldest first: a list for each figure, of the same length; null where there is none. */
    ObjectNode write(ObjectMapper mapper) {
        ObjectNode node = mapper.createObjectNode();
        ArrayNode millis = node.putArray("millis");
        kept.forEach(sample -> millis.add(sample.millis));
        ArrayNode connections = node.putArray("connections");
        kept.forEach(sample -> connections.add(sample.connections));
        ArrayNode subflows = node.putArray("subflows");
        kept.forEach(sample -> subflows.add(sample.subflows));
        put(node.putArray("measuredMbps"), sample -> rounded(sample.rate));
        put(node.putArray("fairness"), sample -> sample.fairness);
        put(node.putArray("meanUtilisation"), sample -> sample.mean);
        put(node.putArray("mostUtilisation"), sample -> sample.most);
        ArrayNode rates = node.putArray("rates");
        Set<List<String>> names = kept.stream().flatMap(sample -> sample.rates.keySet().stream()).sorted(Samples::byName)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Stream.concat(newest(), names.stream()).distinct().limit(MOST_SUBFLOWS).forEach(name -> {
            ObjectNode one = rates.addObject().put("connection", name.get(0)).put("subflow", name.get(1));
            put(one.putArray("measuredMbps"), sample -> rate(sample, name, 0));
            put(one.putArray("expectedMbps"), sample -> rate(sample, name, 1));
        });
        return node;
    }

    /** Returns the subflows of the newest sample, which come first. */
    private Stream<List<String>> newest() {
        return kept.isEmpty() ? Stream.empty() : kept.getLast().rates.keySet().stream().sorted(Samples::byName);
    }

    private static int byName(List<String> a, List<String> b) {
        int first = a.get(0).compareTo(b.get(0));
        return first == 0 ? a.get(1).compareTo(b.get(1)) : first;
    }

    private static double rate(Sample sample, List<String> name, int which) {
        double[] rates = sample.rates.get(name);
        return rates == null ? Double.NaN : rounded(rates[which]);
    }

    private static double rounded(double bps) {
        return Double.isNaN(bps) ? Double.NaN : Mbps.rounded(bps);
    }

    private void put(ArrayNode list, ToDoubleFunction<Sample> figure) {
        for (Sample sample : kept) {
            double value = figure.applyAsDouble(sample);
            list.add(Double.isNaN(value) ? null : (Double) (Math.round(value * STEPS) / STEPS));
        }
    }
}
