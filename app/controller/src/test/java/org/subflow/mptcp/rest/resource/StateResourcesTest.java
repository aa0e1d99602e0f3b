// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rest.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.host.HostService;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.api.LinkUsage;
import org.subflow.mptcp.api.monitoring.FailedLink;
import org.subflow.mptcp.api.monitoring.NameService;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.path.strategy.PathStrategies;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.rest.Bounds;
import org.subflow.mptcp.rest.DiamondView;
import org.subflow.mptcp.rest.RestScenario;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.NetworkView;

/** Links, counters, settings and the topology over HTTP. */
class StateResourcesTest extends RestScenario {
    @BeforeEach
    void network() {
        mptcp.links.add(new LinkUsage(Nets.link(1, 2), Nets.capacity(10e6), 4e6, 7.5e6, 3e6, 2));
        mptcp.counters.put("syn", 3L);
        mptcp.counters.put("syn.capable", 0L);
        offer(NetworkView.class, new DiamondView());
        offer(HostService.class, new HostServiceAdapter() {
            @Override
            public Iterable<Host> getHosts() {
                return List.of(host(2, 5, null, "10.0.0.2"), host(1, 1, "h1", "10.0.0.11", "10.0.0.1"));
            }
        });
    }

    @Test
    void linksHaveWhatTheyCarry() throws Exception {
        assertEquals("{\"links\":[{\"source\":\"of:1/2\",\"target\":\"of:2/1\",\"sourceName\":\"s1/2\",\"targetName\":\"s2/1\",\"state\":\"up\",\"capacityMbps\":10.0,"
                             + "\"capacitySource\":\"portSpeed\",\"delayMillis\":null,\"reservedMbps\":4.0,"
                             + "\"measuredMbps\":7.5,\"othersMbps\":3.0,\"subflows\":2,\"srlg\":[]}],\"failed\":[]}", get("links").toString());
    }

    @Test
    void countersAreAllThere() throws Exception {
        assertEquals("{\"counters\":{\"syn\":3,\"syn.capable\":0}}", get("counters").toString());
    }

    @Test
    void theBoundIsThatOfTheNewestComparison() throws Exception {
        assertEquals("{\"bound\":null}", get("bound").toString(), "there is none yet");
        bound = Optional.of(Bounds.of(1_700_000_000_000L));
        assertEquals("{\"bound\":{\"millis\":1700000000000,\"connections\":1,\"sumMbps\":20.0,\"sumFraction\":0.75,"
                             + "\"smallestMbps\":20.0,\"smallestFraction\":0.75}}", get("bound").toString());
    }

    @Test
    void settingsAreThoseInForce() throws Exception {
        settings = Settings.DEFAULTS.with(Settings.STRATEGY, "multiflow").with(Settings.ALLOCATOR, "proportional")
                .with(Settings.SUBFLOWS, 4)
                .with(Settings.JOIN_POLICY, JoinPolicy.BLOCK).with(Settings.IDLE_SECONDS, 31)
                .with(Settings.RETENTION_SECONDS, 61).with(Settings.PLAIN_IDLE_SECONDS, 21)
                .with(Settings.MOST_SUBFLOWS, 9).with(Settings.REOPTIMISE_PERCENT, 15).with(Settings.BACKGROUND_PLAN, 7);
        JsonNode json = get("settings");
        assertEquals("multiflow", json.path("strategy").asText());
        assertEquals("proportional", json.path("allocator").asText());
        assertEquals(4, json.path("subflows").asInt());
        assertEquals("block", json.path("joinPolicy").asText());
        assertEquals(31, json.path("idleSeconds").asInt());
        assertEquals(61, json.path("retentionSeconds").asInt());
        assertEquals(21, json.path("plainIdleSeconds").asInt());
        assertEquals(9, json.path("mostSubflows").asInt());
        assertEquals(15, json.path("reoptimisePercent").asInt());
        assertEquals(7, json.path("backgroundPlan").asInt());
        assertEquals("1.2.3", json.path("version").asText(), "the bundle's");
        assertTrue(json.path("millis").asLong() > 0);
    }

    @Test
    void settingsComeWithTheStrategiesThatThereAre() throws Exception {
        Set<String> names = new TreeSet<>();
        get("settings").path("strategies").forEach(name -> names.add(name.asText()));
        assertEquals(new TreeSet<>(PathStrategies.names()), names);
    }

