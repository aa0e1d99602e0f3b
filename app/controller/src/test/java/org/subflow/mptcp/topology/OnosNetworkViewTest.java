// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.InvalidFieldException;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.config.basics.InterfaceConfig;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.CapacitySource;

/** The network follows ONOS's configuration of links at run time. */
class OnosNetworkViewTest {
    private final OnosNetworkView view = new OnosNetworkView();
    private final Map<Object, BasicLinkConfig> configured = new HashMap<>();
    private final Map<Object, RiskGroupsConfig> groups = new HashMap<>();
    private List<Link> links = Nets.bothWays(new int[][] {{1, 2}});
    private NetworkConfigListener listener;
    private DeviceListener deviceListener;
    private final Set<ConnectPoint> portsDown = new HashSet<>();
    private int changes;

    @BeforeEach
    void start() throws ReflectiveOperationException {
        set("devices", new DeviceServiceAdapter() {
            @Override
            public Iterable<Device> getAvailableDevices() {
                return ImmutableList.of(device(1), device(2));
            }

            @Override
            public Port getPort(ConnectPoint point) {
                return new DefaultPort(null, point.port(), !portsDown.contains(point), Port.Type.COPPER, 100);
            }

            @Override
            public void addListener(DeviceListener added) {
                deviceListener = added;
            }
        });
        set("links", new LinkServiceAdapter() {
            @Override
            public Iterable<Link> getActiveLinks() {
                return links;
            }
        });
        set("configuration", new Registry() {
            @Override
            public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subjectClass, Class<C> configClass) {
                Set<?> subjects = configClass == BasicLinkConfig.class ? configured.keySet()
                        : configClass == RiskGroupsConfig.class ? groups.keySet() : Set.of();
                return subjects.stream().map(subjectClass::cast).collect(Collectors.toSet());
            }

            @Override
            public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
                return configClass == BasicLinkConfig.class ? configClass.cast(configured.get(subject))
                        : configClass == RiskGroupsConfig.class ? configClass.cast(groups.get(subject)) : null;
            }

            @Override
            public void addListener(NetworkConfigListener added) {
                listener = added;
            }
        });
        view.activate();
        view.addListener(() -> changes++);
    }

    @Test
    void aBandwidthThatIsConfiguredWhileItRunsCountsAtOnceInItsDirection() {
        assertCapacities(100e6, CapacitySource.PORT_SPEED, 100e6);
        configure(Nets.link(1, 2), "bandwidth", 50);
        assertEquals(1, changes, "whoever follows the network is told");
        assertCapacities(50e6, CapacitySource.BASIC_BANDWIDTH, 100e6);
        configured.clear();
        changed(Nets.link(1, 2), BasicLinkConfig.class);
        assertCapacities(100e6, CapacitySource.PORT_SPEED, 100e6);
    }

    @ParameterizedTest
    @CsvSource({"5000000, 5", "0, 0", "86400000000000, 86400000", "PT0.0025S, 2.5", "1e6, 1", "-1, ", "86400000000001, ", "NaN, ",
            "soon, ", "PT25H, ", "PT-1S, ", "P, ", "Infinity, "})
    void aLatencyIsADelayIfItIsOne(String latency, Double millis) {
        links = List.of(annotated(1, 2, "latency", latency), annotated(2, 1, "srlg", ""));
        for (Link link : links) {
            assertEquals(millis == null ? OptionalDouble.empty() : OptionalDouble.of(millis),
                         view.snapshot().attributes(link).delayMillis(), "the other direction's counts where it has none");
        }
        assertEquals(millis == null ? Double.NaN : millis, view.snapshot().graph().delay(0));
    }

    @Test
    void theConfiguredLatencyCountsBeforeTheAnnotationAndAtOnce() {
        links = List.of(annotated(1, 2, "latency", "PT0.1S"), annotated(2, 1, "latency", "PT0.2S"));
        assertEquals(100, view.snapshot().graph().delay(0));
        configure(Nets.link(1, 2), "latency", 3_000_000);
        assertEquals(3, view.snapshot().graph().delay(0));
        assertEquals(200, view.snapshot().graph().delay(1));
    }

    @Test
    void groupsAreThoseOfConfigurationAndAnnotationsOfBothDirections() throws Exception {
        links = List.of(annotated(1, 2, "srlg", " duct , bridge,,"), Nets.link(2, 1));
        assertEquals(Set.of("bridge", "duct"), view.snapshot().attributes(Nets.link(2, 1)).riskGroups());
        RiskGroupsConfig config = new RiskGroupsConfig();
        config.init(LinkKey.linkKey(Nets.link(2, 1)), "srlg", new ObjectMapper().readTree("[\"sea\"]"), new ObjectMapper(),
                    changed -> { });
        assertTrue(config.isValid());
        groups.put(LinkKey.linkKey(Nets.link(2, 1)), config);
        changed(Nets.link(2, 1), RiskGroupsConfig.class);
        assertEquals(1, changes);
        assertEquals(Set.of("bridge", "duct", "sea"), view.snapshot().attributes(Nets.link(1, 2)).riskGroups());
        assertEquals(3, view.snapshot().graph().groups(0).length);
        config.init(LinkKey.linkKey(Nets.link(2, 1)), "srlg", new ObjectMapper().readTree("[5]"), new ObjectMapper(),
                    changed -> { });
        assertThrows(InvalidFieldException.class, config::isValid);
    }

    private static Link annotated(int from, int to, String key, String value) {
        Link link = Nets.link(from, to);
        return DefaultLink.builder().providerId(link.providerId()).src(link.src()).dst(link.dst()).type(link.type())
                .annotations(DefaultAnnotations.builder().set(key, value).build()).build();
    }

    @Test
    void interfacesOfOtherApplicationsArePartOfIt() {
        NetworkSnapshot before = view.snapshot();
        changed(Nets.link(1, 2), InterfaceConfig.class);
        assertNotSame(before, view.snapshot());
    }

    @Test
    void otherConfigurationChangesNothing() {
        NetworkSnapshot before = view.snapshot();
        changed(Nets.link(1, 2), BasicDeviceConfig.class);
        assertEquals(0, changes);
        assertSame(before, view.snapshot());
    }

    @Test
    void aHostsPortThatComesOrGoesLeavesTheSnapshot() {
        NetworkSnapshot before = view.snapshot();
        portUpdated(Nets.edge(1), false);
        assertEquals(1, changes, "whoever follows the hosts is told");
        assertSame(before, view.snapshot());
        portUpdated(Nets.link(1, 2).src(), false);
        assertEquals(0, view.snapshot().links().size());
        portUpdated(Nets.link(1, 2).src(), true);
        assertTrue(before.isSameAs(view.snapshot()));
        assertNotSame(before, view.snapshot());
    }

    private void portUpdated(ConnectPoint point, boolean isUp) {
        if (isUp) {
            portsDown.remove(point);
        } else {
            portsDown.add(point);
        }
        deviceListener.event(new DeviceEvent(DeviceEvent.Type.PORT_UPDATED, device(1), new DefaultPort(device(1), point.port(), isUp)));
    }

    private void assertCapacities(double there, CapacitySource source, double back) {
        NetworkSnapshot now = view.snapshot();
        assertEquals(there, now.capacity(Nets.link(1, 2)));
        assertEquals(source, now.attributes(Nets.link(1, 2)).source());
        assertEquals(back, now.capacity(Nets.link(2, 1)));
    }

    private void configure(Link link, String field, int value) {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode node = mapper.createObjectNode().put(field, value);
        BasicLinkConfig config = new BasicLinkConfig(LinkKey.linkKey(link));
        config.init(LinkKey.linkKey(link), BasicLinkConfig.CONFIG_KEY, node, mapper, changed -> { });
        configured.put(LinkKey.linkKey(link), config);
        changed(link, BasicLinkConfig.class);
    }

    private void changed(Link link, Class<?> configClass) {
        listener.event(new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_UPDATED, LinkKey.linkKey(link), configClass));
    }

    private static Device device(int n) {
        return new DefaultDevice(new ProviderId("of", "test"), Nets.device(n), Device.Type.SWITCH, "", "", "", "", null);
    }

    private void set(String name, Object value) throws ReflectiveOperationException {
        Field field = OnosNetworkView.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(view, value);
    }

    @SuppressWarnings("rawtypes")
    private static class Registry extends NetworkConfigServiceAdapter implements NetworkConfigRegistry {
        @Override
        public void registerConfigFactory(ConfigFactory factory) {
            assertEquals(RiskGroupsConfig.class, factory.configClass());
        }

        @Override
        public void unregisterConfigFactory(ConfigFactory factory) {
        }

        @Override
        public Set<ConfigFactory> getConfigFactories() {
            return Set.of();
        }

        @Override
        public <S, C extends Config<S>> Set<ConfigFactory<S, C>> getConfigFactories(Class<S> subjectClass) {
            return Set.of();
        }

        @Override
        public <S, C extends Config<S>> ConfigFactory<S, C> getConfigFactory(Class<C> configClass) {
            return null;
        }
    }
}
