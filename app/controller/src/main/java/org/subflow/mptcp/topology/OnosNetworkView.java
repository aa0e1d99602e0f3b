// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.config.basics.InterfaceConfig;
import org.onosproject.net.config.basics.SubjectFactories;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.subflow.mptcp.loop.SteadyClock;

/**
 * The network from ONOS's device, link and network configuration services.
 *
 * <p>It uses the link service, not the topology service, whose graph is tens of milliseconds late. The next snapshot is
 * thus without a lost link. A snapshot stays valid until something changes; a host's port that comes or goes changes nothing.
 */
@Component(immediate = true, service = NetworkView.class)
public final class OnosNetworkView implements NetworkView {
    private static final Set<Class<?>> STATED = Set.of(BandwidthCapacity.class, BasicLinkConfig.class, RiskGroupsConfig.class,
                                                         InterfaceConfig.class);
    private static final double BITS_PER_BYTE = 8;
    private static final double MILLIS_PER_SECOND = 1000;

    @Reference
    private volatile DeviceService devices;

    @Reference
    private volatile LinkService links;

    @Reference
    private volatile NetworkConfigRegistry configuration;

    private final DeviceListener deviceListener = this::deviceChanged;
    private final LinkListener linkListener = this::linkChanged;
    private final NetworkConfigListener configListener = this::configChanged;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final ConfigFactory<LinkKey, RiskGroupsConfig> riskGroups = new ConfigFactory<LinkKey, RiskGroupsConfig>(
            SubjectFactories.LINK_SUBJECT_FACTORY, RiskGroupsConfig.class, RiskGroupsConfig.KEY, true) {
        @Override
        public RiskGroupsConfig createConfig() {
            return new RiskGroupsConfig();
        }
    };
    private volatile StatedLinks stated;
    private final AtomicLong changes = new AtomicLong();
    /** Of what is configured, also for what no snapshot shows. */
    private final AtomicLong configurations = new AtomicLong();
    private volatile Cached cached;
    private final Map<ConnectPoint, PortCounter> counters = new ConcurrentHashMap<>();
    private final Map<ConnectPoint, PortCounter> received = new ConcurrentHashMap<>();

    @Activate
    void activate() {
        stated = new StatedLinks(configuration, devices, SteadyClock.SYSTEM::nanos);
        devices.addListener(deviceListener);
        links.addListener(linkListener);
        configuration.addListener(configListener);
        configuration.registerConfigFactory(riskGroups);
    }

    @Deactivate
    void deactivate() {
        devices.removeListener(deviceListener);
        links.removeListener(linkListener);
        configuration.removeListener(configListener);
        configuration.unregisterConfigFactory(riskGroups);
        cached = null;
        counters.clear();
        received.clear();
    }

    @Override
    public NetworkSnapshot snapshot() {
        Cached known = cached;
        long now = changes.get();
        if (known == null || known.change != now) {
            // After a concurrent change the numbers differ, and the next caller takes a new snapshot.
            long configuration = configurations.get();
            NetworkSnapshot taken = take();
            boolean isSame = known != null && known.configuration == configuration && known.snapshot.isSameAs(taken);
            known = new Cached(now, configuration, isSame ? known.snapshot : taken);
            cached = known;
        }
        return known.snapshot;
    }

    private NetworkSnapshot take() {
        List<DeviceId> up = StreamSupport.stream(devices.getAvailableDevices().spliterator(), false)
                .map(Device::id)
                .collect(Collectors.toList());
        List<Link> usable = StreamSupport.stream(links.getActiveLinks().spliterator(), false)
                .filter(link -> isEnabled(link.src()) && isEnabled(link.dst()))
                .collect(Collectors.toList());
        return NetworkSnapshot.of(up, usable, stated::of);
    }

    /** Returns whether a port is enabled. Links of a disabled port count as lost before link discovery notices. */
    private boolean isEnabled(ConnectPoint connectPoint) {
        Port port = devices.getPort(connectPoint);
        return port != null && port.isEnabled();
    }

    @Override
    public boolean isUp(ConnectPoint port) {
        return devices.isAvailable(port.deviceId()) && isEnabled(port);
    }

    @Override
    public double measured(Link link) {
        return rate(devices.getDeltaStatisticsForPort(link.src().deviceId(), link.src().port()));
    }

    /**
     * Returns the rate of a port between its last two statistics, bit/s. Returns NaN if there are none (null), if no time
     * lies between them, or if the counter ran backwards.
     */
    static double rate(PortStatistics delta) {
        if (delta == null) {
            return Double.NaN;
        }
        double seconds = delta.durationSec() + delta.durationNano() / 1e9;
        double bits = delta.bytesSent() * BITS_PER_BYTE;
        return seconds * MILLIS_PER_SECOND >= 1 && bits >= 0 ? bits / seconds : Double.NaN;
    }

    @Override
    public Optional<PortCounter> counter(Link link) {
        return Optional.ofNullable(counters.get(link.src()));
    }

    @Override
    public Optional<PortCounter> received(ConnectPoint port) {
        return Optional.ofNullable(received.get(port));
    }

    @Override
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    private void deviceChanged(DeviceEvent event) {
        switch (event.type()) {
            case PORT_STATS_UPDATED:
                keepCounters(event.subject().id(), SteadyClock.SYSTEM.at(event.time()));
                break;
            default:
                changed();
                break;
        }
    }

    /** Stores the counters of a switch's ports with the time of the event: ONOS gives that time nowhere else. */
    private void keepCounters(DeviceId device, long millis) {
        for (PortStatistics statistics : devices.getPortStatistics(device)) {
            ConnectPoint port = new ConnectPoint(device, statistics.portNumber());
            counters.put(port, new PortCounter(millis, Math.max(0, statistics.bytesSent())));
            received.put(port, new PortCounter(millis, Math.max(0, statistics.bytesReceived())));
        }
    }

    private void linkChanged(LinkEvent event) {
        changed();
    }

    private void configChanged(NetworkConfigEvent event) {
        if (STATED.contains(event.configClass())) {
            stated.changed();
            configurations.incrementAndGet();
            changed();
        }
    }

    private void changed() {
        changes.incrementAndGet();
        listeners.forEach(Listener::networkChanged);
    }

    private static final class Cached {
        private final long change;
        private final long configuration;
        private final NetworkSnapshot snapshot;

        private Cached(long change, long configuration, NetworkSnapshot snapshot) {
            this.change = change;
            this.configuration = configuration;
            this.snapshot = snapshot;
        }
    }
}
