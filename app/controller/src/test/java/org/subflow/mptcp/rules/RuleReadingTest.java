// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.flow.FlowRuleStoreException;
import org.subflow.mptcp.topology.Nets;

/** What one look at ONOS's rules tells. */
class RuleReadingTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.onosproject.fwd");

    private final FakeFlowRules onos = new FakeFlowRules();
    private final RuleReading reading = new OwnRules(onos, new KnownSwitches(2), APP).read();

    private static FlowRule rule(ApplicationId app, int device, int port) {
        return RuleKind.WAKE.rule(app, Nets.device(device),
                                  DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(port)).build(),
                                  DefaultTrafficTreatment.builder().punt().build());
    }

    @Test
    void eachSwitchIsReadOnceWhateverIsAskedOfIt() {
        onos.put(rule(APP, 1, 1), FlowEntryState.ADDED);
        for (int device = 1; device <= 2; device++) {
            DeviceId id = Nets.device(device);
            assertEquals(device == 1, reading.isKnown(id));
            assertEquals(device == 1, reading.find(rule(APP, device, 1)).isPresent());
            assertEquals(device == 1 ? 1 : 0, reading.own(id).size());
            assertEquals(device == 1 ? 1 : 0, reading.confirmed(id));
        }
        assertEquals(List.of(Nets.device(1), Nets.device(2)), onos.read);
    }

    @Test
    void rulesOfOthersAreNotOursAndShowThatTheSwitchIsKnown() {
        onos.put(rule(OTHER, 1, 1), FlowEntryState.ADDED);
        onos.put(rule(APP, 1, 2), FlowEntryState.PENDING_ADD);
        assertTrue(reading.isKnown(Nets.device(1)));
        assertEquals(List.of(rule(APP, 1, 2)), reading.own(Nets.device(1)).stream().collect(Collectors.toList()));
        assertEquals(Optional.empty(), reading.find(rule(APP, 1, 1)), "it matches the same packets");
        assertEquals(1, reading.confirmed(Nets.device(1)), "whoever has asked for it");
    }

    @Test
    void nothingIsKnownOfASwitchWithoutAMaster() {
        RuleReading none = new OwnRules(new FlowRuleServiceAdapter() {
            @Override
            public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
                throw new FlowRuleStoreException("no master");
            }
        }, new KnownSwitches(2), APP).read();
        assertFalse(none.isKnown(Nets.device(1)));
        assertEquals(List.of(), List.copyOf(none.own(Nets.device(1))));
        assertEquals(0, none.reportedMillis(Nets.device(1)));
    }
}
