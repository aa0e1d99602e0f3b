// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.codec;

import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFlowRemoved;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;

/** What a switch reports about a rule, to ONOS's flow entry with counters. */
public final class FlowEntryDecoder {

    private FlowEntryDecoder() {
    }

    /**
     * {@return the entry that a line of flow statistics stands for}
     *
     * @throws UnsupportedRuleException if the rule has something in it that ONOS has no name for
     */
    public static FlowEntry decode(DeviceId deviceId, OFFlowStatsEntry stats) throws UnsupportedRuleException {
        FlowRule rule = DefaultFlowRule.builder()
                .forDevice(deviceId)
                .forTable(TableNumbers.inOnos(stats.getTableId()))
                .withCookie(stats.getCookie().getValue())
                .withSelector(MatchDecoder.decode(stats.getMatch()))
                .withTreatment(TreatmentDecoder.decode(stats.getInstructions()))
                .withPriority(stats.getPriority())
                .withIdleTimeout(stats.getIdleTimeout())
                .build();
        return counted(rule, stats);
    }

    /** {@return a rule known to be meant, with the counters of a line of flow statistics} */
    public static FlowEntry counted(FlowRule rule, OFFlowStatsEntry stats) {
        return new DefaultFlowEntry(rule, FlowEntryState.ADDED, stats.getDurationSec(),
                stats.getPacketCount().getValue(), stats.getByteCount().getValue());
    }

    /**
     * {@return the entry that a switch says it removed, with its last counters}; the message tells no treatment
     *
     * @throws UnsupportedRuleException if the rule has something in it that ONOS has no name for
     */
    @SuppressWarnings("EnumOrdinal") // the library lists the reasons as OpenFlow numbers them
    public static FlowEntry decode(DeviceId deviceId, OFFlowRemoved removed) throws UnsupportedRuleException {
        FlowRule rule = DefaultFlowRule.builder()
                .forDevice(deviceId)
                .forTable(TableNumbers.inOnos(removed.getTableId()))
                .withCookie(removed.getCookie().getValue())
                .withSelector(MatchDecoder.decode(removed.getMatch()))
                .withTreatment(DefaultTrafficTreatment.emptyTreatment())
                .withPriority(removed.getPriority())
                .withIdleTimeout(removed.getIdleTimeout())
                .withReason(FlowRule.FlowRemoveReason.parseShort((short) removed.getReason().ordinal()))
                .build();
        return new DefaultFlowEntry(rule, FlowEntryState.REMOVED, removed.getDurationSec(),
                removed.getPacketCount().getValue(), removed.getByteCount().getValue());
    }
}
