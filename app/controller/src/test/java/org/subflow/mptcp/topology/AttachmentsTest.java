// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.topology.Attachments.Obstacle;

class AttachmentsTest {
    private static final IpAddress ADDRESS = IpAddress.valueOf("10.0.0.1");
    private static final HostLocation OLD = new HostLocation(Nets.edge(1), 1);
    private static final HostLocation NEW = new HostLocation(Nets.edge(5), 2);

    private final Set<Host> hosts = new HashSet<>();
    private final Attachments attachments = new Attachments(new HostServiceAdapter() {
        @Override
        public Set<Host> getHostsByIp(IpAddress ip) {
            return hosts.stream().filter(host -> host.ipAddresses().contains(ip)).collect(Collectors.toSet());
        }

        @Override
        public Host getHost(HostId id) {
            return hosts.stream().filter(host -> host.id().equals(id)).findFirst().orElse(null);
        }
    });

    @Test
    void oneUntaggedHostAtOnePoint() {
        add(1, VlanId.NONE, OLD);
        assertEquals(Optional.empty(), attachments.obstacle(ADDRESS));
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(ADDRESS));
        assertEquals(Optional.of(Nets.edge(1)), attachments.anyPort(ADDRESS));
    }

    @Test
    void nobody() {
        assertNowhere(Obstacle.UNKNOWN);
    }

    @Test
    void severalHostsWithOneAddress() {
        add(1, VlanId.NONE, OLD);
        add(2, VlanId.NONE, NEW);
        assertNowhere(Obstacle.SEVERAL_HOSTS);
    }

    @Test
    void aTaggedHost() {
        add(1, VlanId.vlanId((short) 100), OLD);
        assertNowhere(Obstacle.TAGGED);
    }

    @Test
    void aHostAtSeveralPointsIsReachedAtTheNewest() {
        add(1, VlanId.NONE, OLD, NEW);
        assertEquals(Optional.of(Obstacle.SEVERAL_POINTS), attachments.obstacle(ADDRESS));
        assertEquals(Optional.empty(), attachments.port(ADDRESS));
        assertEquals(Optional.of(Nets.edge(5)), attachments.anyPort(ADDRESS));
    }

    @Test
    void anAddressBehindARouterIsWhereTheRouterIs() {
        add(1, VlanId.NONE, OLD);
        IpAddress far = IpAddress.valueOf("203.0.113.7");
        attachments.noteFrame(far, MacAddress.valueOf(1));
        assertEquals(Optional.of(Nets.edge(1)), attachments.anyPort(far));
        assertEquals(Optional.of(Obstacle.UNKNOWN), attachments.obstacle(far), "so it is not managed");
        assertEquals(Optional.empty(), attachments.port(far));
    }

    @Test
    void ofSeveralHostsWithOneAddressTheFrameSaysWhich() {
        add(1, VlanId.NONE, OLD);
        add(2, VlanId.NONE, NEW);
        attachments.noteFrame(ADDRESS, MacAddress.valueOf(2));
        assertEquals(Optional.of(Nets.edge(5)), attachments.anyPort(ADDRESS));
        assertEquals(Optional.empty(), attachments.port(ADDRESS));
    }

    @Test
    void butNoHostThatDoesNotHaveIt() {
        add(1, VlanId.NONE, OLD);
        add(2, VlanId.NONE, NEW);
        MacAddress mac = MacAddress.valueOf(3);
        hosts.add(new DefaultHost(ProviderId.NONE, HostId.hostId(mac), mac, VlanId.NONE, NEW, Set.of()));
        attachments.noteFrame(ADDRESS, mac);
        assertEquals(Optional.empty(), attachments.anyPort(ADDRESS));
    }

    @Test
    void aFrameOfTheMomentSaysMoreThanEarlierOnes() {
        add(1, VlanId.NONE, OLD);
        add(2, VlanId.NONE, NEW);
        attachments.noteFrame(ADDRESS, MacAddress.valueOf(2));
        assertEquals(Optional.of(Nets.edge(1)), attachments.anyPort(ADDRESS, MacAddress.valueOf(1)));
        assertEquals(Optional.of(Nets.edge(5)), attachments.anyPort(ADDRESS), "it is not noted");
    }

    @Test
    void aFrameToEverybodyOrToNobodySaysNothing() {
        attachments.noteFrame(ADDRESS, MacAddress.BROADCAST);
        attachments.noteFrame(ADDRESS, MacAddress.valueOf(9));
        assertNowhere(Obstacle.UNKNOWN);
    }

    private void assertNowhere(Obstacle obstacle) {
        assertEquals(Optional.of(obstacle), attachments.obstacle(ADDRESS));
        assertEquals(Optional.empty(), attachments.port(ADDRESS));
        assertEquals(Optional.empty(), attachments.anyPort(ADDRESS));
    }

    private void add(int number, VlanId vlan, HostLocation... locations) {
        MacAddress mac = MacAddress.valueOf(number);
        hosts.add(new DefaultHost(ProviderId.NONE, HostId.hostId(mac, vlan), mac, vlan, Set.of(locations),
                                  Set.of(ADDRESS), false));
    }
}
