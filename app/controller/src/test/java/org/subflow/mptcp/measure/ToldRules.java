// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.onlab.packet.MacAddress;
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
import org.onosproject.net.flow.TrafficSelector;
import org.subflow.mptcp.api.FiveTuple;
import org.subflow.mptcp.rules.RuleKind;
import org.subflow.mptcp.rules.TupleMatch;

/** Rules with the counters that a test says the switches have told; none at first. */
public final class ToldRules extends FlowRuleServiceAdapter {
    /** In which state those are that are told from now on. */
    public FlowEntryState state = FlowEntryState.ADDED;
    /** The switches whose rules were read. */
    public final List<DeviceId> read = new ArrayList<>();
    /** The identifier that those have that are told from now on; null for one of their own. */
    public Long identifier;
    /** The priority and table of those that are told from now on. */
    public int priority = RuleKind.SUBFLOW.priority();
    public int table;
    /** The destination address that those match that are told from now on; null for any. */
    public MacAddress destination;
    /** How long the rules have been in their switch that are told from now on, milliseconds. */
    public long lifeMillis;
    /** The rules that were applied. */
    public final List<FlowRule> applied = new ArrayList<>();
    private final List<FlowEntry> entries = new ArrayList<>();

    /** No switch tells anything any more. */
    public void clear() {
        entries.clear();
    }

    /** A switch has told the counters of the rule by which packets enter at a port. */
    public void tell(FiveTuple tuple, ConnectPoint in, long millis, long packets, long bytes) {
        TrafficSelector.Builder match = DefaultTrafficSelector.builder(TupleMatch.of(tuple)).matchInPort(in.port());
        FlowRule.Builder rule = DefaultFlowRule.builder()
                .forDevice(in.deviceId())
                .withSelector(destination == null ? match.build() : match.matchEthDst(destination).build())
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(priority)
                .forTable(table)
                .makePermanent();
        if (identifier == null) {
            rule.fromApp(new DefaultApplicationId(3, "org.onosproject.net.intent"));
        } else {
            rule.withCookie(identifier);
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
