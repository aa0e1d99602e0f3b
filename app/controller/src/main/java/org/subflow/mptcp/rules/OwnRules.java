// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.rules;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;

/** The rules of the application as ONOS has them, and the way to change them. Thread-safe. */
public final class OwnRules {
    private final FlowRuleService flowRules;
    private final DeviceService devices;
    private final ApplicationId appId;

    public OwnRules(FlowRuleService flowRules, DeviceService devices, ApplicationId appId) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.devices = checkNotNull(devices, "devices");
        this.appId = checkNotNull(appId, "appId");
    }

    /** Returns the application that has the rules. */
    public ApplicationId appId() {
        return appId;
    }

    /** Returns a reading of the rules that ONOS has from now on. */
    public RuleReading read() {
        return new RuleReading(flowRules, appId);
    }

    /** Returns the rules in all switches of which ONOS tells something, whether these are up or not. */
    public List<FlowEntry> all() {
        RuleReading now = read();
        List<FlowEntry> all = new ArrayList<>();
        devices.getDevices().forEach(device -> all.addAll(now.own(device.id())));
        return all;
    }

    /** Returns those of one kind. */
    public List<FlowEntry> all(RuleKind kind) {
        return all().stream().filter(kind::includes).collect(Collectors.toList());
    }

    /** Returns the switches that are up; new. */
    Queue<DeviceId> switches() {
        Queue<DeviceId> up = new ArrayDeque<>();
        devices.getAvailableDevices().forEach(device -> up.add(device.id()));
        return up;
    }

    /** Has rules added. */
    public void add(Collection<? extends FlowRule> rules) {
        flowRules.applyFlowRules(rules.toArray(FlowRule[]::new));
    }

    /** Has rules removed. */
    public void remove(Collection<? extends FlowRule> rules) {
        if (!rules.isEmpty()) {
            flowRules.removeFlowRules(rules.toArray(FlowRule[]::new));
        }
    }

    /**
     * Has operations carried out. ONOS may carry out those of two calls in any order.
     *
     * @param operations what to add, change and remove, perhaps in stages; not null
     * @param outcome    gets true once all switches have confirmed them, or false for each switch that did not. ONOS goes on with
     *                   the others then. It is called on ONOS's threads, or at once if there is nothing to do; not null
     */
    public void apply(FlowRuleOperations.Builder operations, Consumer<Boolean> outcome) {
        checkNotNull(outcome, "outcome");
        FlowRuleOperations all = operations.build(new FlowRuleOperationsContext() {
            @Override
            public void onSuccess(FlowRuleOperations done) {
                outcome.accept(true);
            }

            @Override
            public void onError(FlowRuleOperations failed) {
                outcome.accept(false);
            }
        });
        if (all.stages().isEmpty()) {
            outcome.accept(true);
        } else {
            flowRules.apply(all);
        }
    }
}
