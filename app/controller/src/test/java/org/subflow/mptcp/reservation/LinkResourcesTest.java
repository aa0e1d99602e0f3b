// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.intent.Key;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Ports that go while bandwidth is reserved there. */
class LinkResourcesTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectPoint PORT = Nets.port(1, 2);
    private static final ConnectPoint OTHER = Nets.port(2, 5);
    private static final Resource ENTRY = Resources.discrete(PORT.deviceId(), PORT.port()).resource();
    private static final Resource BANDWIDTH =
            Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(Nets.CAPACITY);

    private final Stage stage = new Stage();
    private final ReservationKeeper keeper = new ReservationKeeper(stage.reservations, stage.unreserved, task -> task, stage.clock::nanos);
    private final LinkResources links = new LinkResources(stage.ledger, stage.ledger, stage);

    @BeforeEach
    void reserve() {
        stage.ledger.register(List.of(ENTRY, BANDWIDTH));
        keeper.request(Map.of(A, Map.of(PORT, 4e6, OTHER, 4e6)));
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void aPortThatIsDownLeavesTheBooksOnceNothingIsReservedThere() {
        stage.portsDown.add(PORT);
        links.takeOut(Set.of(PORT));
        assertEquals(Set.of(ENTRY), entered(), "bandwidth is reserved there");
        keeper.request(Map.of(A, Map.of(OTHER, 4e6)));
        links.takeOut(keeper.vacated());
        assertEquals(Set.of(), entered());
        assertEquals(4e6, stage.ledger.allocated(OTHER));
    }

    @Test
    void aPortThatIsUpStaysInTheBooks() {
        keeper.release(A);
        links.takeOut(keeper.vacated());
        assertEquals(Set.of(ENTRY), entered());
    }

    @Test
    void aPortWithAnotherApplicationsReservationStaysInTheBooks() {
        stage.ledger.allocate(Key.of("another", new DefaultApplicationId(8, "another")), List.of(
                Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(1e6)));
        stage.portsDown.add(PORT);
        keeper.release(A);
        links.takeOut(keeper.vacated());
        assertEquals(1e6, stage.ledger.allocated(PORT));
        assertEquals(Set.of(ENTRY), entered());
    }

    @Test
    void aPortThatOnosEnteredBeforeItWasTakenOutIsEnteredAgain() {
        stage.portsDown.add(PORT);
        keeper.release(A);
        links.takeOut(keeper.vacated());
        links.look(false);
        assertEquals(Set.of(), entered(), "it is still down");
        stage.portsDown.clear();
        links.look(false);
        assertEquals(Set.of(ENTRY), entered());
        assertEquals(Set.of(BANDWIDTH), stage.ledger.getRegisteredResources(Resources.discrete(PORT.deviceId(), PORT.port()).id()));
    }

    @Test
    void aPortThatOnosHasNeverEnteredIsEnteredOnceItRefusesBandwidth() {
        Resource never = Resources.discrete(OTHER.deviceId(), OTHER.port()).resource();
        links.look(false);
        links.look(false);
        assertEquals(Set.of(), entered(OTHER.deviceId()), "nobody has missed it");
        links.look(true);
        assertEquals(Set.of(), entered(OTHER.deviceId()), "ONOS may be about to");
        links.look(true);
        assertTrue(entered(OTHER.deviceId()).contains(never));
        assertEquals(Set.of(Resources.continuous(OTHER.deviceId(), OTHER.port(), Bandwidth.class).resource(Nets.CAPACITY)),
                     stage.ledger.getRegisteredResources(((DiscreteResource) never).id()));
    }

    private Set<Resource> entered(DeviceId device) {
        return stage.ledger.getRegisteredResources(Resources.discrete(device).id());
    }

    private Set<Resource> entered() {
        return entered(PORT.deviceId());
    }
}
