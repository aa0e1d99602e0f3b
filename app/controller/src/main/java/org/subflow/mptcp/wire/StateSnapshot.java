// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wire;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.CapacitySource;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkAttributes;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.monitoring.DurationHistogram;
import org.subflow.mptcp.api.monitoring.RuleTimesService.Wait;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.placement.rate.PlacementQuality;

/** What users can ask of all connections and links at one moment, as one ONOS node sends it to another one. Immutable. */
public final class StateSnapshot {
    /** Nothing is known. */
    public static final StateSnapshot EMPTY = new StateSnapshot(List.of(), List.of(), Map.of(), null, Map.of());

    private static final byte NUMBER = 4;
    private static final DurationHistogram NO_WAITS =
            new DurationHistogram(new double[] {Double.POSITIVE_INFINITY}, new long[1], 0);
    private static final long NOT_AWAITED = -1;
    private static final ProviderId PROVIDER = new ProviderId("mptcp", "org.subflow.mptcp.store");

    /** The connections, oldest first. */
    public final ImmutableList<Entry> connections;
    /** Both directions of every link. */
    public final ImmutableList<LinkUsage> links;
    /** The counters by name. */
    public final ImmutableMap<String, Long> counters;
    private final NetworkBound bound;
    private final ImmutableMap<Wait, DurationHistogram> waits;
    private final ImmutableMap<ConnectionId, Entry> byId;

    /** A connection with what is measured and estimated of it. Immutable. */
    public static final class Entry {
        /** The connection. */
        public final Connection connection;
        /** Its rates, bit/s. */
        public final Measurement measurement;
        /** Its demand, bit/s. */
        public final Demand demand;
        /** Its attainable rate, bit/s. */
        public final AttainableRate attainable;
        /** Whether its sender's agent takes part. */
        public final boolean hasAgent;
        /** Until when it is awaited, milliseconds of the Unix epoch; empty if it is not. */
        public final OptionalLong awaitedUntil;

        /** Makes it; nothing may be null. */
        public Entry(Connection connection, Measurement measurement, Demand demand, AttainableRate attainable, boolean hasAgent,
                     OptionalLong awaitedUntil) {
            this.connection = connection;
            this.measurement = measurement;
            this.demand = demand;
            this.attainable = attainable;
            this.hasAgent = hasAgent;
            this.awaitedUntil = awaitedUntil;
        }
    }

    /**
     * Makes a snapshot.
     *
     * @param connections the connections, each once, oldest first; not null
     * @param links       both directions of every link; not null
     * @param counters    the counters by name; not null
     * @param bound       how close all come to the best of any routing; null if unknown
     * @param waits       how long subflows waited for rules; not null
     */
    public StateSnapshot(List<Entry> connections, List<LinkUsage> links, Map<String, Long> counters, NetworkBound bound,
                         Map<Wait, DurationHistogram> waits) {
        this.connections = ImmutableList.copyOf(connections);
        this.links = ImmutableList.copyOf(links);
        this.counters = ImmutableMap.copyOf(counters);
        this.bound = bound;
        this.waits = ImmutableMap.copyOf(waits);
        this.byId = Maps.uniqueIndex(this.connections, entry -> entry.connection.id());
    }

