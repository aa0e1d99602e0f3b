// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.rest.KnownFailures;

/** Names of hosts in the topology, from the network configuration. */
class HostNameTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final MacAddress MAC = MacAddress.valueOf(1);

    @Test
    void aHostWithCoordinatesAloneHasNoName() {
        assertTrue(name(MAPPER.createObjectNode().put("latitude", 52.5).put("longitude", 13.4)).isNull());
    }

    @Test
    void aConfiguredNameIsTold() {
        assertEquals("h1", name(MAPPER.createObjectNode().put("name", "h1")).asText());
    }

    private static JsonNode name(ObjectNode configuration) {
        BasicHostConfig config = new BasicHostConfig();
        config.init(HostId.hostId(MAC), "basic", configuration, MAPPER, changed -> { });
        Host host = new DefaultHost(ProviderId.NONE, HostId.hostId(MAC), MAC, VlanId.NONE,
                                    new HostLocation(ConnectPoint.deviceConnectPoint("of:1/9"), 0), Set.of());
        return new Json(MAPPER).topology(List.of(), List.of(host), List.of(), new KnownFailures(), new NetworkConfigServiceAdapter() {
            @Override
            public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
                return type.cast(config);
            }
        }, new DeviceServiceAdapter()).at("/hosts/0/name");
    }
}
