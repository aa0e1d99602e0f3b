// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleServiceAdapter;

/** ONOS's store of rules, which carries out each operation at once. */
public class FakeFlowRules extends FlowRuleServiceAdapter {
    /** What it has, by itself: two rules are equal if they match the same packets in the same switch. */
    public final Map<FlowRule, FlowEntry> stored = new LinkedHashMap<>();
    /** Whether a switch takes a rule. */
    public Predicate<FlowRule> takes = rule -> true;
    /** Whether it keeps all operations for later, and never carries them out. */
    public boolean isStill;
    /** All operations that it was asked for. */
    public final List<FlowRuleOperations> asked = new ArrayList<>();

    /** The switches whose rules were read. */
    public final List<DeviceId> read = new ArrayList<>();

    /** Has a rule, whoever asked for it. */
    public void put(FlowRule rule, FlowEntryState state) {
        // The key is the new rule, too.
        stored.remove(rule);
        stored.put(rule, new DefaultFlowEntry(rule, state));
    }

    /** Returns the rules that it has, in any state. */
    public Collection<FlowRule> rules() {
        return List.copyOf(stored.keySet());
    }

    @Override
    public void apply(FlowRuleOperations operations) {
        asked.add(operations);
        if (isStill) {
            return;
        }
        boolean isRefused = false;
        for (Set<FlowRuleOperation> stage : operations.stages()) {
            for (FlowRuleOperation one : stage) {
                if (one.type() == FlowRuleOperation.Type.REMOVE) {
                    stored.remove(one.rule());
                } else if (takes.test(one.rule())) {
                    if (one.type() == FlowRuleOperation.Type.ADD || stored.containsKey(one.rule())) {
                        put(one.rule(), FlowEntryState.ADDED);
                    }
                } else {
                    isRefused = true;
                }
            }
        }
        if (isRefused) {
            operations.callback().onError(operations);
        } else {
            operations.callback().onSuccess(operations);
        }
    }

    @Override
    public void applyFlowRules(FlowRule... rules) {
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        List.of(rules).forEach(operations::add);
        apply(operations.build());
    }

    @Override
    public void removeFlowRules(FlowRule... rules) {
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        List.of(rules).forEach(operations::remove);
        apply(operations.build());
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
        read.add(device);
        return stored.values().stream().filter(entry -> entry.deviceId().equals(device)).collect(Collectors.toList());
    }
}
