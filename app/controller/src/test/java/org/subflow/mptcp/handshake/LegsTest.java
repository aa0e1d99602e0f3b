// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.HostId;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.segment.Counter;

/** A connection that crosses a router on the fabric: the same handshake is seen once before it and once behind it. */
class LegsTest {
    private static final HostId CLIENT = host(1, VlanId.NONE);
    private static final HostId SERVER = host(2, VlanId.NONE);
    private static final HostId ROUTER = host(8, VlanId.NONE);
    private static final HostId OTHER_ROUTER = host(9, VlanId.NONE);
    private static final FiveTuple FIRST = Bench.tuple("10.0.0.1", 40000);
    private static final FiveTuple JOIN = Bench.tuple("10.0.0.11", 40001);

    private final Bench bench = new Bench();

    private static HostId host(int number, VlanId vlan) {
        return HostId.hostId(MacAddress.valueOf(number), vlan);
    }

    /** In the order in which routers pass segments on: each of both legs once. */
    private void opened(HostId routersOther) {
        FiveTuple before = FIRST.between(CLIENT, ROUTER);
        FiveTuple behind = FIRST.between(routersOther, SERVER);
        assertEquals(before, bench.capable(before).fiveTuple);
        assertEquals(behind, bench.capable(behind).fiveTuple);
    }

    @ParameterizedTest
    @CsvSource({"8", "9"})
    void eachLegIsAConnectionWithItsOwnJoins(int routersOther) {
        HostId exit = host(routersOther, VlanId.NONE);
        opened(exit);
        assertEquals(0, bench.count(Counter.TOKEN_DUPLICATE), "both have the same keys, as it must be");
        assertEquals(FIRST.between(CLIENT, ROUTER), joined(JOIN.between(CLIENT, ROUTER)));
        assertEquals(FIRST.between(exit, SERVER), joined(JOIN.between(exit, SERVER)));
    }

    @Test
    void aHostsOtherInterfaceJoinsTheLegToTheSameRouter() {
        opened(OTHER_ROUTER);
        assertEquals(FIRST.between(CLIENT, ROUTER), joined(JOIN.between(host(5, VlanId.NONE), ROUTER)));
        assertEquals(FIRST.between(OTHER_ROUTER, SERVER), joined(Bench.tuple("10.0.0.12", 1).between(host(7, VlanId.NONE), SERVER)));
    }

    @Test
    void theSameFiveTupleInTwoVlansIsTwoConnections() {
        VlanId one = VlanId.vlanId((short) 10);
        VlanId other = VlanId.vlanId((short) 20);
        FiveTuple ofOne = FIRST.between(host(1, one), host(2, one));
        FiveTuple ofOther = FIRST.between(host(1, other), host(2, other));
        assertNotEquals(ofOne, ofOther);
        bench.syn(ofOne);
        bench.syn(ofOther);
        bench.synAck(ofOther);
        assertEquals(2, bench.tracker.handshakes(), "one's answer is not the other's");
        assertEquals(ofOther, bench.ack(ofOther).event.orElseThrow().fiveTuple);
    }

    private FiveTuple joined(FiveTuple join) {
        JoinEstablished event = (JoinEstablished) bench.join(join, Bench.joiner()).event.orElseThrow();
        return event.owner.connection;
    }
}
