// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.Attachments.Obstacle;

class AttachmentsTest {
    private static final IpAddress ADDRESS = IpAddress.valueOf("10.0.0.1");
    private static final IpAddress OTHER = IpAddress.valueOf("10.0.0.2");
    private static final FiveTuple TUPLE = FiveTuple.of(ADDRESS, 40000, OTHER, 80);
    private static final VlanId TENANT = VlanId.vlanId((short) 100);

    private final KnownHosts hosts = new KnownHosts();
    private final Set<ConnectPoint> down = new HashSet<>();
    private final KnownInterfaces interfaces = new KnownInterfaces();
    /** How often frames came in at another port than before. */
    private int elsewhere;
    private final Attachments attachments = new Attachments(hosts, port -> !down.contains(port), interfaces.own(), () -> elsewhere++);

    @Test
    void aHostIsFoundByItsFrame() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1));
        hosts.add(2, VlanId.NONE, Nets.edge(5), ADDRESS);
        FiveTuple tuple = TUPLE.between(host, HostId.NONE);
        assertEquals(Optional.empty(), attachments.obstacle(tuple));
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(tuple), "whoever has the address");
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
    void oneMacAddressIsOneSenderInAllVlansOfItsPortAndNoneOfAnother() {
        FiveTuple one = TUPLE.between(hosts.add(1, VlanId.NONE, Nets.edge(1), ADDRESS), HostId.NONE);
        FiveTuple tagged = TUPLE.between(hosts.add(1, VlanId.vlanId((short) 11), Nets.edge(1), OTHER), HostId.NONE);
        FiveTuple elsewhere = TUPLE.between(hosts.add(1, TENANT, Nets.edge(5), ADDRESS), HostId.NONE);
        assertEquals(attachments.sender(one), attachments.sender(tagged));
        assertNotEquals(attachments.sender(one), attachments.sender(elsewhere));
    }

    @Test
    void aHostAtSeveralPointsIsReachedAtTheNewest() {
        FiveTuple tuple = TUPLE.between(hosts.add(1, VlanId.NONE, Nets.edge(1), Nets.edge(5)), HostId.NONE);
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(tuple));
        down.add(Nets.edge(5));
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(tuple));
        down.add(Nets.edge(1));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(tuple), "both are down");
    }

    @Test
    void eachFlowOfABondEndsWhereItsOwnFramesComeIn() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1), Nets.edge(5));
        FiveTuple one = TUPLE.between(host, HostId.NONE);
        FiveTuple other = FiveTuple.of(ADDRESS, 40001, OTHER, 80).between(host, HostId.NONE);
        attachments.cameIn(one, Nets.edge(1));
        attachments.cameIn(other, Nets.edge(5));
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(one));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(other));
        down.add(Nets.edge(1));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(one));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(one, Nets.edge(1)));
        down.clear();
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(one, Nets.edge(5)), "the bond uses it again");
        assertEquals(0, elsewhere);
        attachments.cameIn(one, Nets.edge(5));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(one, Nets.edge(1)));
        assertEquals(1, elsewhere);
    }

    @Test
    void whatHasAnAddressOfAnInterfaceIsLedByOthers() {
        HostId host = hosts.add(1, VlanId.NONE, Nets.edge(1), ADDRESS);
        HostId router = hosts.add(9, VlanId.NONE, Nets.edge(5), OTHER);
        FiveTuple tuple = TUPLE.between(host, router);
        assertEquals(Optional.of(Nets.edge(5)), attachments.destination(tuple));
        assertFalse(attachments.isOthers(tuple));

        interfaces.add(9);
        assertTrue(attachments.isOthers(tuple), "by its MAC address");
        assertTrue(attachments.isOthers(tuple.reversed()));
        assertEquals(Optional.empty(), attachments.destination(tuple));
        assertEquals(Optional.of(Obstacle.INTERFACE), attachments.obstacle(tuple.reversed()));
        assertEquals(Optional.empty(), attachments.obstacle(tuple));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(tuple.reversed()), "it is there all the same");
        assertFalse(attachments.isOthers(FiveTuple.of(ADDRESS, 1, IpAddress.valueOf("10.0.0.3"), 80)), "without a frame");
        interfaces.add(7, ADDRESS);
        assertTrue(attachments.isOthers(FiveTuple.of(ADDRESS, 1, IpAddress.valueOf("10.0.0.3"), 80)), "by its IP address");
    }

    @Test
    void interfacesAreReadWhenTheNetworkChangesAndNotForEachPacket() {
        for (int packet = 0; packet < 1000; packet++) {
            assertFalse(attachments.isOthers(TUPLE.reversed()));
        }
        interfaces.add(7, ADDRESS);
        assertTrue(attachments.isOthers(FiveTuple.of(ADDRESS, 1, IpAddress.valueOf("10.0.0.3"), 80)));
        interfaces.clear();
        assertFalse(attachments.isOthers(FiveTuple.of(ADDRESS, 1, IpAddress.valueOf("10.0.0.3"), 80)),
                    "ONOS tells nobody of unnamed ones that are gone");
        assertEquals(3, interfaces.readings);
    }

    @Test
    void whereNoFrameWasSeenASubflowOfABondStaysAtItsPort() {
        FiveTuple tuple = TUPLE.between(hosts.add(1, VlanId.NONE, Nets.edge(1), Nets.edge(5)), HostId.NONE);
        assertEquals(Optional.of(Nets.edge(1)), attachments.port(tuple, Nets.edge(1)));
        assertEquals(Optional.of(Nets.edge(5)), attachments.port(tuple, Nets.edge(3)), "it is not there any more");
    }

    @Test
    void aHostThatHasMovedIsNotWhereItsFramesCameInBefore() {
        FiveTuple tuple = TUPLE.between(hosts.add(1, VlanId.NONE, Nets.edge(1)), HostId.NONE);
        attachments.cameIn(tuple, Nets.edge(1));
        hosts.add(1, VlanId.NONE, Nets.edge(3));
        assertEquals(Optional.of(Nets.edge(3)), attachments.port(tuple));
        assertEquals(Optional.of(Nets.edge(3)), attachments.port(tuple, Nets.edge(1)));
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
        assertEquals(Optional.empty(), attachments.port(tuple, Nets.edge(5)));
    }
}