    /** Returns what is known of a connection. */
    public Optional<Entry> connection(ConnectionId id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** Returns how close all connections come to the best of any routing; empty if that is unknown. */
    public Optional<NetworkBound> bound() {
        return Optional.ofNullable(bound);
    }

    /** Returns how long subflows waited for rules. */
    public DurationHistogram waits(Wait wait) {
        return waits.getOrDefault(wait, NO_WAITS);
    }

    /** Returns it as bytes. */
    public byte[] encode() {
        RecordWriter to = new RecordWriter().number8(NUMBER).number32(connections.size());
        ConnectionForm form = new ConnectionForm();
        for (Entry entry : connections) {
            to.text(form.text(entry.connection.id()));
            form.write(entry.connection, to);
            to.number64(entry.measurement.lastActiveMillis());
            for (Subflow subflow : entry.connection.subflows()) {
                Optional<Rates> read = entry.measurement.read(subflow);
                to.number8(read.isPresent() ? 1 : 0);
                write(read.orElse(Rates.ZERO), to);
            }
            to.real(entry.demand.up()).real(entry.demand.down());
            write(entry.attainable.available(), to);
            write(entry.attainable.fair(), to);
            to.number8(entry.hasAgent ? 1 : 0).number64(entry.awaitedUntil.orElse(NOT_AWAITED));
        }
        to.number32(links.size());
        links.forEach(usage -> write(usage, to));
        to.number32(counters.size());
        counters.forEach((name, value) -> to.text(name).number64(value));
        to.number8(bound == null ? 0 : 1);
        if (bound != null) {
            PlacementQuality quality = bound.quality();
            to.number64(bound.millis()).number32(bound.connections()).real(quality.sum()).real(quality.smallest())
                    .real(quality.boundSum()).real(quality.boundSmallest());
        }
        to.number8(waits.size());
        waits.forEach((wait, histogram) -> write(wait, histogram, to));
        return to.bytes();
    }

    private static void write(LinkUsage usage, RecordWriter to) {
        LinkAttributes attributes = usage.attributes();
        to.port(usage.link().src()).port(usage.link().dst()).text(usage.link().type().name())
                .real(attributes.capacity()).text(attributes.source().name())
                .real(attributes.delayMillis().orElse(Double.NaN)).number16(attributes.riskGroups().size());
        attributes.riskGroups().forEach(to::text);
        to.real(usage.reserved()).real(usage.measured()).real(usage.others()).number32(usage.subflows());
    }

    private static LinkAttributes attributes(ByteBuffer from) {
        LinkAttributes capacity = LinkAttributes.of(from.getDouble(), CapacitySource.valueOf(RecordWriter.text(from)));
        double delayMillis = from.getDouble();
        Set<String> groups = new HashSet<>();
        for (int left = Short.toUnsignedInt(from.getShort()); left > 0; left--) {
            groups.add(RecordWriter.text(from));
        }
        return capacity.with(delayMillis, groups);
    }

    private static void write(Wait wait, DurationHistogram histogram, RecordWriter to) {
        double[] bounds = histogram.bounds();
        long[] counts = histogram.counts();
        to.text(wait.name()).number16(bounds.length);
        for (int i = 0; i < bounds.length; i++) {
            to.real(bounds[i]).number64(counts[i]);
        }
        to.real(histogram.sum());
    }

    private static void write(Rates rates, RecordWriter to) {
        to.real(rates.up()).real(rates.down());
    }

    /**
     * Reads a snapshot.
     *
     * @throws RuntimeException if the bytes are none of this release
     */
    public static StateSnapshot decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        if (from.get() != NUMBER) {
            throw new IllegalArgumentException("another release of the application sent this");
        }
        List<Entry> entries = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            entries.add(entry(from));
        }
        List<LinkUsage> links = new ArrayList<>();
        for (int left = from.getInt(); left > 0; left--) {
            Link link = DefaultLink.builder().providerId(PROVIDER).src(RecordWriter.port(from)).dst(RecordWriter.port(from))
                    .type(Link.Type.valueOf(RecordWriter.text(from))).build();
            links.add(new LinkUsage(link, attributes(from), from.getDouble(), from.getDouble(), from.getDouble(), from.getInt()));
        }
        ImmutableMap.Builder<String, Long> counters = ImmutableMap.builder();
        for (int left = from.getInt(); left > 0; left--) {
            counters.put(RecordWriter.text(from), from.getLong());
        }
        NetworkBound bound = RecordWriter.flag(from) ? new NetworkBound(from.getLong(), from.getInt(), PlacementQuality.of(
                from.getDouble(), from.getDouble(), from.getDouble(), from.getDouble())) : null;
        ImmutableMap.Builder<Wait, DurationHistogram> waits = ImmutableMap.builder();
        for (int left = from.get(); left > 0; left--) {
            waits.put(Wait.valueOf(RecordWriter.text(from)), histogram(from));
        }
        return new StateSnapshot(entries, links, counters.build(), bound, waits.build());
    }

    private static DurationHistogram histogram(ByteBuffer from) {
        int buckets = Short.toUnsignedInt(from.getShort());
        double[] bounds = new double[buckets];
        long[] counts = new long[buckets];
        for (int i = 0; i < buckets; i++) {
            bounds[i] = from.getDouble();
            counts[i] = from.getLong();
        }
        return new DurationHistogram(bounds, counts, from.getDouble());
    }

    private static Entry entry(ByteBuffer from) {
        ConnectionForm form = new ConnectionForm();
        Connection connection = form.read(form.key(RecordWriter.text(from)), from);
        long lastActiveMillis = from.getLong();
        Map<FiveTuple, Rates> rates = new HashMap<>();
        for (Subflow subflow : connection.subflows()) {
            boolean isRead = RecordWriter.flag(from);
            Rates read = rates(from);
            if (isRead) {
                rates.put(subflow.tuple(), read);
            }
        }
        Demand demand = Demand.of(from.getDouble(), from.getDouble());
        AttainableRate attainable = new AttainableRate(rates(from), rates(from));
        boolean hasAgent = RecordWriter.flag(from);
        long awaitedUntil = from.getLong();
        return new Entry(connection, new Measurement(rates, lastActiveMillis), demand, attainable, hasAgent,
                         awaitedUntil == NOT_AWAITED ? OptionalLong.empty() : OptionalLong.of(awaitedUntil));
    }

    private static Rates rates(ByteBuffer from) {
        return Rates.of(from.getDouble(), from.getDouble());
    }
}
