// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DefaultAnnotations;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.flow.FlowRule;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.Reconciler;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.topology.Nets;

/** Which rules show TCP to the controller, in switches that copy segments and in others. */
class WatchRulesTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final DeviceId S1 = Nets.device(1);
    private static final DeviceId S2 = Nets.device(2);

    private final Set<DeviceId> up = new HashSet<>(Set.of(S1, S2));
    private final Set<DeviceId> copying = new HashSet<>();
    private DeviceListener listener;
    private final DeviceServiceAdapter devices = new DeviceServiceAdapter() {
        @Override
        public Iterable<Device> getDevices() {
            return List.of(device(S1), device(S2));
        }

        @Override
        public Iterable<Device> getAvailableDevices() {
            return up.stream().map(WatchRulesTest.this::device).collect(Collectors.toList());
        }

        @Override
        public boolean isAvailable(DeviceId id) {
            return up.contains(id);
        }

        @Override
        public Device getDevice(DeviceId id) {
            return device(id);
        }

        @Override
        public void addListener(DeviceListener added) {
            listener = added;
        }

        @Override
        public void removeListener(DeviceListener removed) {
            assertEquals(listener, removed);
            listener = null;
        }
    };
    private final FakeFlowRules onos = new FakeFlowRules();
    private final OwnRules rules = new OwnRules(onos, devices, APP);
    private WatchRules watch;

    @BeforeEach
    void begin() {
        watch = new WatchRules(rules, devices, new FlagCopies(devices));
    }

    private Device device(DeviceId id) {
        return new DefaultDevice(null, id, Device.Type.SWITCH, "", "", "", "", null, DefaultAnnotations.builder()
                .set("tcpFlags", copying.contains(id) ? "copied" : "none").build());
    }

    private void tell(DeviceEvent.Type type, DeviceId id) {
        DeviceEvent event = new DeviceEvent(type, device(id));
        if (listener.isRelevant(event)) {
            listener.event(event);
        }
    }

    /** Returns the kinds of a switch's rules; both IP versions must have one of each kind. */
    private Set<RuleKind> kinds(DeviceId id) {
        List<FlowRule> there = onos.rules().stream().filter(rule -> rule.deviceId().equals(id)).collect(Collectors.toList());
        Set<RuleKind> kinds = EnumSet.noneOf(RuleKind.class);
        for (RuleKind kind : RuleKind.values()) {
            long count = there.stream().filter(kind::includes).count();
            assertTrue(count == 0 || count == 2, kind + ": " + count);
            if (count > 0) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    @Test
    void aSwitchThatCopiesSegmentsHasThemBelowAllOthers() {
        copying.add(S2);
        watch.start();
        assertEquals(Set.of(RuleKind.WATCH), kinds(S1));
        assertEquals(Set.of(RuleKind.LAST_WATCH), kinds(S2));
    }

    @Test
    void aSwitchThatBeginsToCopyChangesOver() {
        watch.start();
        copying.add(S1);
        tell(DeviceEvent.Type.DEVICE_UPDATED, S1);
        assertEquals(Set.of(RuleKind.LAST_WATCH), kinds(S1));
        copying.clear();
        tell(DeviceEvent.Type.DEVICE_UPDATED, S1);
        assertEquals(Set.of(RuleKind.WATCH), kinds(S1));
    }

    @Test
    void theOtherKindThatAnEarlierRunHasLeftGoes() {
        copying.add(S1);
        watch.start();
        copying.clear();
        new WatchRules(rules, devices, new FlagCopies(devices)).start();
        assertEquals(Set.of(RuleKind.WATCH), kinds(S1));
    }

    @Test
    void aSwitchThatComesBackGetsThemAgain() {
        up.remove(S2);
        watch.start();
        assertEquals(Set.of(), kinds(S2));
        tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, S2);
        assertEquals(Set.of(), kinds(S2), "it is still away");
        up.add(S2);
        tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, S2);
        assertEquals(Set.of(RuleKind.WATCH), kinds(S2));
    }

    @Test
    void anUpdateThatChangesNothingAsksForNothing() {
        watch.start();
        int before = onos.asked.size();
        tell(DeviceEvent.Type.DEVICE_UPDATED, S1);
        tell(DeviceEvent.Type.PORT_STATS_UPDATED, S1);
        assertEquals(before, onos.asked.size());
    }

    @Test
    void whatOnosHasLostIsAppliedAgain() {
        copying.add(S2);
        watch.start();
        Set<FlowRule> before = Set.copyOf(onos.rules());
        onos.stored.remove(first(S1));
        onos.stored.remove(first(S2));
        Reconciler reconciler = new Reconciler(rules, Map.of(
                RuleKind.WATCH, () -> watch.wanted(RuleKind.WATCH), RuleKind.LAST_WATCH, () -> watch.wanted(RuleKind.LAST_WATCH)));
        reconciler.look();
        reconciler.look();
        assertEquals(before, Set.copyOf(onos.rules()));
    }

    private FlowRule first(DeviceId id) {
        return onos.rules().stream().filter(rule -> rule.deviceId().equals(id)).findFirst().orElseThrow();
    }

    @Test
    void afterAStopNoSwitchIsTakenIn() {
        watch.start();
        watch.stop();
        assertNull(listener);
        assertEquals(Set.of(RuleKind.WATCH), kinds(S1), "the withdrawal removes them");
    }
}
