// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.provisioning;

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
import org.subflow.mptcp.intent.Submission;

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
    /** A report that is so much younger than a submission contains its rules, or they were refused. */
    private static final long REPORT_MILLIS = 1000;
    /** After so many reports without a rule for which ONOS waits, it counts as refused. */
    static final int REPORTS = 4;
    /** After so many looks without a rule in ONOS it counts as lost; a look is at least a second later than the one before. */
    private static final int LOOKS = 2;

    private final FlowRuleService flowRules;
    private final Function<ConnectionId, List<FlowRule>> rules;
    /** What was found of the newest revision of each connection. */
    private final Map<ConnectionId, Seen> seen = new HashMap<>();

    private static final class Seen {
        private final long revision;
        private final long sinceMillis;
        private boolean verified;
        private int reportsWithout;
        private long lastWithoutMillis;
        private int looksWithout;
        private long lastLookMillis;
        /** The switches where rules were missing at the last look. */
        private final Set<DeviceId> missingAt = new HashSet<>();

        private Seen(long revision, long sinceMillis) {
            this.revision = revision;
            this.sinceMillis = sinceMillis;
        }

        /** Returns what was found so far, for the same rules in a further submission. */
        private Seen submittedAgain(long newRevision) {
            Seen next = new Seen(newRevision, sinceMillis);
            next.reportsWithout = reportsWithout;
            next.lastWithoutMillis = lastWithoutMillis;
            return next;
        }
    }

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

        /** Returns the connections with a refused rule, and a switch that has refused it. */
        Map<ConnectionId, DeviceId> refused() {
            return refused;
        }

        /** Returns the rules that ONOS has lost. */
        List<FlowRule> lost() {
            return lost;
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
     * @param submissions the submissions of all connections; what was found of one that has failed counts for the next one
     * @param nowMillis   milliseconds of the Unix epoch
     * @return what is wrong with them
     */
    Findings look(List<Submission> submissions, long nowMillis) {
        seen.keySet().retainAll(submissions.stream().map(Submission::connection).collect(Collectors.toSet()));
        Map<DeviceId, Report> reports = new HashMap<>();
        Findings findings = new Findings();
        submissions.forEach(submission -> {
            ConnectionId id = submission.connection();
            long revision = submission.revision();
            Seen of = seen.get(id);
            if (of == null || of.revision != revision) {
                of = of != null && submission.failures() > 0 ? of.submittedAgain(revision) : new Seen(revision, nowMillis);
                seen.put(id, of);
            }
            if (!of.verified) {
                verify(id, of, reports, nowMillis, findings);
            }
        });
        return findings;
    }

    private void verify(ConnectionId id, Seen of, Map<DeviceId, Report> reports, long nowMillis, Findings findings) {
        List<FlowRule> wanted = rules.apply(id);
        List<FlowRule> lost = new ArrayList<>();
        boolean isComplete = !wanted.isEmpty();
        of.missingAt.clear();
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
                of.missingAt.add(rule.deviceId());
            } else if (report.newestMillis - of.sinceMillis >= REPORT_MILLIS) {
                of.missingAt.add(rule.deviceId());
                if (isWithout(of, report)) {
                    findings.refused.put(id, rule.deviceId());
                }
            }
        }
        of.verified = isComplete;
        if (isLost(of, !lost.isEmpty(), nowMillis)) {
            findings.lost.addAll(lost);
        }
    }

    private static boolean isWithout(Seen of, Report report) {
        if (report.newestMillis > of.lastWithoutMillis) {
            of.reportsWithout++;
            of.lastWithoutMillis = report.newestMillis;
        }
        return of.reportsWithout >= REPORTS;
    }

    private static boolean isLost(Seen of, boolean isMissing, long nowMillis) {
        if (!isMissing) {
            of.looksWithout = 0;
        } else if (nowMillis - Math.max(of.sinceMillis, of.lastLookMillis) >= REPORT_MILLIS) {
            of.looksWithout++;
            of.lastLookMillis = nowMillis;
            return of.looksWithout >= LOOKS;
        }
        return false;
    }

    /** Returns the switches where rules of some connection were missing. */
    Set<DeviceId> suspects() {
        return seen.values().stream().filter(of -> of.reportsWithout + of.looksWithout > 0)
                .flatMap(of -> of.missingAt.stream()).collect(Collectors.toSet());
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
