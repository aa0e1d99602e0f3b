// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TableId;
import org.onosproject.net.flow.TrafficSelector;
import org.subflow.mptcp.rules.FlowEntries;

/**
 * Reads the entries of subflows' rules at the network's edge.
 *
 * <p>ONOS lists the entries of a switch only all together. Most of them are rules on the way of other subflows. So the reader
 * remembers for each entry which rule it is, and examines the match of an entry only when it sees it first. Used by one
 * thread.
 */
final class EdgeRules {
    /** Remembered entries of a switch beyond those that it has now. */
    private static final int MOST_GONE = 1000;

    private final FlowRuleService flowRules;
    private final Map<DeviceId, Map<FlowId, Known>> known = new HashMap<>();

    EdgeRules(FlowRuleService flowRules) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
    }

    /**
     * Reads the entries of some rules, each of their switches once.
     *
     * @param wanted the rules
     * @return the entry of each rule that ONOS has
     */
    Map<EdgeRule, FlowEntry> read(Set<EdgeRule> wanted) {
        Set<DeviceId> devices = new HashSet<>();
        wanted.forEach(rule -> devices.add(rule.port().deviceId()));
        known.keySet().retainAll(devices);
        Map<EdgeRule, FlowEntry> found = new HashMap<>();
        devices.forEach(device -> read(device, wanted, found));
        return found;
    }

    private void read(DeviceId device, Set<EdgeRule> wanted, Map<EdgeRule, FlowEntry> found) {
        Map<FlowId, Known> here = known.computeIfAbsent(device, unused -> new HashMap<>());
        int entries = 0;
        for (FlowEntry entry : FlowEntries.at(flowRules, device)) {
            entries++;
            Known one = here.get(entry.id());
            // Two entries may have the same identifier, which is a hash value.
            if (one == null || !one.isOf(entry)) {
                one = new Known(entry);
                here.put(entry.id(), one);
            }
            if (one.rule.isPresent() && wanted.contains(one.rule.get())) {
                found.put(one.rule.get(), entry);
            }
        }
        if (here.size() > entries + MOST_GONE) {
            here.clear();
        }
    }

    /** What an entry is. */
    private static final class Known {
        private final TrafficSelector selector;
        private final int priority;
        private final TableId table;
        private final Optional<EdgeRule> rule;

        private Known(FlowEntry entry) {
            this.selector = entry.selector();
            this.priority = entry.priority();
            this.table = entry.table();
            this.rule = EdgeRule.of(entry);
        }

        private boolean isOf(FlowEntry entry) {
            return priority == entry.priority() && table.equals(entry.table())
                    && (selector == entry.selector() || selector.equals(entry.selector()));
        }
    }
}