    @Test
    void theTopologyHasSwitchesHostsAndLinks() throws Exception {
        offer(NameService.class, id -> Optional.of("h1").filter(name -> id.equals(HostId.hostId("00:00:00:00:00:01/None"))));
        JsonNode json = get("topology");
        assertEquals(5, json.path("devices").size());
        assertEquals("{\"id\":\"of:1\",\"name\":\"s1\",\"latitude\":null,\"longitude\":null,\"gridX\":null,\"gridY\":null}", json.at("/devices/0").toString());
        assertEquals("{\"id\":\"00:00:00:00:00:01/None\",\"name\":\"h1\",\"mac\":\"00:00:00:00:00:01\",\"device\":\"of:1\","
                             + "\"deviceName\":\"s1\",\"port\":\"100\",\"ips\":[\"10.0.0.1\",\"10.0.0.11\"]}", json.at("/hosts/0").toString());
        assertTrue(json.at("/hosts/1/name").isNull(), "nobody has named it");
        assertEquals("of:1/2", json.at("/links/0/source").asText());
    }

    @Test
    void whatHasAnIdentifierHasItsName() throws Exception {
        offer(NameService.class, id -> Optional.of(id.equals(Nets.device(1)) ? "Chicago" : id instanceof HostId ? "h" : "Denver"));
        failures.links.add(new FailedLink(Nets.link(5, 1), 10e6, 0, Set.of()));
        JsonNode links = get("links");
        assertNames("Chicago/2", "Denver/1", links.at("/links/0"));
        assertNames("Denver/1", "Chicago/5", links.at("/links/1"));
        assertNames("Chicago/5", "Denver/1", links.at("/links/2"));
        assertNames("Denver/1", "Chicago/5", links.at("/failed/0"));
        JsonNode topology = get("topology");
        assertNames("Chicago/2", "Denver/1", topology.at("/links/0"));
        assertNames("Denver/1", "Chicago/5", topology.at("/failed/links/0"));
        assertEquals("Chicago", topology.at("/hosts/0/deviceName").asText());
        assertEquals("Denver", topology.at("/hosts/1/deviceName").asText());
    }

    private static void assertNames(String source, String target, JsonNode link) {
        assertEquals(source, link.path("sourceName").asText(), link::toString);
        assertEquals(target, link.path("targetName").asText(), link::toString);
    }

    @Test
    void coordinatesComeFromTheAnnotationsOfASwitch() throws Exception {
        assertCoordinates("52.52", "52.52", "13.41", "13.41");
        assertCoordinates("-90.0", "-90", "180.0", "180");
        for (String wrong : List.of("", "north", "NaN", "90.1", "Infinity")) {
            assertCoordinates("null", wrong, "null", "13.41");
        }
        assertCoordinates("null", "52.52", "null", "-180.5");
        assertCoordinates("null", "52.52", "null", null);
    }

    @Test
    void placesOnAGridComeFromThemToo() throws Exception {
        assertPosition("gridX", "400.0", "400", "gridY", "-12.5", "-12.5");
        assertPosition("gridX", "null", "400", "gridY", "null", "Infinity");
        assertPosition("gridX", "null", "400", "gridY", "null", null);
    }

    private void assertCoordinates(String latitude, String givenLatitude, String longitude, String givenLongitude) throws Exception {
        assertPosition("latitude", latitude, givenLatitude, "longitude", longitude, givenLongitude);
    }

    private void assertPosition(String first, String one, String givenOne, String second, String other, String givenOther) throws Exception {
        offer(DeviceService.class, new DeviceServiceAdapter() {
            @Override
            public Device getDevice(DeviceId id) {
                return new DefaultDevice(ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(),
                        DefaultAnnotations.builder().set(first, givenOne).set(second, givenOther).build());
            }
        });
        JsonNode device = get("topology").at("/devices/0");
        assertEquals(one, device.path(first).toString(), givenOne);
        assertEquals(other, device.path(second).toString(), givenOther);
    }

    @Test
    void viewersSeeEverything() throws Exception {
        for (String path : List.of("links", "counters", "settings", "topology", "bound")) {
            assertEquals(200, send(VIEWER, "GET", path, "").statusCode(), path);
        }
    }

    @Test
    void whatIsNotThereIsNotFound() throws Exception {
        assertEquals(404, send(ADMIN, "GET", "paths", "").statusCode());
        assertEquals(405, send(ADMIN, "POST", "links", "{}").statusCode());
    }

    private static Host host(int number, int device, String name, String... addresses) {
        ConnectPoint port = Nets.edge(device);
        MacAddress mac = MacAddress.valueOf(number);
        Set<IpAddress> ips = new TreeSet<>();
        List.of(addresses).forEach(address -> ips.add(IpAddress.valueOf(address)));
        DefaultAnnotations.Builder annotations = DefaultAnnotations.builder();
        if (name != null) {
            annotations.set(AnnotationKeys.NAME, name);
        }
        return new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE,
                new HostLocation(port.deviceId(), port.port(), 0), ips, annotations.build());
    }
}
