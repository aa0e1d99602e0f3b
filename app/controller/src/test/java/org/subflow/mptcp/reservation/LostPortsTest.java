// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onlab.util.Bandwidth;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Port;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceEvent.Type;
import org.onosproject.net.intent.Key;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.resource.DiscreteResource;
import org.onosproject.net.resource.Resource;
import org.onosproject.net.resource.Resources;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Ports that go while bandwidth is reserved there. */
class LostPortsTest {
    private static final ConnectionId A = ConnectionId.of("a");
    private static final ConnectPoint PORT = Nets.port(1, 2);
    private static final ConnectPoint OTHER = Nets.port(2, 5);
    private static final Resource ENTRY = Resources.discrete(PORT.deviceId(), PORT.port()).resource();
    private static final Resource BANDWIDTH =
            Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(Nets.CAPACITY);

    private final Stage stage = new Stage();
    private final ReservationKeeper keeper = new ReservationKeeper(stage.reservations, stage.unreserved, task -> task, stage.clock::nanos);
    private final LinkResources links = new LinkResources(stage.ledger, stage.ledger, stage);
    private final LostPorts lost = new LostPorts(keeper, links, task -> task);

    @BeforeEach
    void reserve() {
        stage.ledger.register(List.of(ENTRY, BANDWIDTH));
        keeper.request(Map.of(A, Map.of(PORT, 4e6, OTHER, 4e6)));
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void onlyLostPortsAndDevicesAreRelevant() {
        assertTrue(lost.isRelevant(event(Type.PORT_REMOVED, true)));
        assertTrue(lost.isRelevant(event(Type.PORT_UPDATED, false)));
        assertTrue(lost.isRelevant(new DeviceEvent(Type.DEVICE_AVAILABILITY_CHANGED, device())));
        assertFalse(lost.isRelevant(event(Type.PORT_UPDATED, true)));
        assertFalse(lost.isRelevant(event(Type.PORT_ADDED, true)));
        assertFalse(lost.isRelevant(event(Type.PORT_STATS_UPDATED, true)));
    }

    @Test
    void whatIsReservedThereIsReleasedAndThePortLeavesTheBooks() {
        stage.portsDown.add(PORT);
        lost.event(event(Type.PORT_UPDATED, false));
        assertEquals(0, stage.ledger.allocated(PORT));
        assertEquals(4e6, stage.ledger.allocated(OTHER));
        assertEquals(Set.of(), entered());
    }

    @Test
    void allPortsOfALostDeviceAreReleased() {
        stage.portsDown.add(PORT);
        lost.event(new DeviceEvent(Type.DEVICE_AVAILABILITY_CHANGED, device()));
        assertEquals(0, stage.ledger.allocated(PORT));
        assertEquals(4e6, stage.ledger.allocated(OTHER));
        assertEquals(Set.of(), entered());
    }

    @Test
    void aPortThatIsBackAlreadyStaysInTheBooksAndItsBandwidthIsReservedAgain() {
        lost.event(event(Type.PORT_UPDATED, false));
        assertEquals(Set.of(ENTRY), entered());
        keeper.tryAgain();
        assertEquals(4e6, stage.ledger.allocated(PORT));
    }

    @Test
    void aPortWithAnotherApplicationsReservationStaysInTheBooks() {
        stage.ledger.allocate(Key.of("another", new DefaultApplicationId(8, "another")), List.of(
                Resources.continuous(PORT.deviceId(), PORT.port(), Bandwidth.class).resource(1e6)));
        stage.portsDown.add(PORT);
        lost.event(event(Type.PORT_REMOVED, false));
        assertEquals(1e6, stage.ledger.allocated(PORT));
        assertEquals(Set.of(ENTRY), entered());
    }

    @Test
    void aPortThatOnosEnteredBeforeItWasTakenOutIsEnteredAgain() {
        stage.portsDown.add(PORT);
        lost.event(event(Type.PORT_UPDATED, false));
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

    private static DeviceEvent event(Type type, boolean isEnabled) {
        Port port = new DefaultPort(device(), PORT.port(), isEnabled);
        return new DeviceEvent(type, device(), port);
    }

    private static Device device() {
        return new DefaultDevice(ProviderId.NONE, PORT.deviceId(), Device.Type.SWITCH, "", "", "", "", new ChassisId(1));
    }
}
