// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import java.util.Optional;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.codec.FlowEntryDecoder;
import org.subflow.mptcp.southbound.codec.MatchEncoder;
import org.subflow.mptcp.southbound.codec.UnsupportedRuleException;

/**
 * Reads one entry of flow statistics, leniently. ONOS removes from a switch every reported rule that its store does not
 * hold. So this reader reports no rule that it cannot decode, and reports ONOS's own rules exactly as ONOS wrote them.
 */
final class FlowStatsReader {

    private static final Logger log = LoggerFactory.getLogger(FlowStatsReader.class);

    private FlowStatsReader() {
    }

    /**
     * {@return the entry that ONOS is to be told of, empty if there is none}
     *
     * @param known the rule that ONOS holds under the same cookie, null if there is none
     */
    static Optional<FlowEntry> read(DeviceId device, OFFlowStatsEntry stats, FlowRule known) {
        try {
            FlowEntry entry = FlowEntryDecoder.decode(device, stats);
            return Optional.of(isSameRule(entry, known, stats) ? FlowEntryDecoder.counted(known, stats) : entry);
        } catch (UnsupportedRuleException e) {
            log.debug("A rule of {} is not understood: {}", device, e.getMessage());
            return Optional.ofNullable(known).map(rule -> FlowEntryDecoder.counted(rule, stats));
        }
    }

    /**
     * Returns whether a reported rule equals a known one although the switch writes its match differently. A switch
     * leaves out the bits that a mask removes, for example.
     */
    private static boolean isSameRule(FlowEntry entry, FlowRule known, OFFlowStatsEntry stats)
            throws UnsupportedRuleException {
        return known != null
                && !known.selector().equals(entry.selector())
                && known.treatment().equals(entry.treatment())
                && MatchEncoder.encode(known.selector(), OFFactories.getFactory(stats.getVersion()))
                        .equals(stats.getMatch());
    }
}
