// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.HostId;
import org.onosproject.net.PortNumber;
import org.subflow.mptcp.segment.HeldSegments.Held;
import org.subflow.mptcp.topology.Nets;

/** How many segments wait, and for how long. */
class HeldSegmentsTest {
    private static final HostId HOST = HostId.hostId(MacAddress.valueOf(1), VlanId.NONE);
    private static final ConnectPoint PORT = Nets.edge(1);

    private final HeldSegments held = new HeldSegments();

    private static Held at(ConnectPoint port, long since) {
        return new Held(InterceptorScenario.TUPLE.between(HOST, HOST), port, () -> { }, () -> { }, since);
    }

    @Test
    void oneIsTakenOnce() {
        Held one = at(PORT, 0);
        Held other = at(PORT, 0);
        held.add(one);
        held.add(other);
        assertEquals(List.of(one, other), held.all());
        assertTrue(held.take(one));
        assertFalse(held.take(one), "somebody else has it");
        assertEquals(List.of(other), held.of(HOST));
        assertEquals(1, held.size());
    }

    @Test
    void aPortHasItsShareAndWhatGoesMakesRoom() {
        List<Held> ofPort = new ArrayList<>();
        for (int i = 0; i < HeldSegments.MOST_OF_A_PORT; i++) {
            ofPort.add(at(PORT, i));
            assertTrue(held.add(ofPort.get(i)));
        }
        assertFalse(held.add(at(PORT, 0)));
        assertTrue(held.add(at(Nets.edge(5), 0)), "another port has its own");
        held.take(ofPort.get(0));
        held.take(ofPort.get(0));
        assertTrue(held.add(at(PORT, 0)));
        assertFalse(held.add(at(PORT, 0)), "one has made room for one");
        held.takeOld(HeldSegments.NANOS + 1);
        assertTrue(held.add(at(PORT, 0)), "so has one that was old");
    }

    @Test
    void allTogetherHaveABoundToo() {
        for (int i = 0; i < HeldSegments.MOST; i++) {
            assertTrue(held.add(at(new ConnectPoint(Nets.device(1), PortNumber.portNumber(i)), 0)));
        }
        assertFalse(held.add(at(Nets.edge(5), 0)));
    }

    @Test
    void theOldestAreJudgedWhenTheirTimeIsOver() {
        Held first = at(PORT, 10);
        Held second = at(PORT, 20);
        held.add(first);
        held.add(second);
        assertEquals(List.of(), held.takeOld(10 + HeldSegments.NANOS - 1));
        assertEquals(List.of(first), held.takeOld(10 + HeldSegments.NANOS));
        assertEquals(List.of(second), held.of(HOST));
        assertFalse(held.take(first));
    }
}
