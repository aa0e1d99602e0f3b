// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.provider.ProviderId;
import org.subflow.mptcp.admission.UnmanagedTraffic;
import org.subflow.mptcp.api.ConnectionEvent;
import org.subflow.mptcp.api.ConnectionEvent.Type;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.api.SubflowState;
import org.subflow.mptcp.plain.BusyServices;
import org.subflow.mptcp.plain.PlainTraffic;
import org.subflow.mptcp.plain.WakeRules;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.segment.DetectCounters;
import org.subflow.mptcp.segment.FlagCopies;
import org.subflow.mptcp.segment.Ignored;
import org.subflow.mptcp.wiring.Stage;

/** Of what the next packet is asked for. */
class IdleWatchTest {
    private final Stage stage = new Stage();
    private boolean copying = true;
    private final FlagCopies copies = new FlagCopies(new DeviceServiceAdapter() {
        @Override
        public Device getDevice(DeviceId id) {
            return new DefaultDevice(ProviderId.NONE, id, Device.Type.SWITCH, "", "", "", "", new ChassisId(),
                    DefaultAnnotations.builder().set("tcpFlags", copying ? "copied" : "none").build());
        }
    });
    private final OwnRules rules = new OwnRules(new FlowRuleServiceAdapter(), new KnownSwitches(1),
            new DefaultApplicationId(7, "org.subflow.mptcp"));
    private final WakeRules wakeRules = new WakeRules(rules, () -> 0, full -> { });
    private final UnmanagedTraffic unmanaged = new UnmanagedTraffic(
            new PlainTraffic(rules, stage, stage.attachments, () -> stage.settings, now -> now, () -> 0),
            new BusyServices(stage.attachments::isOwn, () -> 0), wakeRules, copies, stage.attachments, new Ignored(new DetectCounters()), new DetectCounters());
    private final IdleWatch watch = new IdleWatch(stage.store, stage.endings, unmanaged);
    private final FiveTuple first = stage.open().first().tuple();
    private final FiveTuple second = stage.join(1).subflows().get(1).tuple();

    private void happens(Type type) {
        watch.follow(new ConnectionEvent(type, stage.connection()));
    }

    private void assertWatched(boolean isFirst, boolean isSecond) {
        assertEquals(List.of(isFirst, isSecond), List.of(wakeRules.isWatched(first), wakeRules.isWatched(second)));
    }

    @Test
    void ofAnIdleConnectionAllSubflowsUntilItWakes() {
        happens(Type.OPENED);
        assertWatched(false, false);
        stage.provisioner.makeIdle(stage.provisioner.live());
        happens(Type.IDLE);
        assertWatched(true, true);
        assertTrue(stage.resumptions.woken(Stage.ID, first));
        happens(Type.OPENED);
        assertWatched(false, false);
    }

    @Test
    void ofAnIdleSubflowAlone() {
        stage.store.put(stage.connection().mapSubflows(subflow -> subflow.tuple().equals(second)
                ? subflow.withoutRoute(SubflowState.IDLE) : subflow));
        watch.look(id -> false);
        assertWatched(false, true);
    }

    @Test
    void notOfASubflowWhoseEndWasSeen() {
        stage.endings.ended(second, true, stage.millis);
        stage.provisioner.makeIdle(stage.provisioner.live());
        happens(Type.IDLE);
        watch.look(id -> false);
        assertWatched(true, false);
        stage.endings.begins(second);
        watch.look(id -> false);
        assertWatched(true, true);
    }

    @Test
    void whoeverWasRefusedIsAskedAgain() {
        stage.provisioner.makeIdle(stage.provisioner.live());
        watch.look(id -> false);
        assertWatched(true, true);
        wakeRules.ignore(first);
        watch.look(id -> false);
        assertWatched(true, true);
    }

    @Test
    void notInAPauseNorWherePacketsComeByThemselves() {
        stage.provisioner.makeIdle(stage.provisioner.live());
        watch.look(Stage.ID::equals);
        assertWatched(false, false);
        copying = false;
        watch.look(id -> false);
        assertFalse(wakeRules.isWatched(first));
    }
}
