// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.subflow.mptcp.wiring.Stage.middle;
import static org.subflow.mptcp.wiring.Stage.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.subflow.mptcp.admission.Refusal;
import org.subflow.mptcp.api.Connection;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.ConnectionState;
import org.subflow.mptcp.api.Direction;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.Measurement;
import org.subflow.mptcp.api.Subflow;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.api.policy.Settings;
import org.subflow.mptcp.candidate.Join;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.placement.Demand;
import org.subflow.mptcp.placement.JoinPolicy;
import org.subflow.mptcp.placement.Rates;
import org.subflow.mptcp.reoptimisation.Reoptimiser;
import org.subflow.mptcp.topology.Nets;
import org.subflow.mptcp.topology.SubflowStates;
import org.subflow.mptcp.wiring.Stage;

/** Living subflows that move: off lost paths, and back to better paths without a gap. */
class MovesTest {
    private static final long LATER = Reoptimiser.STILL_MILLIS;

    private final Stage stage = new Stage();

    @Test
    void aSubflowMovesToADisjointPathIfOneIsLeftAndTheOthersStay() {
        stage.open();
        Connection before = stage.join(1);
        lose(middle(before.subflows().get(1)));

        assertEquals(before.subflows().get(0), stage.connection().subflows().get(0));
        assertEquals(2, middles().size());
        assertEquals(20e6, stage.connection().expected().up(), 1);
    }

    @Test
    void withoutADisjointPathItTakesTheLeastSharedOne() {
        Connection before = openWithThree(JoinPolicy.SHARE);
        lose(middle(before.subflows().get(1)));
        lose(middle(stage.connection().subflows().get(0)));
        stage.installed();

        assertEquals(1, middles().size());
        stage.connection().subflows().forEach(subflow -> assertEquals(SubflowState.ACTIVE, subflow.state()));
        assertEquals(10e6, stage.connection().expected().up(), 1e3);
        assertTrue(stage.ledger.peak() <= Nets.CAPACITY);
    }

    @ParameterizedTest
    @EnumSource(value = JoinPolicy.class, names = {"BACKUP", "BLOCK"})
    void whereANewSubflowWouldBeABackupOrBlockedALiveSubflowBecomesABackup(JoinPolicy policy) {
        openWithThree(policy);
        lose(middle(stage.connection().first()));

        Subflow backup = stage.connection().first();
        assertEquals(SubflowState.BACKUP, backup.state());
        assertTrue(backup.isRouted());
        assertEquals(Rates.ZERO, backup.expected());
        assertEquals(20e6, stage.connection().expected().up(), 1);
    }

    @Test
    void aLinkThatComesBackIsTakenOnceTheNetworkKeepsStill() {
        openWithThree(JoinPolicy.BACKUP);
        loseTheFirstsPathAndMendIt();

        stage.tick(LATER - 1);
        assertEquals(2, middles().size(), "not yet: it may go again at once");
        stage.tick(LATER);
        stage.installed();

        assertEquals(3, middles().size());
        assertEquals(SubflowState.ACTIVE, stage.connection().first().state());
        assertEquals(30e6, stage.connection().expected().up(), 1e3);
    }

    @Test
    void aConnectionWithLittleKnownDemandStillGetsItsPathBack() {
        openWithThree(JoinPolicy.SHARE);
        DeviceId lost = middle(stage.connection().first());
        lose(lost);
        stage.installed();
        for (int sample = 1; sample <= 3; sample++) {
            stage.demands.update(stage.connection(), Measurement.NONE, sample, true, link -> false);
        }
        mend(lost);
        stage.tick(LATER);
        stage.installed();
        assertEquals(3, middles().size());
        assertTrue(stage.connection().expected().up() <= Demand.FLOOR * 1.01, "its share is its demand");
    }

    @Test
    void onDemandItNeedNotWaitForTheNetworkToKeepStill() {
        openWithThree(JoinPolicy.SHARE);
        loseTheFirstsPathAndMendIt();
        List<Connection> moved = examine(Stage.ID);

        assertEquals(List.of(Stage.ID), moved.stream().map(Connection::id).collect(Collectors.toList()));
        assertEquals(30e6, moved.get(0).expected().up(), 1e3);
        assertEquals(ConnectionState.PENDING, stage.connection().state(), "the new rules are on their way");
        stage.installed();
        assertEquals(3, middles().size());
        assertEquals(moved.get(0).first().devices(), stage.connection().first().devices());
        assertEquals(1, stage.told(Type.REROUTED) - 1, "beside the loss");
    }

