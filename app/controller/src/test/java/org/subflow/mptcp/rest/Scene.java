// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.onlab.packet.ChassisId;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.codec.CodecService;
import org.onosproject.codec.JsonCodec;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.AwaitedService;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionListener;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.MptcpService;
import org.subflow.mptcp.api.OverlayService;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.Terms;
import org.subflow.mptcp.api.Token;
import org.subflow.mptcp.api.monitoring.FailureService;
import org.subflow.mptcp.api.monitoring.HistoryService;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.plan.BackgroundPlanService;
import org.subflow.mptcp.api.plan.NetworkBound;
import org.subflow.mptcp.api.plan.NetworkBoundService;
import org.subflow.mptcp.api.plan.ReoptimisationService;
import org.subflow.mptcp.api.plan.ShareLimits;
import org.subflow.mptcp.api.plan.WhatIfAnswer;
import org.subflow.mptcp.api.plan.WhatIfService;
import org.subflow.mptcp.api.policy.Policy;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.api.policy.SettingsService;
import org.subflow.mptcp.history.ConnectionHistory;
import org.subflow.mptcp.history.Histories;
import org.subflow.mptcp.placement.AttainableRate;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.rest.view.ConnectionCodec;
import org.subflow.mptcp.rest.view.LinkUsageCodec;
import org.subflow.mptcp.rest.view.ShareLimitsCodec;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkSnapshot;
import org.subflow.mptcp.topology.OnosNames;
import org.subflow.mptcp.topology.StillView;

/** What REST finds behind it in tests: two connections on the diamond, the same at each run. */
public final class Scene implements MptcpService, StillView, CodecService, OverlayService, WhatIfService, NetworkBoundService {
    public static final ConnectionId BUSY = ConnectionId.of("mptcp-5b6a7988");
    public static final ConnectionId RESTING = ConnectionId.of("mptcp-10.0.0.1-40000");

    private static final long BEGIN = 1_700_000_000_000L;

    public long millis = BEGIN;
    public Settings settings = Settings.DEFAULTS;
    public List<Link> network = Nets.diamondLinks();
    public double measured = 9.2e6;
    public long handshakes = 2;
    public final KnownFailures failures = new KnownFailures();
    /** When the connections were compared with the best of any routing. */
    public long compared = BEGIN - 5000;
    public final ConnectionHistory history = Histories.empty(() -> millis);
    public final Map<ConnectionId, Connection> connections = new LinkedHashMap<>();
    private final List<ConnectionListener> listeners = new ArrayList<>();
    private final Map<Class<?>, JsonCodec<?>> codecs = new HashMap<>();
    private final List<Host> hosts = List.of(host(1, "client"), host(2, null));

    public Scene() {
        registerCodec(Connection.class, new ConnectionCodec());
        registerCodec(LinkUsage.class, new LinkUsageCodec());
        registerCodec(ShareLimits.class, new ShareLimitsCodec());
        Terms bulk = Policy.named("bulk").weight(2).build().terms(settings);
        Connection busy = Connection.opened(BUSY, 1, Token.of(0x1f2e3d4c), Token.of(0x5b6a7988), bulk, BEGIN - 90_000, first(2))
                .withSubflow(routed(38131, true, 3).withExpected(Rates.of(4.75e6, 0.2e6)))
                .withSubflow(unrouted(38132, true))
                .withState(ConnectionState.ACTIVE);
        Connection resting = Connection.opened(RESTING, 0, null, null, settings.terms(), BEGIN - 600_000, unrouted(40000, false))
                .withState(ConnectionState.IDLE);
        put(busy);
        put(resting);
        Connection over = Connection.opened(ConnectionId.of("2e0d0c0b"), 1, null, null, settings.terms(), BEGIN - 300_000,
                                            unrouted(39000, false));
        Histories.tell(history, new ConnectionEvent(ConnectionEvent.Type.CLOSED, over, ConnectionEvent.Cause.ENDED));
        tell(ConnectionEvent.Type.OPENED, busy);
        tell(ConnectionEvent.Type.INSTALLED, busy);
    }

    /** Lets everybody hear of something, a second later. */
    public void tell(ConnectionEvent.Type type, Connection connection) {
        tell(type, connection, null);
    }

    /** Lets everybody hear of something and of its cause, a second later. */
    public void tell(ConnectionEvent.Type type, Connection connection, ConnectionEvent.Cause cause) {
        millis += 1000;
        ConnectionEvent event = new ConnectionEvent(type, connection, cause);
        Histories.tell(history, event);
        listeners.stream().filter(listener -> listener.isRelevant(event)).forEach(listener -> listener.event(event));
    }

    /** Returns the busy connection with its first subflow on another path. */
    private Connection moved() {
        Connection busy = connections.get(BUSY);
        return busy.mapSubflows(subflow -> subflow.equals(busy.first()) ? first(4) : subflow);
    }

    public void put(Connection connection) {
        connections.put(connection.id(), connection);
    }

    /** A service directory: use {@code scene::get}. */
    public <T> T get(Class<T> service) {
        Map<Class<?>, Object> others = Map.of(
                HostService.class, new Hosts(),
                NameService.class, new OnosNames(new Places(), new Hosts(), new NetworkConfigServiceAdapter()),
                DeviceService.class, new Places(),
                SettingsService.class, (SettingsService) () -> settings,
                AwaitedService.class, new KnownAwaited(),
                BackgroundPlanService.class, (BackgroundPlanService) () -> List.of(moved()),
                ReoptimisationService.class, (ReoptimisationService) id -> List.of(moved()),
                FailureService.class, failures,
                HistoryService.class, history);
        return service.cast(others.getOrDefault(service, this));
    }

