// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.rules.RuleReading;

/**
 * Finds rules of one revision that a switch does not have although ONOS reports the intent as installed. The switch's reports of its
 * rules show it. There are two causes:
 *
 * <ul>
 * <li>The switch has refused the rule. ONOS goes on waiting for it (PENDING_ADD). A single report is not enough: a switch that
 *     has just come back gets its rules again.
 * <li>ONOS has lost the rule, which happens while a switch goes and comes back. The {@link
 *     org.subflow.mptcp.rules.Reconciler} adds it again.
 * </ul>
 *
 * <p>Used by the control loop only.
 */
public final class InstallationCheck {
    /** A report that is so much younger than a submission contains its rules, or they were refused. */
    private static final long REPORT_MILLIS = 1000;
    /** After so many reports without a rule for which ONOS waits, it counts as refused. */
    private static final int REPORTS = 4;

    private final long revision;
    private final long sinceMillis;
    private boolean isVerified;
    /** The switches that have rules of the revision, as far as known. */
    private final Set<DeviceId> switches = new HashSet<>();
    /** The switches whose newest reports lack a rule for which ONOS waits. */
    private final Map<DeviceId, Without> without = new HashMap<>();
    /** The switches where rules were missing at the last look. */
    private final Set<DeviceId> missingAt = new HashSet<>();

    /** The reports of a switch, one after the other, without a rule. */
    private static final class Without {
        private int reports;
        private long lastMillis;
    }

    /** What is wrong with submissions. */
    public static final class Findings {
        private final Map<ConnectionId, DeviceId> refused = new HashMap<>();
        private final Set<DeviceId> suspects = new HashSet<>();

        /** Returns the connections with a refused rule, and a switch that has refused it. */
        public Map<ConnectionId, DeviceId> refused() {
            return refused;
        }

        /** Returns the switches where rules of some connection were missing. */
        public Set<DeviceId> suspects() {
            return suspects;
        }
    }

    InstallationCheck(long revision, long sinceMillis) {
        this.revision = revision;
        this.sinceMillis = sinceMillis;
    }

    /** Looks at the rules again, although all were there: some are unconfirmed now at these switches. */
    void lookAgain(Set<DeviceId> unconfirmed) {
        if (!Collections.disjoint(switches, unconfirmed)) {
            isVerified = false;
        }
    }

    /** Returns what was found so far, for the same rules in a further submission. */
    InstallationCheck submittedAgain(long newRevision) {
        InstallationCheck next = new InstallationCheck(newRevision, sinceMillis);
        next.without.putAll(without);
        return next;
    }

    long revision() {
        return revision;
    }

    /**
     * Looks at all submissions that have not been found in the switches so far, or of which a switch has rules unconfirmed since.
     *
     * @param reading     the rules that ONOS has; not null
     * @param submissions the submissions of all connections; not null
     * @param rules       the rules of a connection as ONOS has compiled them; not null
     * @param nowMillis   milliseconds of the Unix epoch
     * @return what is wrong with them
     */
    public static Findings look(RuleReading reading, List<Submission> submissions,
                                Function<ConnectionId, List<FlowRule>> rules, long nowMillis) {
        Findings findings = new Findings();
        for (Submission submission : submissions) {
            InstallationCheck check = submission.check(nowMillis);
            if (!check.isVerified) {
                check.verify(submission.connection(), rules.apply(submission.connection()), reading, findings);
            }
            if (nowMillis - check.sinceMillis >= REPORT_MILLIS) {
                findings.suspects.addAll(check.missingAt);
            }
        }
        return findings;
    }

    private void verify(ConnectionId id, List<FlowRule> wanted, RuleReading reading, Findings findings) {
        isVerified = !wanted.isEmpty();
        missingAt.clear();
        for (FlowRule rule : wanted) {
            switches.add(rule.deviceId());
            Optional<FlowEntryState> state = reading.find(rule).map(FlowEntry::state);
            if (state.equals(Optional.of(FlowEntryState.ADDED))) {
                continue;
            }
            isVerified = false;
            if (state.isPresent()) {
                if (isRefused(rule.deviceId(), reading.reportedMillis(rule.deviceId()))) {
                    findings.refused.put(id, rule.deviceId());
                }
            } else if (reading.isKnown(rule.deviceId())) {
                missingAt.add(rule.deviceId());
            }
        }
        without.keySet().retainAll(missingAt);
    }

    /** Notes that a switch has a rule in ONOS, but has not reported it; returns whether it has refused the rule. */
    private boolean isRefused(DeviceId device, long newestMillis) {
        if (newestMillis - sinceMillis < REPORT_MILLIS) {
            return false;
        }
        missingAt.add(device);
        Without reports = without.computeIfAbsent(device, unused -> new Without());
        if (newestMillis > reports.lastMillis) {
            reports.reports++;
            reports.lastMillis = newestMillis;
        }
        return reports.reports >= REPORTS;
    }
}
