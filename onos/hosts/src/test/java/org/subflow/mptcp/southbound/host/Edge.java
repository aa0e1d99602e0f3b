// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.host;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.onlab.packet.IpAddress;
import org.onosproject.cfg.ComponentConfigAdapter;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.host.HostDescription;
import org.onosproject.net.host.HostProvider;
import org.onosproject.net.host.HostProviderRegistry;
import org.onosproject.net.host.HostProviderService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.southbound.fixtures.Applications;
import org.subflow.mptcp.southbound.fixtures.Configured;
import org.subflow.mptcp.southbound.fixtures.Devices;
import org.subflow.mptcp.southbound.fixtures.Links;
import org.subflow.mptcp.southbound.fixtures.Packets;

/** ONOS around the provider of hosts: it keeps the hosts that it is told of, and knows links and ports. */
final class Edge {
    private static final ProviderId PROVIDER = new ProviderId("host", "test");

    final Hosts hosts = new Hosts();
    final Core core = new Core();
    final Links links = new Links();
    final Switches switches = new Switches();
    final Packets packets = new Packets();
    /** What the core was told, one line each. */
    final List<String> told = new ArrayList<>();
    /** How often the hosts at a port were counted. */
    int counts;
    /** How often a host was looked up. */
    int lookups;
    /** Where hosts are by the network configuration, wherever they are seen. */
    final Map<HostId, Set<HostLocation>> configured = new HashMap<>();
    final NetworkConfigServiceAdapter configuration = new NetworkConfigServiceAdapter() {
        @Override
        @SuppressWarnings("unchecked")
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            if (!configured.containsKey(subject)) {
                return null;
            }
            BasicHostConfig config = new BasicHostConfig();
            config.init((HostId) subject, "basic", new ObjectMapper().createObjectNode(), new ObjectMapper(), changed -> { });
            return (C) config.setLocations(configured.get(subject));
        }
    };
    private final Map<HostId, Host> known = new LinkedHashMap<>();

    /** Starts a provider in this ONOS, with its defaults. */
    void start(HostLocationProvider provider) {
        provider.providerRegistry = core;
        provider.hostService = hosts;
        provider.packetService = packets;
        provider.linkService = links;
        provider.deviceService = switches;
        provider.configuration = configuration;
        provider.cfgService = new ComponentConfigAdapter();
        provider.coreService = new Applications(1);
        provider.activate(new Configured(Map.of()));
    }

    final class Hosts extends HostServiceAdapter {
        @Override
        public Host getHost(HostId id) {
            lookups++;
            return known.get(id);
        }

        @Override
        public Set<Host> getHostsByIp(IpAddress address) {
            return known.values().stream().filter(host -> host.ipAddresses().contains(address))
                    .collect(Collectors.toSet());
        }

        @Override
        public Set<Host> getConnectedHosts(ConnectPoint point) {
            counts++;
            return known.values().stream().filter(host -> host.location().equals(point)).collect(Collectors.toSet());
        }

        @Override
        public Set<Host> getConnectedHosts(DeviceId device) {
            return known.values().stream()
                    .filter(host -> host.locations().stream().anyMatch(location -> location.deviceId().equals(device)))
                    .collect(Collectors.toSet());
        }
    }

    final class Core implements HostProviderRegistry, HostProviderService {
        final Set<HostProvider> registered = new HashSet<>();

        @Override
        public void hostDetected(HostId id, HostDescription host, boolean replaceAddresses) {
            Set<IpAddress> addresses = new HashSet<>(host.ipAddress());
            if (known.containsKey(id) && !replaceAddresses) {
                addresses.addAll(known.get(id).ipAddresses());
            }
            known.put(id, new DefaultHost(PROVIDER, id, host.hwAddress(), host.vlan(), configured.getOrDefault(id, host.locations()),
                                          addresses, false));
            told.add(id.mac() + " at " + port(host.location()) + " " + new TreeSet<>(host.ipAddress()));
        }

        @Override
        public void removeLocationFromHost(HostId id, HostLocation location) {
            Host host = known.remove(id);
            Set<HostLocation> left = new HashSet<>(host.locations());
            left.remove(location);
            if (!left.isEmpty()) {
                known.put(id, new DefaultHost(PROVIDER, id, host.mac(), host.vlan(), left, host.ipAddresses(), false));
            }
            told.add(id.mac() + " no longer at " + port(location));
        }

        private String port(HostLocation location) {
            return new ConnectPoint(location.deviceId(), location.port()).toString();
        }

        @Override
        public void hostVanished(HostId id) {
            throw new UnsupportedOperationException("a host may be at another port as well");
        }

        @Override
        public void removeIpFromHost(HostId id, IpAddress address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public HostProviderService register(HostProvider provider) {
            registered.add(provider);
            return this;
        }

        @Override
        public void unregister(HostProvider provider) {
            registered.remove(provider);
        }

        @Override
        public Set<ProviderId> getProviders() {
            return Set.of();
        }

        @Override
        public HostProvider provider() {
            return registered.iterator().next();
        }
    }

    /** All switches there could be; ports that no test has touched are up. */
    static final class Switches extends Devices {
        final Set<DeviceId> unavailable = new HashSet<>();
        private final Map<ConnectPoint, Port> ports = new HashMap<>();

        void tell(DeviceEvent.Type type, ConnectPoint point, boolean enabled) {
            ports.put(point, new DefaultPort(getDevice(point.deviceId()), point.port(), enabled));
            tell(type, point);
        }

        @Override
        public Port getPort(DeviceId id, PortNumber number) {
            return ports.getOrDefault(new ConnectPoint(id, number), new DefaultPort(getDevice(id), number, true));
        }

        @Override
        public boolean isAvailable(DeviceId id) {
            return !unavailable.contains(id);
        }
    }
}
