// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Port;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BandwidthCapacity;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.store.service.StorageException;

/** Whatever the network configuration says, a capacity is a number of bit/s. */
class LinkCapacitiesTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private String configured;
    private boolean isStorageThere = true;
    private int questions;
    private Port port = new DefaultPort(null, Nets.port(1, 2).port(), true, Port.Type.COPPER, 100);
    private final LinkCapacities capacities = new LinkCapacities(new NetworkConfigServiceAdapter() {
        @Override
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> configClass) {
            questions++;
            if (!isStorageThere) {
                throw new StorageException.Unavailable();
            }
            return configured == null ? null : configClass.cast(config((ConnectPoint) subject, configured));
        }
    }, new DeviceServiceAdapter() {
        @Override
        public Port getPort(ConnectPoint point) {
            return port;
        }
    });

    @ParameterizedTest
    @CsvSource({"10, 10e6", "2.5, 2.5e6", "0, 0", "-5, 0", "-0.1, 0", "1e400, 0", "'\"NaN\"', 0", "'\"ten\"', 0", "null, 0",
            "'{}', 0"})
    void whatIsNoCapacityIsNone(String mbps, double bps) {
        configured = "{\"capacityMbps\": " + mbps + "}";
        assertEquals(bps, capacities.of(Nets.link(1, 2)));
    }

    @Test
    void anEmptyConfigurationIsNone() {
        configured = "{}";
        assertEquals(0, capacities.of(Nets.link(1, 2)));
    }

    @Test
    void withoutConfigurationThePortsSpeedCounts() {
        assertEquals(100e6, capacities.of(Nets.link(1, 2)));
        port = null;
        assertEquals(0, capacities.of(Nets.link(1, 2)));
    }

    @Test
    void withoutStorageNodesItStaysAsItWas() {
        configured = "{\"capacityMbps\": 10}";
        capacities.of(Nets.link(1, 2));
        isStorageThere = false;
        assertEquals(10e6, capacities.of(Nets.link(1, 2)));
        assertEquals(10e6, capacities.of(Nets.link(1, 2)));
        assertEquals(2, questions, "each may take 15 s");
        assertThrows(StorageException.class, () -> capacities.of(Nets.link(2, 5)));

        isStorageThere = true;
        configured = "{\"capacityMbps\": 20}";
        capacities.changed();
        assertEquals(20e6, capacities.of(Nets.link(1, 2)));
    }

    private static BandwidthCapacity config(ConnectPoint subject, String text) {
        try {
            JsonNode node = JSON.readTree(text);
            BandwidthCapacity config = new BandwidthCapacity();
            config.init(subject, BandwidthCapacity.CONFIG_KEY, (ObjectNode) node, JSON, changed -> { });
            return config;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
