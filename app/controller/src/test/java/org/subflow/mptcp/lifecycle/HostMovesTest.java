// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.ConnectPoint;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.routing.SubflowEndpoints;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Living subflows whose hosts move, or seem to. */
class HostMovesTest {
    private static final ConnectPoint OLD = Nets.edge(1);
    private static final ConnectPoint NEW = Nets.edge(3);

    private final Stage stage = new Stage();
    private Connection before;

    @BeforeEach
    void open() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint");
        stage.open();
        stage.join(1);
        stage.join(2);
        stage.installed();
        before = stage.connection();
    }

    @Test
    void aHostThatMovesIsFollowedAtOnceIfItsOldPortIsDown() {
        stage.portsDown.add(OLD);
        stage.changes.networkChanged(0);
        assertEquals(ConnectionState.DOWN, stage.connection().state());
        assertEquals(0, stage.ledger.entries());

        isReportedAt(NEW);

        assertEquals(ConnectionState.PENDING, stage.connection().state());
        assertEquals(Set.of(NEW), ingresses());
        assertEquals(List.of(), stage.asked);
        assertTrue(stage.connection().expected().up() > 10e6);
    }

    @Test
    void aHostThatDoesNotAnswerAtItsOldPortHasMoved() {
        isReportedAt(NEW);
        assertEquals(before, stage.connection());
        assertEquals(List.of(OLD), stage.asked, "once for all subflows");
        assertTrue(stage.looksAgain);

        passMillis(SubflowEndpoints.ANSWER_MILLIS - 1);
        assertEquals(before, stage.connection());

        passMillis(1);
        assertEquals(Set.of(NEW), ingresses());
        assertEquals(List.of(OLD), stage.asked);
        assertFalse(stage.looksAgain);
    }

    @Test
    void aHostThatAnswersAtItsOldPortHasNotMovedHoweverOftenSomebodySendsWithItsMacAddress() {
        for (int frame = 1; frame <= 20; frame++) {
            isReportedAt(NEW);
            assertEquals(frame, stage.asked.size(), "asked at each claim");
            // ONOS's events are coalesced: nobody looks while the host is reported at its old port.
            stage.millis += 1;
            attachAt(OLD);
            stage.millis += SubflowEndpoints.ANSWER_MILLIS;
        }
        passMillis(SubflowEndpoints.ANSWER_MILLIS);
        assertEquals(before, stage.connection());
        assertEquals(Set.of(OLD), Set.copyOf(stage.asked));
    }

    @Test
    void aHostThatMovesBackIsFollowedAgain() {
        isReportedAt(NEW);
        passMillis(SubflowEndpoints.ANSWER_MILLIS);
        isReportedAt(OLD);
        passMillis(SubflowEndpoints.ANSWER_MILLIS);
        assertEquals(List.of(OLD, NEW), stage.asked);
        assertEquals(Set.of(OLD), ingresses());
    }

    @Test
    void aHostThatMovedBeforeTheClockWasSetBackIsFollowed() {
        stage.epochStep = 3_600_000;
        isReportedAt(NEW);
        stage.epochStep = 0;
        passMillis(SubflowEndpoints.ANSWER_MILLIS);
        assertEquals(Set.of(NEW), ingresses());
    }

    @Test
    void aHostIsNeverBehindAPortThatLeadsToASwitch() {
        isReportedAt(Nets.port(3, 1));
        passMillis(10 * SubflowEndpoints.ANSWER_MILLIS);
        assertEquals(before, stage.connection());
        assertEquals(List.of(), stage.asked);
    }

    @Test
    void aHostWhosePortComesBackIsWhereItWas() {
        stage.portsDown.add(Nets.edge(5));
        stage.changes.networkChanged(0);
        assertEquals(ConnectionState.DOWN, stage.connection().state());
        stage.portsDown.clear();
        stage.changes.networkChanged(0);
        stage.installed();

        assertEquals(3, stage.connection().subflows().stream().filter(Subflow::isRouted).map(Stage::middle).distinct().count());
        assertEquals(30e6, stage.connection().expected().up(), 1e3);
    }

    private void isReportedAt(ConnectPoint port) {
        attachAt(port);
        stage.changes.hostsChanged();
    }

    private void attachAt(ConnectPoint port) {
        stage.attach("00:00:00:00:00:01", port, "10.0.0.1", "10.0.0.11", "10.0.0.12");
    }

    private void passMillis(long millis) {
        stage.millis += millis;
        stage.looksAgain = false;
        stage.changes.hostsChanged();
    }

    private Set<ConnectPoint> ingresses() {
        return stage.connection().subflows().stream().map(Subflow::ingress).collect(Collectors.toSet());
    }
}
