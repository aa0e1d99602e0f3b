// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Capacities that change below a connection of three subflows, one on each path. */
class CapacityTest {
    private static final double ROUNDING = 1e3;

    private final Stage stage = new Stage();

    @BeforeEach
    void open() {
        stage.open();
        stage.join(1);
        stage.join(2);
        stage.installed();
        assertEquals(30e6, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void belowWhatIsReservedTheReservationFollows() {
        capacity(1, 2, 4e6);
        assertEquals(24e6, stage.connection().expected().up(), ROUNDING);
        assertEquals(30e6, stage.connection().expected().down(), ROUNDING, "the other direction has what it had");
        assertEquals(4e6, stage.ledger.allocated(Nets.port(1, 2)), ROUNDING);
        assertEquals(4e6, stage.ledger.allocated(Nets.port(2, 5)), ROUNDING, "no more is of use there");
        assertEquals(10e6, stage.ledger.allocated(Nets.port(5, 2)), ROUNDING);

        capacity(1, 2, 10e6);
        assertEquals(30e6, stage.connection().expected().up(), ROUNDING);
        assertEquals(10e6, stage.ledger.allocated(Nets.port(1, 2)), ROUNDING);
    }

    @Test
    void aLinkWithoutCapacityIsLeft() {
        capacity(1, 2, 0);
        stage.installed();
        assertEquals(0, stage.ledger.allocated(Nets.port(1, 2)));
        assertEquals(0, stage.ledger.allocated(Nets.port(2, 1)));
        assertTrue(routed().stream().noneMatch(subflow -> subflow.path().contains(Nets.link(1, 2))));
        assertEquals(20e6, stage.connection().expected().up(), ROUNDING);
        assertNothingIsNegative();
    }

    @Test
    void withoutAnyOtherWayItStaysWhereItIsAndHoldsNothing() {
        for (int middle = 2; middle <= 4; middle++) {
            stage.capacities.put(Nets.link(1, middle), 0.0);
        }
        List<List<Link>> before = paths();
        stage.changes.networkChanged(0);

        assertEquals(before, paths());
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
        assertEquals(0, stage.connection().expected().up());
        assertEquals(30e6, stage.connection().expected().down(), ROUNDING);
        assertNothingIsNegative();

        capacity(1, 3, 6e6);
        stage.installed();
        assertEquals(6e6, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void aNewcomerKeepsOffIt() {
        capacity(1, 2, 0);
        stage.openAnother("other", 2000);
        Subflow first = stage.store.get(ConnectionId.of("other")).get().first();
        assertTrue(first.isRouted() && !first.path().contains(Nets.link(1, 2)));
    }

    @Test
    void aPathThatIsLostIsReplacedByOneWithoutCapacityRatherThanByNone() {
        stage.cut(1, 2);
        stage.cut(1, 3);
        capacity(1, 4, 0);
        stage.installed();
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
        assertEquals(3, routed().size());
        assertEquals(0, stage.connection().expected().up());
        assertEquals(0, stage.ledger.allocated(Nets.port(1, 4)));
        assertNothingIsNegative();

        stage.mend(1, 2);
        stage.changes.networkChanged(0);
        stage.installed();
        assertTrue(routed().stream().noneMatch(subflow -> subflow.path().contains(Nets.link(1, 4))));
        assertEquals(10e6, stage.connection().expected().up(), ROUNDING);
    }

    @Test
    void aNewcomerTakesAPathWhoseCapacityNobodyKnowsIfThereIsNoOther() {
        stage.links.forEach(link -> stage.capacities.put(link, 0.0));
        stage.changes.networkChanged(0);
        stage.openAnother("other", 2000);
        stage.installed();
        Connection other = stage.store.get(ConnectionId.of("other")).get();
        assertEquals(ConnectionState.ACTIVE, other.state());
        assertTrue(other.first().isRouted() && !other.first().path().isEmpty());
        assertEquals(0, other.expected().up());
        assertNothingIsNegative();
    }

    private void capacity(int from, int to, double bps) {
        stage.capacities.put(Nets.link(from, to), bps);
        stage.changes.networkChanged(0);
    }

    private List<Subflow> routed() {
        return stage.connection().subflows().stream().filter(Subflow::isRouted).collect(Collectors.toList());
    }

    private List<List<Link>> paths() {
        return stage.connection().subflows().stream().map(Subflow::path).collect(Collectors.toList());
    }

    private void assertNothingIsNegative() {
        for (Connection connection : stage.store.all()) {
            connection.subflows().forEach(subflow -> assertTrue(
                    subflow.expected().up() >= 0 && subflow.expected().down() >= 0, subflow.toString()));
        }
    }
}
