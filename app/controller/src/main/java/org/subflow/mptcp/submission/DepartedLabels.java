// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onlab.packet.MacAddress;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.subflow.mptcp.intent.FlowEntries;
import org.subflow.mptcp.intent.LabelledPath;

/**
 * Removes leftover rules of paths that have gone. ONOS can put a removed rule back, as {@link DepartedRules} says. Used by one
 * thread.
 */
final class DepartedLabels {
    /** Sweeps in which a rule may go by itself. */
    private static final int GRACE_SWEEPS = 1;
    /** Sweeps in which a label is looked for. */
    private static final int WATCHED_SWEEPS = 6;

    private final FlowRuleService flowRules;
    private final Map<MacAddress, Departure> departures = new HashMap<>();

    private static final class Departure {
        private final Set<DeviceId> devices;
        private int sweeps;

        private Departure(Set<DeviceId> devices) {
            this.devices = devices;
        }
    }

    DepartedLabels(FlowRuleService flowRules) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
    }

    /** Notes that a path, which has had rules in these switches, has none from now on. */
    void departs(MacAddress label, Set<DeviceId> devices) {
        departures.put(label, new Departure(Set.copyOf(devices)));
    }

    /** Notes that a path has rules again. */
    void returned(MacAddress label) {
        departures.remove(label);
    }

    /** Removes rules with the label of a path that has gone a while ago. */
    void sweep() {
        Set<DeviceId> devices = new HashSet<>();
        departures.values().forEach(departure -> {
            if (++departure.sweeps > GRACE_SWEEPS) {
                devices.addAll(departure.devices);
            }
        });
        for (DeviceId device : devices) {
            for (FlowEntry entry : FlowEntries.at(flowRules, device)) {
                label(entry).map(departures::get).filter(departure -> departure.sweeps > GRACE_SWEEPS)
                        .ifPresent(departure -> flowRules.removeFlowRules(entry));
            }
        }
        departures.values().removeIf(departure -> departure.sweeps > WATCHED_SWEEPS);
    }

    private static Optional<MacAddress> label(FlowEntry entry) {
        if (entry.priority() != LabelledPath.PRIORITY || entry.state() == FlowEntryState.REMOVED) {
            return Optional.empty();
        }
        return Optional.ofNullable(entry.selector().getCriterion(Criterion.Type.ETH_DST))
                .map(criterion -> ((EthCriterion) criterion).mac());
    }
}
