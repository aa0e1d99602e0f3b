// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.IntentIds;
import org.subflow.mptcp.intent.MptcpIntent;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.topology.Nets;

/** Rules that switches have, refuse or have yet to report, of one connection over four switches. */
class InstallationCheckTest {
    private static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    private static final ConnectionId ID = ConnectionId.of("00000001");
    private static final List<DeviceId> SWITCHES = List.of(Nets.device(1), Nets.device(2), Nets.device(3), Nets.device(4));

    private final Submission submission = new Submission(ID);
    private final List<FlowRule> wanted = SWITCHES.stream().map(device -> rule(device, 50)).collect(Collectors.toList());
    private final Map<DeviceId, Long> reported = new HashMap<>();
    private final Map<DeviceId, FlowEntryState> states = new HashMap<>();
    private long now = 1_000_000;

    private static FlowRule rule(DeviceId device, int priority) {
        return DefaultFlowRule.builder().forDevice(device).withSelector(DefaultTrafficSelector.emptySelector())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment()).withPriority(priority)
                .fromApp(APP).makePermanent().build();
    }

    /** ONOS's rules of a switch: another one, which its reports contain, and ours. */
    private Iterable<FlowEntry> entries(DeviceId device) {
        List<FlowEntry> entries = new ArrayList<>(List.of(entry(rule(device, 5), FlowEntryState.ADDED, reported.get(device))));
        if (states.containsKey(device)) {
            entries.add(entry(rule(device, 50), states.get(device), reported.get(device)));
        }
        return entries;
    }

    private static FlowEntry entry(FlowRule rule, FlowEntryState state, long seenMillis) {
        return new DefaultFlowEntry(rule, state) {
            @Override
            public long lastSeen() {
                return seenMillis;
            }
        };
    }

    /** The time passes, and these switches report their rules; returns what is found then. */
    private InstallationCheck.Findings after(int seconds, DeviceId... reporting) {
        now += seconds * 1000L;
        for (DeviceId device : reporting) {
            reported.put(device, now);
        }
        return InstallationCheck.look(new OwnRules(new FlowRuleServiceAdapter() {
            @Override
            public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
                return entries(device);
            }
        }, new KnownSwitches(4), APP).read(), List.of(submission), id -> wanted, now);
    }

    private void all(FlowEntryState state) {
        SWITCHES.forEach(device -> states.put(device, state));
        after(0, SWITCHES.toArray(DeviceId[]::new));
    }

    @Test
    void oneReportOfEachOfFourSwitchesAreNotFourReportsOfOne() {
        all(FlowEntryState.PENDING_ADD);
        for (DeviceId device : SWITCHES) {
            assertEquals(Map.of(), after(2, device).refused());
        }
        assertEquals(Set.copyOf(SWITCHES), after(0).suspects());
    }

    @Test
    void aSwitchThatReportsFourTimesWithoutARuleHasRefusedIt() {
        all(FlowEntryState.PENDING_ADD);
        SWITCHES.forEach(device -> states.put(device, FlowEntryState.ADDED));
        states.put(SWITCHES.get(2), FlowEntryState.PENDING_ADD);
        for (int report = 1; report <= 3; report++) {
            assertEquals(Map.of(), after(2, SWITCHES.get(2)).refused());
        }
        assertEquals(Map.of(), after(2).refused(), "no report");
        InstallationCheck.Findings found = after(2, SWITCHES.get(2));
        assertEquals(Map.of(ID, SWITCHES.get(2)), found.refused());
        assertEquals(Set.of(SWITCHES.get(2)), found.suspects());
    }

    @Test
    void aRuleThatComesAfterAllIsNotCounted() {
        all(FlowEntryState.PENDING_ADD);
        DeviceId slow = SWITCHES.get(0);
        for (int report = 1; report <= 3; report++) {
            after(2, slow);
        }
        states.put(slow, FlowEntryState.ADDED);
        after(2, slow);
        states.put(slow, FlowEntryState.PENDING_ADD);
        assertEquals(Map.of(), after(2, slow).refused());
    }

    @Test
    void aRuleThatOnosHasLostIsNoRefusedOneAndItsSwitchASuspect() {
        all(FlowEntryState.PENDING_ADD);
        states.remove(SWITCHES.get(3));
        InstallationCheck.Findings found = after(2);
        assertEquals(Map.of(), found.refused());
        assertEquals(Set.of(SWITCHES.get(3)), found.suspects());
    }

    /** A switch has lost a rule, ONOS applies it again, and meanwhile the table is full. */
    @Test
    void aRuleThatWasThereAndIsUnconfirmedSinceMayBeRefused() {
        all(FlowEntryState.ADDED);
        DeviceId full = SWITCHES.get(1);
        states.put(full, FlowEntryState.PENDING_ADD);
        submission.unconfirmedAt(Set.of(full));
        for (int report = 1; report <= 3; report++) {
            assertEquals(Map.of(), after(2, full).refused());
        }
        assertEquals(Map.of(ID, full), after(2, full).refused());
    }

    @Test
    void aReportOfASecondAfterTheSubmissionCounts() {
        all(FlowEntryState.PENDING_ADD);
        DeviceId full = SWITCHES.get(0);
        for (int report = 1; report <= 3; report++) {
            assertEquals(Map.of(), after(1, full).refused());
        }
        assertEquals(Map.of(ID, full), after(1, full).refused());
    }

    @Test
    void inItsFirstSecondASubmissionMakesNoSwitchASuspect() {
        all(FlowEntryState.PENDING_ADD);
        states.remove(SWITCHES.get(3));
        assertEquals(Set.of(), after(0).suspects());
        assertEquals(Set.of(SWITCHES.get(3)), after(1).suspects());
    }

    @Test
    void whatWasMissingBeforeAMoveSaysNothingOfTheNewRules() {
        submission.submit(request(1));
        all(FlowEntryState.PENDING_ADD);
        DeviceId slow = SWITCHES.get(0);
        for (int report = 1; report <= 3; report++) {
            after(2, slow);
        }
        submission.submit(request(2));
        after(0);
        for (int report = 1; report <= 3; report++) {
            assertEquals(Map.of(), after(2, slow).refused());
        }
        assertEquals(Map.of(ID, slow), after(2, slow).refused());
    }

    private static MptcpIntent request(long revision) {
        IntentIds.bind();
        return new MptcpIntent(APP, ID, revision, List.of());
    }

    @Test
    void failuresWithinAPauseCountOnce() {
        long second = TimeUnit.SECONDS.toNanos(1);
        submission.submit(request(1));
        for (long nanos : new long[] {0, second - 1, second, 2 * second, 3 * second - 1, 3 * second}) {
            submission.given(request(1));
            assertTrue(submission.failed(1, nanos));
        }
        assertEquals(3, submission.failures(), "after 0, 1 and 3 s");
        assertTrue(submission.failed(1, 60 * second));
        assertEquals(3, submission.failures(), "it is told twice");
    }

    @Test
    void whatIsThereIsNotLookedForAgain() {
        all(FlowEntryState.ADDED);
        states.clear();
        assertEquals(Set.of(), after(5, SWITCHES.toArray(DeviceId[]::new)).suspects());
    }
}
