// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.topology.Nets;

class PathTailTest {
    private static final FiveTuple TUPLE =
            FiveTuple.of(IpAddress.valueOf("10.0.0.1"), 1000, IpAddress.valueOf("10.0.0.2"), 5201);

    @Test
    void aTailBeginsBehindTheSwitchWhereTheWaysPart() {
        List<PathTail> tails = PathTail.beyond(via(1, 2, 4, 6), via(1, 2, 3, 6)).get();

        assertEquals(2, tails.size());
        assertEquals(List.of(Nets.link(2, 4), Nets.link(4, 6)), tails.get(0).links());
        assertEquals(TUPLE, tails.get(0).tuple());
        assertEquals(Nets.edge(6), tails.get(0).egress());
        assertEquals(List.of(Nets.link(6, 4), Nets.link(4, 2), Nets.link(2, 1)), tails.get(1).links());
        assertEquals(TUPLE.reversed(), tails.get(1).tuple());
        assertEquals(Nets.edge(1), tails.get(1).egress());
    }

    @Test
    void theSameWayHasNone() {
        assertTrue(PathTail.beyond(via(1, 2, 6), via(1, 2, 6)).get().isEmpty());
    }

    @Test
    void waysThatMeetAgainAndPartAgainCannotStandSideBySide() {
        // Both take 3–4; behind it a switch would have to send the same packets from the same port two ways.
        assertFalse(PathTail.beyond(via(1, 3, 4, 6), via(1, 2, 3, 4, 5, 6)).isPresent());
    }

    @Test
    void waysThatMeetForTheRestCan() {
        assertTrue(PathTail.beyond(via(1, 3, 4, 6), via(1, 2, 3, 4, 6)).isPresent());
    }

    @Test
    void anotherIngressCannotBePrepared() {
        assertFalse(PathTail.beyond(via(3, 4, 6), via(1, 4, 6)).isPresent());
    }

    private static SubflowRoute via(int... switches) {
        List<Link> there = new ArrayList<>();
        List<Link> back = new ArrayList<>();
        for (int i = 1; i < switches.length; i++) {
            there.add(Nets.link(switches[i - 1], switches[i]));
            back.add(0, Nets.link(switches[i], switches[i - 1]));
        }
        return SubflowRoute.of(Subflow.unrouted(TUPLE, true, false, Nets.edge(switches[0]),
                                                Nets.edge(switches[switches.length - 1]))
                                       .withRoute(SubflowState.ACTIVE, there, back, 10e6));
    }
}
