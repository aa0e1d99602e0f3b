// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.Set;
import org.onosproject.net.DeviceId;

/** What the switches have reported of the rules of one revision. Used by the control loop only. */
public final class SwitchReports {
    /** A report that is so much younger than a submission contains its rules, or they were refused. */
    private static final long REPORT_MILLIS = 1000;
    /** After so many reports without a rule for which ONOS waits, it counts as refused. */
    private static final int REPORTS = 4;
    /** After so many looks without a rule in ONOS it counts as lost; a look is at least a second later than the one before. */
    private static final int LOOKS = 2;

    private final long revision;
    private final long sinceMillis;
    private boolean isVerified;
    private int reportsWithout;
    private long lastWithoutMillis;
    private int looksWithout;
    private long lastLookMillis;
    /** The switches where rules were missing at the last look. */
    private final Set<DeviceId> missingAt = new HashSet<>();

    SwitchReports(long revision, long sinceMillis) {
        this.revision = revision;
        this.sinceMillis = sinceMillis;
    }

    /** Returns what was found so far, for the same rules in a further submission. */
    SwitchReports submittedAgain(long newRevision) {
        SwitchReports next = new SwitchReports(newRevision, sinceMillis);
        next.reportsWithout = reportsWithout;
        next.lastWithoutMillis = lastWithoutMillis;
        return next;
    }

    long revision() {
        return revision;
    }

    /** Returns whether all rules were in the switches at some look. */
    public boolean isVerified() {
        return isVerified;
    }

    /** Begins a look at all rules. */
    public void begin() {
        missingAt.clear();
    }

    /**
     * Notes that a switch has a rule in ONOS, but has not reported it.
     *
     * @param newestMillis the time of its newest report, milliseconds of the Unix epoch
     * @return whether it has refused the rule
     */
    public boolean isRefused(DeviceId device, long newestMillis) {
        if (newestMillis - sinceMillis < REPORT_MILLIS) {
            return false;
        }
        missingAt.add(checkNotNull(device, "device"));
        if (newestMillis > lastWithoutMillis) {
            reportsWithout++;
            lastWithoutMillis = newestMillis;
        }
        return reportsWithout >= REPORTS;
    }

    /**
     * Ends a look.
     *
     * @param isComplete whether all rules were in the switches
     * @param unknownAt  the switches with rules that ONOS does not know
     * @param nowMillis  milliseconds of the Unix epoch
     * @return whether ONOS has lost these rules
     */
    public boolean isLost(boolean isComplete, Set<DeviceId> unknownAt, long nowMillis) {
        isVerified = isComplete;
        missingAt.addAll(unknownAt);
        if (unknownAt.isEmpty()) {
            looksWithout = 0;
        } else if (nowMillis - Math.max(sinceMillis, lastLookMillis) >= REPORT_MILLIS) {
            looksWithout++;
            lastLookMillis = nowMillis;
            return looksWithout >= LOOKS;
        }
        return false;
    }

    /** Returns the switches where rules were missing at the last look. */
    public Set<DeviceId> suspects() {
        return reportsWithout + looksWithout > 0 ? Set.copyOf(missingAt) : Set.of();
    }
}
