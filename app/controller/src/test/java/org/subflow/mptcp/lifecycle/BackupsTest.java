// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.Link;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.host.Agent;
import org.subflow.mptcp.host.report.Report;
import org.subflow.mptcp.host.report.ReportedConnection;
import org.subflow.mptcp.host.report.ReportedSubflow;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.wiring.Stage;

/** Subflows that a host wants as backups: flag B of MP_JOIN, and MP_PRIO by an agent's word (RFC 8684, section 3.3.8). */
class BackupsTest extends HostAgentsScenario {
    private static final FiveTuple SECOND = Stage.tuple("10.0.0.11", 1001);
    private final Agent client = agent(CLIENT, "10.0.0.11", "10.0.0.12");

    @BeforeEach
    void strategy() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint");
    }

    /** Opens a connection with a backup; both have rules. */
    private List<Link> openWithBackup() {
        stage.open();
        assertTrue(stage.joins.joined(Stage.ID, new Join(SECOND, Direction.UP, true)));
        stage.installed();
        return second().path();
    }

    private Subflow first() {
        return stage.connection().first();
    }

    private Subflow second() {
        return stage.connection().subflow(SECOND).orElseThrow();
    }

    private void says(Agent agent, boolean isManager, FiveTuple tuple, Boolean backup) {
        agents.report(agent, new Report("", "", OptionalLong.empty(), 0, List.of(new ReportedConnection(
                List.of(new ReportedSubflow(tuple, 1e6, true, Optional.ofNullable(backup))), false, false, isManager)), isManager),
                      answers::add);
        reports.apply();
    }

    private static void assertStandby(Subflow subflow, List<Link> path) {
        assertEquals(SubflowState.BACKUP, subflow.state());
        assertEquals(Rates.ZERO, subflow.expected());
        assertEquals(path, subflow.path(), "it keeps its path");
    }

    @Test
    void aBackupHasAPathOfItsOwnAndNoShareWhileAnotherWorks() {
        List<Link> path = openWithBackup();
        assertStandby(second(), path);
        assertNotEquals(first().path(), path);
        assertEquals(Nets.CAPACITY, stage.connection().expected().up(), 1, "all that the first one's path carries");
        assertEquals(0, stage.ledger.allocated(path.get(0).src()), 1);
    }

    @Test
    void itStandsByOnTheOnlyPathThatIsLeft() {
        stage.cut(1, 4);
        List<Link> path = openWithBackup();
        stage.cut(1, Stage.number(Stage.middle(first())));
        stage.changes.networkChanged(stage.millis);
        stage.installed();
        assertEquals(path, first().path(), "one path is left, and both are on it");
        assertStandby(second(), path);
        assertEquals(Nets.CAPACITY, first().expected().up(), 1);
    }

    @Test
    void itTakesOverWhenTheOtherEnds() {
        List<Link> path = openWithBackup();
        stage.endings.ended(first().tuple(), true, stage.millis);
        for (int second = 0; second < 3; second++) {
            stage.second(1000);
        }
        Subflow left = second();
        assertEquals(SubflowState.ACTIVE, left.state());
        assertEquals(path, left.path());
        assertTrue(left.expected().up() > 0);
    }

    @Test
    void aLaterOrdinarySubflowDoesNotMoveIt() {
        List<Link> path = openWithBackup();
        Connection three = stage.join(2);
        stage.installed();
        assertStandby(second(), path);
        assertEquals(2 * Nets.CAPACITY, three.expected().up(), 1);
        stage.pass(30);
        assertStandby(second(), path);
    }

    @Test
    void silenceOfABackupIsNoReasonToTakeItsPath() {
        List<Link> path = openWithBackup();
        for (long octets = 1_000_000; octets < 60_000_000; octets += 1_000_000) {
            stage.rules.clear();
            long reported = stage.millis + 900;
            tell(first(), reported, octets);
            tell(second(), reported, 1000);
            stage.pass(1);
        }
        assertStandby(second(), path);
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
    }

    private void tell(Subflow subflow, long reported, long octets) {
        stage.rules.tell(subflow.tuple(), subflow.ingress(), reported, octets / 1000, octets);
        stage.rules.tell(subflow.tuple().reversed(), subflow.egress(), reported, 1, 60);
    }

    @Test
    void anAgentTellsOfMpPrio() {
        stage.open();
        stage.join(1);
        stage.installed();
        List<Link> path = second().path();
        assertEquals(2 * Nets.CAPACITY, stage.connection().expected().up(), 1);
        says(client, false, SECOND, true);
        assertStandby(second(), path);
        assertTrue(second().isBackup());
        says(client, false, SECOND, null);
        assertStandby(second(), path);
        says(client, false, SECOND, false);
        assertEquals(SubflowState.ACTIVE, second().state());
        assertEquals(2 * Nets.CAPACITY, stage.connection().expected().up(), 1);
        Agent server = agent(Stage.SERVER);
        says(server, false, SECOND.reversed(), true);
        assertStandby(second(), path);
    }

    @Test
    void whereAnAgentManagesPathsItsOwnPrioritiesAreNoHostsWord() {
        stage.open();
        stage.join(1);
        stage.installed();
        says(client, true, SECOND, null);
        says(agent(Stage.SERVER), false, SECOND.reversed(), true);
        assertFalse(second().isBackup());
    }

    @Test
    void nothingLimitsABackupThatItsHostMayNeedAtAnyMoment() {
        openWithBackup();
        says(client, false, SECOND, true);
        answers.clear();
        assertEquals(List.of(first().tuple()), first(client).connections.get(0).subflows.stream()
                .map(subflow -> subflow.tuple).collect(Collectors.toList()));
    }
}
