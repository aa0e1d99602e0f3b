// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.southbound.flow;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFFactories;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subflow.mptcp.southbound.FirstTable;
import org.subflow.mptcp.southbound.codec.FlowEntryDecoder;
import org.subflow.mptcp.southbound.codec.MatchEncoder;
import org.subflow.mptcp.southbound.codec.UnsupportedRuleException;

/**
 * Reads flow statistics, leniently. ONOS removes from a switch every reported rule that its store does not hold. So this reader
 * reports no rule that it cannot decode, and reports ONOS's own rules exactly as ONOS wrote them.
 *
 * <p>Switches report thousands of rules a second, nearly all of them as they did before. The reader remembers how a switch has
 * written each of ONOS's rules, and decodes only what is new. The entries of ONOS's rules share its selectors and treatments,
 * because ONOS compares them several times and sees at once that an object equals itself. Thread-safe.
 */
final class FlowStatsReader {

    private static final Logger log = LoggerFactory.getLogger(FlowStatsReader.class);

    /** The newest report of each switch, by cookie: how it has written ONOS's rules. */
    private final Map<DeviceId, Map<Long, Form>> forms = new ConcurrentHashMap<>();

    /** How a switch has written a rule. */
    private static final class Form {
        private final TrafficSelector selector;
        private final TrafficTreatment treatment;
        private final HashCode written;

        private Form(FlowRule rule, OFFlowStatsEntry stats) {
            this.selector = rule.selector();
            this.treatment = rule.treatment();
            this.written = digest(stats);
        }

        private boolean isOf(FlowRule rule, OFFlowStatsEntry stats) {
            return selector == rule.selector() && treatment == rule.treatment() && written.equals(digest(stats));
        }

        /** Everything of a rule but its cookie, time-outs and counters. The parts themselves would take half as much memory as the rule. */
        private static HashCode digest(OFFlowStatsEntry stats) {
            Hasher hasher = Hashing.murmur3_128().newHasher();
            hasher.putInt(stats.getPriority()).putShort(stats.getTableId().getValue());
            stats.getMatch().putTo(hasher);
            stats.getInstructions().forEach(instruction -> instruction.putTo(hasher));
            return hasher.hash();
        }
    }

    /**
     * {@return the entries that ONOS is to be told of}
     *
     * @param reported all rules of a switch
     * @param known    the rules that ONOS holds for it, by cookie
     */
    List<FlowEntry> read(DeviceId device, List<OFFlowStatsEntry> reported, Map<Long, FlowRule> known) {
        Map<Long, Form> before = forms.getOrDefault(device, Map.of());
        Map<Long, Form> now = new HashMap<>();
        List<FlowEntry> entries = new ArrayList<>(reported.size());
        for (OFFlowStatsEntry stats : reported) {
            if (stats.getTableId().equals(FirstTable.ID)) {
                continue;
            }
            long cookie = stats.getCookie().getValue();
            FlowRule rule = known.get(cookie);
            Form form = before.get(cookie);
            if (rule != null && form != null && form.isOf(rule, stats)) {
                now.put(cookie, form);
                entries.add(FlowEntryDecoder.counted(rule, stats));
            } else {
                decode(device, stats, rule).ifPresent(entry -> {
                    if (rule != null && entry.selector() == rule.selector()) {
                        now.put(cookie, new Form(rule, stats));
                    }
                    entries.add(entry);
                });
            }
        }
        forms.put(device, now);
        return entries;
    }

    /** Forgets what a switch has reported. */
    void forget(DeviceId device) {
        forms.remove(device);
    }

    private static Optional<FlowEntry> decode(DeviceId device, OFFlowStatsEntry stats, FlowRule known) {
        try {
            FlowEntry entry = FlowEntryDecoder.decode(device, stats);
            return Optional.of(isSameRule(entry, known, stats) ? FlowEntryDecoder.counted(known, stats) : entry);
        } catch (UnsupportedRuleException e) {
            log.debug("A rule of {} is not understood: {}", device, e.getMessage());
            return Optional.ofNullable(known).map(rule -> FlowEntryDecoder.counted(rule, stats));
        }
    }

    /**
     * Returns whether a reported rule equals a known one, although the switch may write its match differently. A switch leaves out
     * the bits that a mask removes, for example.
     */
    private static boolean isSameRule(FlowEntry entry, FlowRule known, OFFlowStatsEntry stats)
            throws UnsupportedRuleException {
        return known != null
                && known.priority() == entry.priority()
                && known.table().equals(entry.table())
                && known.treatment().equals(entry.treatment())
                && (known.selector().equals(entry.selector())
                        || MatchEncoder.encode(known.selector(), OFFactories.getFactory(stats.getVersion()))
                                .equals(stats.getMatch()));
    }
}
