// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.path.Path;

class NetworkSnapshotTest {
    @Test
    void everyLinkIsAPairOfArcs() {
        NetworkSnapshot net = Nets.diamond();

        assertEquals(5, net.graph().nodeCount());
        assertEquals(6, net.graph().linkCount());
        for (int arc = 0; arc < net.graph().arcCount(); arc++) {
            Link link = net.link(arc);
            Link back = net.link(arc ^ 1);
            assertEquals(link.src(), back.dst());
            assertEquals(link.dst(), back.src());
            assertEquals(arc, net.arc(link));
            assertEquals(net.graph().tail(arc), net.node(link.src().deviceId()));
            assertEquals(net.graph().head(arc), net.node(link.dst().deviceId()));
            assertEquals(Nets.CAPACITY, net.capacity(link));
        }
    }

    @Test
    void theNumbersDoNotDependOnTheOrderInWhichLinksAreFound() {
        List<Link> shuffled = new ArrayList<>(Nets.diamondLinks());
        Collections.shuffle(shuffled, new Random(7));

        assertEquals(Nets.diamond().links(), Nets.snapshot(shuffled).links());
    }

    @Test
    void aLinkThatOnlyOneDirectionIsKnownOfTakesNoPart() {
        List<Link> links = new ArrayList<>(Nets.diamondLinks());
        links.remove(Nets.link(5, 3));

        NetworkSnapshot net = Nets.snapshot(links);

        assertEquals(5, net.graph().linkCount());
        assertEquals(-1, net.arc(Nets.link(3, 5)));
        assertEquals(0, net.capacity(Nets.link(3, 5)));
    }

    @Test
    void aLinkToASwitchThatIsDownTakesNoPart() {
        NetworkSnapshot net = NetworkSnapshot.of(
                List.of(Nets.device(1), Nets.device(2), Nets.device(5)), Nets.diamondLinks(), link -> Nets.capacity(1));

        assertEquals(2, net.graph().linkCount());
        assertEquals(-1, net.node(Nets.device(3)));
    }

    @Test
    void aNetworkWithoutSwitchesIsEmpty() {
        NetworkSnapshot net = NetworkSnapshot.of(List.of(), Nets.diamondLinks(), link -> Nets.capacity(1));

        assertTrue(net.links().isEmpty());
        assertTrue(net.devices().isEmpty());
        assertEquals(-1, net.node(Nets.device(1)));
    }

    @Test
    void aPathGoesToLinksAndBack() {
        NetworkSnapshot net = Nets.diamond();
        Path path = net.path(List.of(Nets.link(1, 3), Nets.link(3, 5))).get();

        assertEquals(List.of(Nets.link(1, 3), Nets.link(3, 5)), net.links(path));
        assertEquals(List.of(Nets.link(5, 3), Nets.link(3, 1)), net.reverseLinks(path));
        assertEquals(List.of(Nets.port(1, 3), Nets.port(3, 5)),
                     net.links(path).stream().map(NetworkSnapshot::egressPort).collect(Collectors.toList()));
    }

    @Test
    void aPathOverALostLinkIsNotFoundAgain() {
        List<Link> links = new ArrayList<>(Nets.diamondLinks());
        links.remove(Nets.link(3, 5));
        NetworkSnapshot net = Nets.snapshot(links);

        assertFalse(net.path(List.of(Nets.link(1, 3), Nets.link(3, 5))).isPresent());
        assertTrue(net.path(List.of(Nets.link(1, 2), Nets.link(2, 5))).isPresent());
    }
}
