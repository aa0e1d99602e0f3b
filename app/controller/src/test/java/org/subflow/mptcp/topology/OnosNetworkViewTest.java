// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.CapacitySource;

/** The network follows ONOS's configuration of links at run time. */
class OnosNetworkViewTest {
    private final OnosNetworkView view = new OnosNetworkView();
    private final Map<Object, BasicLinkConfig> configured = new HashMap<>();
    private NetworkConfigListener listener;
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
                return new DefaultPort(null, point.port(), true, Port.Type.COPPER, 100);
            }
        });
        set("links", new LinkServiceAdapter() {
            @Override
            public Iterable<Link> getActiveLinks() {
                return Nets.bothWays(new int[][] {{1, 2}});
            }
        });
        set("configuration", new NetworkConfigServiceAdapter() {
            @Override
            public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
                return configClass == BasicLinkConfig.class ? configClass.cast(configured.get(subject)) : null;
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

    @Test
    void otherConfigurationChangesNothing() {
        NetworkSnapshot before = view.snapshot();
        changed(Nets.link(1, 2), BasicDeviceConfig.class);
        assertEquals(0, changes);
        assertSame(before, view.snapshot());
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
}
