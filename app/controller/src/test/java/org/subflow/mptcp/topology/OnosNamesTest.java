// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.ChassisId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;

/** How switches and hosts are called. */
class OnosNamesTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final HostId HOST = HostId.hostId("00:00:00:00:00:01/None");

    @Test
    void aHostWithCoordinatesAloneHasNoName() {
        assertEquals(Optional.empty(), host(MAPPER.createObjectNode().put("latitude", 52.5).put("longitude", 13.4)));
    }

    @Test
    void aConfiguredNameIsTold() {
        assertEquals(Optional.of("h1"), host(MAPPER.createObjectNode().put("name", "h1")));
    }

    @ParameterizedTest
    @CsvSource({"of:0000000000000005, Chicago, Chicago", "of:0000000000000005, , s5", "of:000000000000000a, '', s10",
                "of:0000000000000005, of:0000000000000005, s5", "of:0000abcdef123456, , of:0000abcdef123456",
                "rest:10.0.0.1, , rest:10.0.0.1"})
    void aSwitchHasOnosNameElseThatOfItsDatapathElseItsId(String id, String annotated, String expected) {
        assertEquals(expected, names(annotated, null).of(DeviceId.deviceId(id)));
    }

    @Test
    void aPortIsThatOfItsSwitch() {
        assertEquals("Chicago/3", names("Chicago", null).of(ConnectPoint.deviceConnectPoint("of:0000000000000005/3")));
    }

    private static Optional<String> host(ObjectNode configuration) {
        return names(null, configuration).stated(HOST);
    }

    private static OnosNames names(String annotated, ObjectNode configuration) {
        return new OnosNames(new DeviceServiceAdapter() {
            @Override
            public Device getDevice(DeviceId id) {
                DefaultAnnotations.Builder annotations = DefaultAnnotations.builder();
                return new DefaultDevice(ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(),
                                         annotated == null ? annotations.build() : annotations.set("name", annotated).build());
            }
        }, new HostServiceAdapter(), new NetworkConfigServiceAdapter() {
            @Override
            public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
                BasicHostConfig config = new BasicHostConfig();
                config.init(HOST, "basic", configuration, MAPPER, changed -> { });
                return type.cast(config);
            }
        });
    }
}
