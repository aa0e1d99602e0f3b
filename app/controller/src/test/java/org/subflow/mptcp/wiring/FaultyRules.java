// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.wiring;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.FakeFlowRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/** ONOS's store of rules, and the switches: changes come late and in any order, some are lost; reports are stale. */
final class FaultyRules extends FakeFlowRules {
    private static final ApplicationId OTHER = new DefaultApplicationId(8, "org.onosproject.fwd");
    private static final long BYTES_A_REPORT = 500_000;

    private final Faults faults;
    private final LongSupplier millis;
    private final Map<FlowRule, Long> bytes = new HashMap<>();
    /** How many rules fit into a switch. */
    final Map<DeviceId, Integer> sizes = new HashMap<>();
    /** Switches that ONOS cannot reach. */
    Predicate<DeviceId> isLost = device -> false;

    FaultyRules(Faults faults, LongSupplier millis) {
        this.faults = faults;
        this.millis = millis;
    }

    @Override
    public void put(FlowRule rule, FlowEntryState state) {
        stored.remove(rule);
        stored.put(rule, entry(rule, state, millis.getAsLong()));
    }

    private FlowEntry entry(FlowRule rule, FlowEntryState state, long seen) {
        long sent = bytes.getOrDefault(rule, 0L);
        return new DefaultFlowEntry(rule, state, 1, sent / 1000, sent) {
            @Override
            public long lastSeen() {
                return seen;
            }
        };
    }

    @Override
    public void apply(FlowRuleOperations operations) {
        faults.later(() -> apply(operations, faults.hit(4)));
    }

    private void apply(FlowRuleOperations operations, boolean isCut) {
        boolean isDone = true;
        for (Set<FlowRuleOperation> stage : operations.stages()) {
            for (FlowRuleOperation one : stage) {
                isDone &= apply(one, isCut && faults.random.nextBoolean());
            }
        }
        if (isDone) {
            operations.callback().onSuccess(operations);
        } else {
            operations.callback().onError(operations);
        }
        if (faults.hit(3)) {
            operations.callback().onSuccess(operations);
        }
    }

    /** What a switch does not confirm ONOS tries again with the next report. */
    private boolean apply(FlowRuleOperation one, boolean isUnconfirmed) {
        FlowRule rule = one.rule();
        if (one.type() == FlowRuleOperation.Type.REMOVE) {
            if (isUnconfirmed || isLost.test(rule.deviceId())) {
                stored.computeIfPresent(rule, (same, entry) -> entry(same, FlowEntryState.PENDING_REMOVE, entry.lastSeen()));
                return false;
            }
            stored.remove(rule);
            bytes.remove(rule);
            return true;
        }
        boolean fits = stored.containsKey(rule) && stored.get(rule).state() == FlowEntryState.ADDED
                || added(rule.deviceId()) < sizes.getOrDefault(rule.deviceId(), Integer.MAX_VALUE);
        boolean takes = fits && !isUnconfirmed && !isLost.test(rule.deviceId());
        put(rule, takes ? FlowEntryState.ADDED : FlowEntryState.PENDING_ADD);
        return takes;
    }

    private long added(DeviceId device) {
        return stored.values().stream().filter(entry -> entry.deviceId().equals(device) && entry.state() == FlowEntryState.ADDED).count();
    }

    /** The switches report: rules of who sends have counted more; ONOS adds once more what it waits for. */
    void report(Predicate<FiveTuple> sends) {
        for (Map.Entry<FlowRule, FlowEntry> each : new LinkedHashMap<>(stored).entrySet()) {
            FlowRule rule = each.getKey();
            FlowEntry entry = each.getValue();
            if (isLost.test(entry.deviceId()) || faults.hit(20)) {
                continue;
            }
            if (entry.state() == FlowEntryState.PENDING_REMOVE) {
                stored.remove(rule);
            } else if (entry.state() == FlowEntryState.PENDING_ADD) {
                apply(new FlowRuleOperation(rule, FlowRuleOperation.Type.ADD), false);
            } else {
                if (!faults.hit(20) && TupleMatch.tuple(rule.selector()).filter(sends).isPresent()) {
                    bytes.merge(rule, BYTES_A_REPORT, Long::sum);
                }
                put(rule, FlowEntryState.ADDED);
            }
        }
    }

    /** A switch that comes has a rule of another application. */
    void greet(DeviceId device) {
        put(RuleKind.LAST_WATCH.rule(OTHER, device, DefaultTrafficSelector.emptySelector(), DefaultTrafficTreatment.emptyTreatment()),
            FlowEntryState.ADDED);
    }

    /** ONOS loses a rule. */
    void lose() {
        // What it adds again might not fit.
        some().filter(rule -> !sizes.containsKey(rule.deviceId())).ifPresent(stored::remove);
    }

    /** A rule comes back after its removal. */
    Runnable comesBack() {
        Optional<FlowRule> rule = some();
        return () -> rule.filter(one -> !stored.containsKey(one)).ifPresent(one -> put(one, FlowEntryState.ADDED));
    }

    private Optional<FlowRule> some() {
        List<FlowRule> all = stored.keySet().stream().filter(rule -> rule.appId() != OTHER.id()).collect(Collectors.toList());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(faults.random.nextInt(all.size())));
    }

    /** A switch goes: ONOS forgets its rules. */
    void forget(DeviceId device) {
        new HashSet<>(stored.keySet()).stream().filter(rule -> rule.deviceId().equals(device)).forEach(stored::remove);
    }
}
