// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.FlowRuleStoreException;

/**
 * The rules that ONOS has, as one trigger finds them: a tick, a change of the network, a question. ONOS lists the rules of a switch
 * only all together, so each switch is read once, when somebody asks for it first. While a switch has no master, nothing is known of
 * it. Used by one thread.
 */
public final class RuleReading {
    private final FlowRuleService flowRules;
    private final ApplicationId appId;
    private final Map<DeviceId, Switch> switches = new HashMap<>();

    /** What ONOS has of a switch. */
    private static final class Switch {
        private final List<FlowEntry> own = new ArrayList<>();
        /** The same, each by itself: two rules are equal if they match the same packets. Null until one is searched, as hashes take time. */
        private Map<FlowRule, FlowEntry> index;
        private boolean isKnown;
        private int confirmed;
        private long reportedMillis;
    }

    RuleReading(FlowRuleService flowRules, ApplicationId appId) {
        this.flowRules = flowRules;
        this.appId = appId;
    }

    private Switch at(DeviceId device) {
        return switches.computeIfAbsent(device, this::read);
    }

    private Switch read(DeviceId device) {
        Switch read = new Switch();
        for (FlowEntry entry : entries(device)) {
            read.isKnown = true;
            if (entry.appId() == appId.id()) {
                read.own.add(entry);
            }
            if (entry.state() == FlowEntryState.ADDED) {
                read.confirmed++;
                read.reportedMillis = Math.max(read.reportedMillis, entry.lastSeen());
            }
        }
        return read;
    }

    private List<FlowEntry> entries(DeviceId device) {
        try {
            return ImmutableList.copyOf(flowRules.getFlowEntries(device));
        } catch (FlowRuleStoreException e) {
            return List.of();
        }
    }

    /** Returns whether ONOS knows of any rule in a switch. If it knows of none at all, the switch has no master. */
    public boolean isKnown(DeviceId device) {
        return at(device).isKnown;
    }

    /** Returns the application's rules in a switch. */
    public Collection<FlowEntry> own(DeviceId device) {
        return at(device).own;
    }

    /** Returns what ONOS has of a rule of the application. */
    public Optional<FlowEntry> find(FlowRule rule) {
        Switch at = at(rule.deviceId());
        if (at.index == null) {
            at.index = new HashMap<>();
            at.own.forEach(entry -> at.index.put(entry, entry));
        }
        return Optional.ofNullable(at.index.get(rule));
    }

    /** Returns how many rules a switch has confirmed, whoever asked for them. */
    public int confirmed(DeviceId device) {
        return at(device).confirmed;
    }

    /** Returns when a switch has last told its rules, milliseconds of the Unix epoch by its master's clock; 0 if it has told none. */
    public long reportedMillis(DeviceId device) {
        return at(device).reportedMillis;
    }
}