    @Test
    void onDemandOnlyTheNamedConnectionIsExaminedAndOneThatGainsNothingStays() {
        openWithThree(JoinPolicy.SHARE);
        assertEquals(List.of(), examine(Stage.ID));
        loseTheFirstsPathAndMendIt();
        assertEquals(List.of(), examine(ConnectionId.of("nobody")));
        assertEquals(List.of(), examine());
        stage.installed();
        assertEquals(2, middles().size());
    }

    /** With thousands of connections shares take seconds, in which links may fail. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noMoveWaitsOnTheControlLoopForSharesThatAreUnderWay(boolean areSoonThere) {
        List<Runnable> underWay = new ArrayList<>();
        boolean[] takesLong = {false};
        stage.computing = task -> () -> {
            if (takesLong[0]) {
                underWay.add(task);
            } else {
                task.run();
            }
        };
        stage.start();
        openWithThree(JoinPolicy.BACKUP);
        loseTheFirstsPathAndMendIt();
        takesLong[0] = true;
        stage.provisioner.requestShare();
        stage.tick(LATER);
        assertEquals(1, stage.told(Type.REROUTED), "by the loss: a move waits for the shares, for a while");

        if (areSoonThere) {
            underWay.remove(0).run();
        } else {
            stage.tick(LATER + 1000);
        }
        assertEquals(2, stage.told(Type.REROUTED));
        stage.installed();
        assertEquals(3, middles().size());
        assertEquals(1, underWay.size(), "nobody else computes them");
    }

    @Test
    void nothingMovesForLessThanTheThreshold() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.REOPTIMISE_PERCENT, 60);
        openAllThree();
        loseTheFirstsPathAndMendIt();
        stage.tick(LATER);
        stage.installed();

        assertEquals(2, middles().size(), "a gain of 50 %");
    }

    @Test
    void aLinkThatBringsNothingMovesNobody() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.SUBFLOWS, 1);
        stage.open();
        stage.installed();
        DeviceId used = middle(stage.connection().first());
        DeviceId unused = Nets.device(number(used) == 2 ? 3 : 2);
        lose(unused);
        long revision = intent().revision;
        mend(unused);
        stage.tick(LATER);

        assertEquals(revision, intent().revision);
        assertEquals(0, stage.told(Type.REROUTED));
    }

    /** {@code SubflowPathInstallerTest} says in which order its rules are written. */
    @Test
    void aMoveIsOneSubmission() {
        openWithThree(JoinPolicy.SHARE);
        DeviceId lost = loseTheFirstsPathAndMendIt();
        long revision = intent().revision;

        stage.tick(LATER);
        assertEquals(revision + 1, intent().revision);
        assertEquals(paths(), routes());
        assertTrue(middles().contains(lost));
        stage.installed();
        stage.tick(LATER + 1);
        assertEquals(revision + 1, intent().revision);
        assertEquals(ConnectionState.ACTIVE, stage.connection().state());
    }

    @Test
    void aPathThatIsLostWhileItsRulesAreOnTheirWayIsLeftAgain() {
        openWithThree(JoinPolicy.SHARE);
        DeviceId lost = loseTheFirstsPathAndMendIt();
        stage.tick(LATER);
        lose(lost);
        stage.installed();

        assertEquals(2, middles().size());
        assertEquals(paths(), routes());
        stage.connection().subflows().forEach(
                subflow -> assertTrue(SubflowStates.isIntact(stage.snapshot(), subflow)));
    }

    @Test
    void aSubflowThatJoinsWhileAnotherMovesChangesNothingForThat() {
        openWithThree(JoinPolicy.SHARE);
        loseTheFirstsPathAndMendIt();
        stage.tick(LATER);
        stage.join(3);
        stage.installed();

        assertEquals(4, intent().routes.size());
        assertEquals(3, middles().size());
    }

