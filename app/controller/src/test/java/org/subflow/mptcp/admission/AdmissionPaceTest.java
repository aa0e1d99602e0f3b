// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.admission;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.IpAddress;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.candidate.Opening;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Who waits for a slow switch: those on it, and nobody else. The connections of these tests have nothing but their age. */
class AdmissionPaceTest {
    private static final DeviceId MIDDLE = Nets.device(3);

    private final Stage stage = new Stage();
    private final AdmissionPace pace = new AdmissionPace(stage.attachments, () -> stage.millis * 1_000_000);

    @BeforeEach
    void attach() {
        stage.attach("00:00:00:00:00:21", Nets.edge(2), "10.0.2.1");
        stage.attach("00:00:00:00:00:31", Nets.edge(3), "10.0.3.1");
        stage.attach("00:00:00:00:00:41", Nets.edge(4), "10.0.4.1");
    }

    @Test
    void aSwitchThatConfirmsNothingHoldsUpItsOwnConnectionsOnly() {
        fill("10.0.2.1", "10.0.3.1");
        assertFalse(admits("10.0.2.1", "10.0.4.1", 100));
        assertFalse(admits("10.0.0.1", "10.0.3.1", 101));
        assertTrue(admits("10.0.0.1", "10.0.4.1", 102));
    }

    @Test
    void aSwitchThatHasConfirmedALaterConnectionIsNotTheSlowOne() {
        fill("10.0.2.1", "10.0.3.1");
        assertTrue(pace.admits(tuple("10.0.2.1", "10.0.4.1", 100), true));
        happens(Type.OPENED, "10.0.2.1", "10.0.4.1", 100);
        happens(Type.INSTALLED, "10.0.2.1", "10.0.4.1", 100);
        assertTrue(admits("10.0.2.1", "10.0.4.1", 101));
        assertFalse(admits("10.0.3.1", "10.0.4.1", 102), "the other end has confirmed nothing");
    }

    @Test
    void aSwitchAmidThePathsCountsToo() {
        for (int port = 0; port < AdmissionPace.MOST_FOR_OLD; port++) {
            Connection opened = stage.open("c" + port, Stage.SERVER, 1000 + port, "10.0.0.1", "10.0.0.11", "10.0.0.12");
            assertTrue(pace.admits(opened.first().tuple(), false));
            assertTrue(opened.subflows().stream().anyMatch(subflow -> subflow.devices().contains(MIDDLE)));
            pace.follow(new ConnectionEvent(Type.OPENED, opened));
        }
        assertFalse(admits("10.0.3.1", "10.0.4.1", 100));
    }

    @Test
    void aSwitchWithoutItsRulesPausesItsOwnConnectionsOnly() {
        pace.pause(Set.of(MIDDLE));
        assertFalse(admits("10.0.2.1", "10.0.3.1", 100));
        assertTrue(admits("10.0.2.1", "10.0.4.1", 101));
        stage.millis += AdmissionPace.PAUSE_NANOS / 1_000_000;
        assertTrue(admits("10.0.2.1", "10.0.3.1", 102));
    }

    @Test
    void nobodyWaitsForEverForASwitch() {
        fill("10.0.2.1", "10.0.3.1");
        stage.millis += AdmissionPace.PATIENCE_NANOS / 1_000_000 + 1;
        assertTrue(admits("10.0.2.1", "10.0.3.1", 100));
    }

    private void fill(String from, String to) {
        for (int port = 0; port < AdmissionPace.MOST_FOR_OLD; port++) {
            assertTrue(admits(from, to, port));
        }
        assertFalse(admits(from, to, 99));
    }

    private boolean admits(String from, String to, int port) {
        return pace.admits(tuple(from, to, port), false);
    }

    private void happens(Type type, String from, String to, int port) {
        stage.admission.opened(Stage.ID, Opening.of(tuple(from, to, port), List.of()), 1, null, null, 0);
        pace.follow(new ConnectionEvent(type, stage.connection()));
    }

    private static FiveTuple tuple(String from, String to, int port) {
        return FiveTuple.of(IpAddress.valueOf(from), port, IpAddress.valueOf(to), 5201);
    }

    @Test
    void aConnectionThatEndsBeforeItsRulesComeWaitsNoLonger() {
        fill("10.0.2.1", "10.0.3.1");
        happens(Type.CLOSED, "10.0.2.1", "10.0.3.1", 0);
        assertTrue(admits("10.0.2.1", "10.0.3.1", 100));
        assertFalse(admits("10.0.2.1", "10.0.3.1", 101));
    }
}
