// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.onosproject.net.link.LinkServiceAdapter;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.topology.SourceValidation.Verdict;

/** Which frames are believed: a client, a server in another subnet, and a router between them that has two ports. */
class SourceValidationTest {
    private static final IpAddress CLIENT = IpAddress.valueOf("10.0.1.1");
    private static final IpAddress SERVER = IpAddress.valueOf("10.0.2.1");
    private static final IpAddress OUTSIDE = IpAddress.valueOf("203.0.113.7");
    private static final ConnectPoint CLIENTS = Nets.edge(1);
    private static final ConnectPoint SERVERS = Nets.edge(5);
    private static final ConnectPoint ROUTERS = Nets.edge(3);
    private static final ConnectPoint ROUTERS_OTHER = Nets.edge(4);
    private static final ConnectPoint FORGERS = Nets.edge(2);

    private final KnownHosts hosts = new KnownHosts();
    private final SourceValidation validation = new SourceValidation(hosts, new LinkPorts(new LinkServiceAdapter(),
                                                                                          Ticker.systemTicker()));
    private final HostId client = hosts.add(1, VlanId.NONE, CLIENTS, CLIENT);
    private final HostId server = hosts.add(2, VlanId.NONE, SERVERS, SERVER);
    private final HostId router = hosts.add(8, VlanId.NONE, ROUTERS, IpAddress.valueOf("10.0.1.254"));
    private final HostId routersOther = hosts.add(9, VlanId.NONE, ROUTERS_OTHER, IpAddress.valueOf("10.0.2.254"));
    private final HostId forger = hosts.add(3, VlanId.NONE, FORGERS, IpAddress.valueOf("10.0.1.3"));
    private final FiveTuple firstLeg = tuple(CLIENT, SERVER).between(client, router);
    private final FiveTuple secondLeg = tuple(CLIENT, SERVER).between(routersOther, server);

    @Test
    void aHostAtItsPort() {
        assertEquals(Verdict.VALID, validation.verdict(firstLeg, CLIENTS));
        assertEquals(Verdict.ELSEWHERE, validation.verdict(firstLeg, FORGERS));
        assertEquals(Verdict.ELSEWHERE, validation.verdict(tuple(CLIENT, SERVER).between(forger, server), FORGERS));
        assertEquals(Verdict.ELSEWHERE, validation.verdict(
                tuple(CLIENT, SERVER).between(KnownHosts.id(7, VlanId.NONE), server), FORGERS), "with an invented MAC address");
        assertEquals(Verdict.ELSEWHERE, validation.verdict(
                tuple(CLIENT, SERVER).between(KnownHosts.id(1, VlanId.vlanId((short) 5)), server), CLIENTS), "in another VLAN");
        assertEquals(Verdict.UNKNOWN, validation.verdict(
                tuple(OUTSIDE, SERVER).between(KnownHosts.id(7, VlanId.NONE), server), FORGERS));
    }

    @Test
    void anAddressOfNobodyIsBehindARouter() {
        assertEquals(Verdict.VALID, validation.verdict(tuple(OUTSIDE, CLIENT).between(router, client), ROUTERS));
        assertEquals(Verdict.ELSEWHERE, validation.verdict(tuple(OUTSIDE, CLIENT).between(router, client), FORGERS));
    }

    @Test
    void theLegBehindARouterIsBelievedOnceTheLegBeforeItHasBeenSeen() {
        assertEquals(Verdict.ELSEWHERE, validation.verdict(secondLeg, ROUTERS_OTHER), "nobody sends by way of a router yet");
        assertTrue(validation.note(firstLeg));
        assertFalse(validation.note(firstLeg), "no news");
        assertEquals(Verdict.VALID, validation.verdict(secondLeg, ROUTERS_OTHER));
        assertEquals(Verdict.VALID, validation.verdict(tuple(SERVER, CLIENT).between(router, client), ROUTERS), "and its answer");
        assertEquals(Verdict.ELSEWHERE, validation.verdict(secondLeg, FORGERS), "never at another port than the router's");
        assertEquals(Verdict.ELSEWHERE, validation.verdict(
                tuple(CLIENT, IpAddress.valueOf("10.0.1.3")).between(routersOther, forger), ROUTERS_OTHER),
                     "nor between other addresses");
    }

    @Test
    void aFrameToTheHostThatHasTheAddressIsNoSignOfARouter() {
        assertFalse(validation.note(tuple(CLIENT, SERVER).between(client, server)));
        assertFalse(validation.note(tuple(CLIENT, OUTSIDE).between(client, router)), "nobody on the fabric has it");
        assertEquals(Verdict.ELSEWHERE, validation.verdict(tuple(CLIENT, SERVER).between(forger, server), FORGERS));
    }

    @Test
    void whoClaimsAnOutsideAddressDoesNotHideTheRouterToIt() {
        hosts.add(3, VlanId.NONE, FORGERS, OUTSIDE);
        assertTrue(validation.note(tuple(CLIENT, OUTSIDE).between(client, router)));
        assertEquals(Verdict.VALID, validation.verdict(tuple(OUTSIDE, CLIENT).between(router, client), ROUTERS));
    }

    private static FiveTuple tuple(IpAddress from, IpAddress to) {
        return FiveTuple.of(from, 40000, to, 80);
    }
}