    @Test
    void subflowsOfABondStayWhereTheirFramesComeInAndFollowThemWhenALinkIsLostAndBack() {
        ConnectPoint[] ports = {Nets.edge(1), Nets.port(1, 8)};
        String[] addresses = {"10.0.0.1", "10.0.0.11", "10.0.0.12"};
        stage.attach("00:00:00:00:00:01", Set.of(ports), addresses);
        FiveTuple second = Stage.tuple("10.0.0.11", 1001);
        stage.attachments.cameIn(Stage.tuple("10.0.0.1", 1000), ports[0]);
        stage.attachments.cameIn(second, ports[1]);
        stage.open();
        stage.join(1);
        stage.installed();
        assertEquals(List.of(ports), ingresses());
        stage.attach("00:00:00:00:00:01", Set.of(ports), addresses);
        stage.changes.hostsChanged();
        assertEquals(List.of(ports), ingresses());

        stage.portsDown.add(ports[1]);
        stage.changes.networkChanged(stage.millis);
        assertEquals(List.of(ports[0], ports[0]), ingresses());
        stage.installed();
        stage.portsDown.clear();
        stage.changes.hostsChanged();
        assertEquals(List.of(ports), ingresses(), "the bond uses the link again");
    }

    @Test
    void aSubflowOfABondWhoseFramesComeInElsewhereIsLookedAtWithoutAnEventOfOnos() {
        ConnectPoint[] ports = {Nets.edge(1), Nets.port(1, 8)};
        stage.attach("00:00:00:00:00:01", Set.of(ports), "10.0.0.1");
        FiveTuple tuple = Stage.tuple("10.0.0.1", 1000);
        stage.attachments.cameIn(tuple, ports[0]);
        stage.open();
        stage.installed();
        assertFalse(stage.looksAgain);
        stage.attachments.cameIn(tuple, ports[1]);
        assertTrue(stage.looksAgain);
        stage.changes.hostsChanged();
        assertEquals(List.of(ports[1]), ingresses());
        stage.looksAgain = false;
        stage.attachments.cameIn(tuple, ports[1]);
        assertFalse(stage.looksAgain);
    }

    private List<ConnectPoint> ingresses() {
        return stage.connection().subflows().stream().map(Subflow::ingress).collect(Collectors.toList());
    }

    @Test
    void moreSubflowsThanTheCapAreLeftToPlainForwarding() {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.MOST_SUBFLOWS, 2);
        stage.open();
        stage.join(1);

        assertFalse(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.12", 1002), Direction.UP, false)));
        assertTrue(stage.joins.joined(Stage.ID, new Join(Stage.tuple("10.0.0.11", 1001), Direction.UP, false)), "it is one of the two");
        assertEquals(2, stage.connection().subflows().size());
        assertEquals(1, stage.admission.refusals().of(Refusal.TOO_MANY_SUBFLOWS));
    }

    private Connection openWithThree(JoinPolicy policy) {
        stage.settings = Settings.DEFAULTS.with(Settings.STRATEGY, "widest-disjoint").with(Settings.JOIN_POLICY, policy);
        return openAllThree();
    }

    private Connection openAllThree() {
        stage.open();
        stage.join(1);
        Connection connection = stage.join(2);
        stage.installed();
        stage.changes.recover(0);
        stage.installed();
        assertEquals(3, middles().size());
        return connection;
    }

    private List<Connection> examine(ConnectionId... ids) {
        return stage.parts().reoptimiser.examine(List.of(ids), stage.millis, 1);
    }

    private void lose(DeviceId middle) {
        stage.cut(1, number(middle));
        stage.changes.networkChanged(0);
    }

    /** Returns the switch in the middle of the path that was lost. */
    private DeviceId loseTheFirstsPathAndMendIt() {
        DeviceId lost = middle(stage.connection().first());
        lose(lost);
        stage.installed();
        mend(lost);
        return lost;
    }

    private void mend(DeviceId middle) {
        stage.mend(1, number(middle));
        stage.changes.networkChanged(0);
    }

    private MptcpIntent intent() {
        return stage.intents.submitted.values().iterator().next();
    }

    private Set<DeviceId> middles() {
        return stage.connection().subflows().stream().filter(Subflow::isRouted).map(Stage::middle)
                .collect(Collectors.toSet());
    }

    private List<List<DeviceId>> paths() {
        return stage.connection().subflows().stream().map(Subflow::devices).collect(Collectors.toList());
    }

    private List<List<DeviceId>> routes() {
        return intent().routes.stream().map(route -> {
            List<DeviceId> devices = new ArrayList<>(List.of(route.ingress.deviceId()));
            route.forward.forEach(link -> devices.add(link.dst().deviceId()));
            return devices;
        }).collect(Collectors.toList());
    }
}