    private static FiveTuple tuple(int port) {
        return FiveTuple.of(IpAddress.valueOf("10.0.0.1"), port, IpAddress.valueOf("10.0.0.2"), 5201);
    }

    /** One of which no frame has been seen. */
    private static Subflow unrouted(int port, boolean isJoin) {
        return Subflow.unrouted(tuple(port), true, isJoin, Nets.edge(1), Nets.edge(5));
    }

    /** Returns a connection's first subflow, from switch 1 to switch 5 by another one. */
    public static Subflow first(int middle) {
        return routed(38130, false, middle);
    }

    private static Subflow routed(int port, boolean isJoin, int middle) {
        FiveTuple seen = tuple(port).between(HostId.hostId(MacAddress.valueOf(1)), HostId.hostId(MacAddress.valueOf(2)));
        return Subflow.unrouted(seen, true, isJoin, Nets.edge(1), Nets.edge(5))
                .withRoute(SubflowState.ACTIVE, List.of(Nets.link(1, middle), Nets.link(middle, 5)),
                           List.of(Nets.link(5, middle), Nets.link(middle, 1)), Nets.CAPACITY)
                .withExpected(Rates.of(9.5e6, 0.2e6));
    }

    private static Host host(int number, String name) {
        MacAddress mac = MacAddress.valueOf(number);
        HostLocation location = new HostLocation(Nets.edge(number == 1 ? 1 : 5), 0);
        return new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE, location,
                               Set.of(IpAddress.valueOf("10.0.0." + number)),
                               name == null ? DefaultAnnotations.EMPTY
                                            : DefaultAnnotations.builder().set("name", name).build());
    }

    @Override
    public List<Connection> connections() {
        return List.copyOf(connections.values());
    }

    @Override
    public Optional<Connection> connection(ConnectionId id) {
        return Optional.ofNullable(connections.get(id));
    }

    @Override
    public Measurement measurement(ConnectionId id) {
        return id.equals(BUSY) ? new Measurement(Map.of(first(2).tuple(), Rates.of(measured, 0.19e6)), BEGIN) : Measurement.NONE;
    }

    @Override
    public boolean hasAgent(ConnectionId id) {
        return id.equals(BUSY);
    }

    @Override
    public Demand demand(ConnectionId id) {
        return id.equals(BUSY) ? Demand.of(Double.POSITIVE_INFINITY, 0.5e6) : Demand.UNLIMITED;
    }

    @Override
    public AttainableRate attainableRate(ConnectionId id) {
        return id.equals(BUSY) ? new AttainableRate(Rates.of(20e6, 19e6), Rates.of(15e6, 14.5e6)) : AttainableRate.NONE;
    }

    @Override
    public Optional<NetworkBound> bound() {
        return Optional.of(Bounds.of(compared));
    }

    @Override
    public List<LinkUsage> links() {
        return snapshot().links().stream()
                .map(link -> link.equals(Nets.link(1, 2)) ? new LinkUsage(link, Nets.capacity(Nets.CAPACITY), 9.5e6, measured,
                                                                        0.4e6, 1)
                                                          : new LinkUsage(link, Nets.capacity(Nets.CAPACITY), 0, 0, 0, 0))
                .collect(Collectors.toList());
    }

    @Override
    public Map<String, Long> counters() {
        return new LinkedHashMap<>(Map.of("mp-capable", handshakes));
    }

    @Override
    public void addListener(ConnectionListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(ConnectionListener listener) {
        listeners.remove(listener);
    }

    @Override
    public NetworkSnapshot snapshot() {
        return Nets.snapshot(network);
    }

    @Override
    public List<WhatIfAnswer> whatIf(List<String> strategies, int subflows, Subflow first) {
        return strategies.stream().map(strategy -> {
            try {
                Settings terms = Settings.DEFAULTS.with(Settings.STRATEGY, strategy);
                return WhatIfAnswer.of(Connection.opened(ConnectionId.of("what-if"), 1, null, null, terms.terms(), 0, first(2)), 1);
            } catch (IllegalArgumentException e) {
                return WhatIfAnswer.failed(e.getMessage());
            }
        }).collect(Collectors.toList());
    }

    @Override
    public void show(String user, Set<ConnectionId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void hide(String user) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Set<ConnectionId>> shown(String user) {
        return Optional.of(Set.of(BUSY));
    }

    @Override
    public Set<Class<?>> getCodecs() {
        return codecs.keySet();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> JsonCodec<T> getCodec(Class<T> type) {
        return (JsonCodec<T>) codecs.get(type);
    }

    @Override
    public <T> void registerCodec(Class<T> type, JsonCodec<T> codec) {
        codecs.put(type, codec);
    }

    @Override
    public void unregisterCodec(Class<?> type) {
        codecs.remove(type);
    }

    private final class Hosts extends HostServiceAdapter {
        @Override
        public Iterable<Host> getHosts() {
            return hosts;
        }

        @Override
        public Host getHost(HostId id) {
            return hosts.stream().filter(host -> host.id().equals(id)).findFirst().orElse(null);
        }
    }

    /** Switches of which one has coordinates. */
    private static final class Places extends DeviceServiceAdapter {
        @Override
        public Device getDevice(DeviceId id) {
            return !id.equals(Nets.device(1)) ? null : new DefaultDevice(
                    ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(), DefaultAnnotations.builder()
                            .set(AnnotationKeys.NAME, "Berlin").set(AnnotationKeys.LATITUDE, "52.52").set(AnnotationKeys.LONGITUDE, "13.41").build());
        }
    }
}
