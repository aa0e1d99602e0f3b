// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleService;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.FlowEntries;

/**
 * Finds rules that a switch does not have although ONOS reports the intent as installed. The switch's reports of its rules show
 * it. There are two causes:
 *
 * <ul>
 * <li>The switch has refused the rule. ONOS goes on waiting for it (PENDING_ADD). A single report is not enough: a switch that
 *     has just come back gets its rules again.
 * <li>ONOS has lost the rule, which happens while a switch goes and comes back. Its flow rule store does not have it at all.
 * </ul>
 *
 * <p>Used by the control loop only.
 */
final class InstallationCheck {
    private final FlowRuleService flowRules;
    private final Function<ConnectionId, List<FlowRule>> rules;
    /** What a switch has reported. */
    private static final class Report {
        private final Set<FlowId> added = new HashSet<>();
        private final Set<FlowId> known = new HashSet<>();
        private long newestMillis;
    }

    /** What is wrong with the submissions. */
    static final class Findings {
        private final Map<ConnectionId, DeviceId> refused = new HashMap<>();
        private final List<FlowRule> lost = new ArrayList<>();
        private final Set<DeviceId> suspects = new HashSet<>();

        /** Returns the connections with a refused rule, and a switch that has refused it. */
        Map<ConnectionId, DeviceId> refused() {
            return refused;
        }

        /** Returns the rules that ONOS has lost. */
        List<FlowRule> lost() {
            return lost;
        }

        /** Returns the switches where rules of some connection were missing. */
        Set<DeviceId> suspects() {
            return suspects;
        }
    }

    /**
     * Makes a check.
     *
     * @param flowRules ONOS's flow rule service; not null
     * @param rules     the rules of a connection as ONOS has compiled them; not null
     */
    InstallationCheck(FlowRuleService flowRules, Function<ConnectionId, List<FlowRule>> rules) {
        this.flowRules = checkNotNull(flowRules, "flowRules");
        this.rules = checkNotNull(rules, "rules");
    }

    /**
     * Looks at all submissions that have not been found in the switches so far.
     *
     * @param submissions the submissions of all connections
     * @param nowMillis   milliseconds of the Unix epoch
     * @return what is wrong with them
     */
    Findings look(List<Submission> submissions, long nowMillis) {
        Map<DeviceId, Report> reports = new HashMap<>();
        Findings findings = new Findings();
        for (Submission submission : submissions) {
            SwitchReports of = submission.reports(nowMillis);
            if (!of.isVerified()) {
                verify(submission.connection(), of, reports, nowMillis, findings);
            }
            findings.suspects.addAll(of.suspects());
        }
        return findings;
    }

    private void verify(ConnectionId id, SwitchReports of, Map<DeviceId, Report> reports, long nowMillis, Findings findings) {
        List<FlowRule> wanted = rules.apply(id);
        List<FlowRule> lost = new ArrayList<>();
        boolean isComplete = !wanted.isEmpty();
        of.begin();
        for (FlowRule rule : wanted) {
            Report report = reports.computeIfAbsent(rule.deviceId(), this::read);
            if (report.added.contains(rule.id())) {
                continue;
            }
            isComplete = false;
            if (report.known.isEmpty()) {
                // A switch without a master, of which ONOS tells nothing.
                continue;
            }
            if (!report.known.contains(rule.id())) {
                lost.add(rule);
            } else if (of.isRefused(rule.deviceId(), report.newestMillis)) {
                findings.refused.put(id, rule.deviceId());
            }
        }
        Set<DeviceId> unknownAt = lost.stream().map(FlowRule::deviceId).collect(Collectors.toSet());
        if (of.isLost(isComplete, unknownAt, nowMillis)) {
            findings.lost.addAll(lost);
        }
    }

    private Report read(DeviceId device) {
        Report report = new Report();
        for (FlowEntry entry : FlowEntries.at(flowRules, device)) {
            report.known.add(entry.id());
            if (entry.state() == FlowEntryState.ADDED) {
                report.added.add(entry.id());
                report.newestMillis = Math.max(report.newestMillis, entry.lastSeen());
            }
        }
        return report;
    }
}
