// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Attachments.Obstacle;

class AttachmentsTest {
    private static final IpAddress ADDRESS = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("10.0.0.2");
    private static final FiveTuple TUPLE = FiveTuple.of(ADDRESS, 40000, OTHER, 80);
    private static final VlanId TENANT = VlanId.vlanId((short) 100);

    private final KnownHosts hosts = new KnownHosts();
    private final Attachments attachments = new Attachments(hosts);

    @Test
    void aHostIsFoundByItsFrame() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1));
        hosts.add(2, VlanId.NONE, Nets.edge(5), ADDRESS);
        FiveTuple tuple = TUPLE.between(host, HostId.NONE);
        assertEquals(Optional.empty(), attachments.obstacle(tuple));
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(tuple), "whoever has the address");
        assertEquals(Optional.of(Nets.edge(1)), attachments.anyPort(tuple));
    }

    @Test
    void nobody() {
        hosts.add(2, VlanId.NONE, Nets.edge(5), ADDRESS);
        assertNowhere(TUPLE.between(KnownHosts.id(1, VlanId.NONE), HostId.NONE));
    }

    @Test
    void theSameAddressInTwoVlansIsTwoHosts() {
        HostId one = hosts.add(1, VlanId.NONE, Nets.edge(1), ADDRESS);
        HostId other = hosts.add(1, TENANT, Nets.edge(5), ADDRESS);
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(TUPLE.between(one, HostId.NONE)));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(TUPLE.between(other, HostId.NONE)));
    }

    @Test
    void aHostAtSeveralPointsIsReachedAtTheNewest() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1), Nets.edge(5));
        FiveTuple tuple = TUPLE.between(host, HostId.NONE);
        assertEquals(Optional.of(Obstacle.SEVERAL_POINTS), attachments.obstacle(tuple));
        assertEquals(Optional.empty(), attachments.port(tuple));
        assertEquals(Optional.of(Nets.edge(5)), attachments.anyPort(tuple));
    }

    @Test
    void withoutAFrameItIsTheOneHostThatHasTheAddress() {
        HostId host = hosts.add(1, TENANT, Nets.edge(1), ADDRESS);
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(TUPLE));
        assertEquals(Optional.empty(), attachments.withHosts(TUPLE), "nobody has the other one");
        HostId other = hosts.add(2, TENANT, Nets.edge(5), OTHER);
        assertEquals(Optional.of(TUPLE.between(host, other)), attachments.withHosts(TUPLE));
        assertEquals(Optional.of(host), attachments.home(ADDRESS).map(found -> found.id()));
        hosts.add(3, VlanId.NONE, Nets.edge(3), ADDRESS);
        assertNowhere(TUPLE);
        assertEquals(Optional.empty(), attachments.withHosts(TUPLE));
        assertEquals(Optional.empty(), attachments.home(ADDRESS));
    }

    @Test
    void aRouterIsNotTheHostWhosePacketsItPassesOn() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1), ADDRESS);
        HostId router = hosts.add(9, VlanId.NONE, Nets.edge(3));
        assertTrue(attachments.isItself(TUPLE.between(host, router)));
        assertFalse(attachments.isItself(TUPLE.between(router, HostId.NONE)));
        assertTrue(attachments.isItself(TUPLE.reversed().between(router, host)), "nobody on the fabric has the far address");
    }

    private void assertNowhere(FiveTuple tuple) {
        assertEquals(Optional.of(Obstacle.UNKNOWN), attachments.obstacle(tuple));
        assertEquals(Optional.empty(), attachments.port(tuple));
        assertEquals(Optional.empty(), attachments.anyPort(tuple));
    }
}
