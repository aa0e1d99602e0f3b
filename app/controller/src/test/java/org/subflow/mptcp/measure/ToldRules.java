// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.KnownSwitches;
import org.subflow.mptcp.rules.OwnRules;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/** Rules with the counters that a test says the switches have told; none at first. */
public final class ToldRules extends FlowRuleServiceAdapter {
    public static final ApplicationId APP = new DefaultApplicationId(7, "org.subflow.mptcp");
    /** Where ONOS's identifier of a rule has that of its application. */
    private static final int APP_SHIFT = 48;

    /** In which state those are that are told from now on. */
    public FlowEntryState state = FlowEntryState.ADDED;
    /** The switches whose rules were read. */
    public final List<DeviceId> read = new ArrayList<>();
    /** The identifier within the application that those have that are told from now on; null for one of their own. */
    public Long identifier;
    /** The priority and table of those that are told from now on. */
    public int priority = RuleKind.SUBFLOW.priority();
    public int table;
    /** How long the rules have been in their switch that are told from now on, milliseconds. */
    public long lifeMillis;
    /** The rules that were applied. */
    public final List<FlowRule> applied = new ArrayList<>();
    private final List<FlowEntry> entries = new ArrayList<>();

    /** Returns the rules of the application, with nothing but these. */
    public OwnRules own() {
        return new OwnRules(this, new KnownSwitches(5), APP);
    }

    /** No switch tells anything any more. */
    public void clear() {
        entries.clear();
    }

    /** A switch has told the counters of the rule by which packets enter at a port. */
    public void tell(FiveTuple tuple, ConnectPoint in, long millis, long packets, long bytes) {
        FlowRule.Builder rule = DefaultFlowRule.builder()
                .forDevice(in.deviceId())
                .withSelector(DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(in.port()).build())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(priority)
                .forTable(table)
                .makePermanent();
        if (identifier == null) {
            rule.fromApp(APP);
        } else {
            rule.withCookie((long) APP.id() << APP_SHIFT | identifier);
        }
        tell(rule.build(), millis, packets, bytes);
    }

    /** A switch has told the counters of a rule. */
    public void tell(FlowRule rule, long millis, long packets, long bytes) {
        entries.add(new DefaultFlowEntry(rule, state, lifeMillis, TimeUnit.MILLISECONDS, packets, bytes) {
            @Override
            public long lastSeen() {
                return millis;
            }
        });
    }

    @Override
    public void applyFlowRules(FlowRule... rules) {
        applied.addAll(List.of(rules));
    }

    @Override
    public Iterable<FlowEntry> getFlowEntries(DeviceId device) {
        read.add(device);
        return () -> entries.stream().filter(entry -> entry.deviceId().equals(device)).iterator();
    }
}
