// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.onosproject.net.DeviceId;
import org.onosproject.net.intent.Intent;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.intent.LabelledPath;
import org.subflow.mptcp.intent.MptcpIntent;

/**
 * All that is known of the submission of one connection.
 *
 * <pre>
 *              ┌────────────── submit ──────────────┐
 *              ▼                                    │
 *   submit → WAITING → SUBMITTED → INSTALLED        │ from any state, with a greater revision
 *                          │  ▲        │            │
 *                          └──┼→ FAILED n ──────────┘ after a pause
 *                             │
 *   withdraw, from any state → GONE → forgotten, once ONOS has no intent
 * </pre>
 * A submission waits for the rules that it shares with others. It also waits while ONOS removes all rules of an earlier one: ONOS
 * would compare the new rules with those, and write none that are equal. Outcomes of another revision than the newest one change
 * nothing.
 * ONOS may report a later outcome of the same revision, so INSTALLED and FAILED can follow each other.
 *
 * <p>The control loop changes it; any thread asks for the state, the revision and what ONOS has, and tells when ONOS has confirmed.
 */
public final class Submission {
    /** The revision of a submission of another node, or of an earlier run. */
    static final long UNKNOWN = -1;

    /** What has become of the newest revision. */
    private enum State {
        /** Its rules wait for those that it shares with others, or until ONOS has removed those of an earlier request. */
        WAITING,
        /** ONOS has it, and has reported no outcome. */
        SUBMITTED,
        /** Its rules are in the switches. */
        INSTALLED,
        /** It could not be compiled or installed. */
        FAILED,
        /** Nobody wants it. ONOS may still remove its rules. */
        GONE
    }

    /** So many failures without a success in between, and the connection is given up. */
    public static final int MOST_FAILURES = 4;
    /** Pause after the first failure; it doubles with each further one. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ConnectionId connection;
    private volatile State state = State.GONE;
    /** The newest request; null before the first one. */
    private volatile MptcpIntent newest;
    /** What ONOS got last, which may be older than what waits; null before that. */
    private volatile Given given;
    /** Whether ONOS may still be removing all rules. */
    private volatile boolean isLeaving;
    /** The shared paths of earlier revisions, whose rules may still be in the switches. */
    private final Set<LabelledPath> earlierPaths = new HashSet<>();
    /** Whether its paths have labels; null where that is not decided. */
    private Boolean labels;
    private int sweeps;
    /** When ONOS confirmed the rules of the newest revision, nanoseconds; null before that. */
    private volatile Long confirmedNanos;
    private int failures;
    private long failedNanos;
    private InstallationCheck check;

    /** A request, and the form in which ONOS got it. */
    private static final class Given {
        private final MptcpIntent request;
        private final Intent intent;

        private Given(MptcpIntent request, Intent intent) {
            this.request = request;
            this.intent = intent;
        }
    }

    Submission(ConnectionId connection) {
        this.connection = checkNotNull(connection, "connection");
    }

    /** Returns the connection. */
    public ConnectionId connection() {
        return connection;
    }

    /** Returns the newest revision, {@link #UNKNOWN} before the first one. */
    public long revision() {
        MptcpIntent now = newest;
        return now == null ? UNKNOWN : now.revision;
    }

    /** Returns whether its rules may be on their way: it waits, or ONOS has reported no outcome. */
    boolean isPending() {
        return state == State.WAITING || state == State.SUBMITTED;
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isGone() {
        return state == State.GONE;
    }

    /** Returns the newest request. */
    MptcpIntent newest() {
        return newest;
    }

    /** Takes a request in place of the last one. The same revision with other labels goes on waiting. */
    void submit(MptcpIntent intent) {
        if (intent.revision != revision()) {
            sweeps = 0;
        }
        earlierPaths.addAll(newestPaths());
        newest = intent;
        state = State.WAITING;
    }

    /**
     * Notes that ONOS gets the newest request now.
     *
     * @param intent the form in which it gets it
     */
    void given(Intent intent) {
        given = new Given(newest, intent);
        isLeaving = false;
        confirmedNanos = null;
        state = State.SUBMITTED;
    }

    /** Notes that ONOS is removing all its rules. */
    void leaves() {
        isLeaving = true;
    }

    /** Returns whether ONOS may still be removing all its rules. */
    boolean isLeaving() {
        return isLeaving;
    }

    /**
     * Notes that ONOS has removed all rules of a revision. Any thread may tell.
     *
     * @return whether the newest request has perhaps waited for this
     */
    boolean removed(long revision) {
        Given last = given;
        if (last != null && last.request.revision > revision) {
            return false;
        }
        isLeaving = false;
        return isWaiting();
    }

    /** Waits for no removal any more. */
    void endRemoval() {
        isLeaving = false;
    }

    /** Returns the request of which ONOS has the intent, if anybody wants its rules. */
    Optional<MptcpIntent> wanted() {
        return isGone() ? Optional.empty() : Optional.ofNullable(given).map(last -> last.request);
    }

    /** Returns the revision of which this is the intent, if ONOS has got it last; else {@link #UNKNOWN}. */
    long revisionOf(Intent intent) {
        Given last = given;
        return last != null && last.intent.id().equals(intent.id()) ? last.request.revision : UNKNOWN;
    }

    private boolean isOutcome(long revision) {
        return revision == revision() && !isWaiting() && !isGone();
    }

    /** Notes when ONOS has reported that the rules of a revision are in the switches. Any thread may tell. */
    void confirmed(long revision, long nanos) {
        if (revision == revision() && confirmedNanos == null) {
            confirmedNanos = nanos;
        }
    }

    /** Returns when ONOS confirmed the rules of the newest revision, nanoseconds of the system's monotonic clock; empty if never. */
    public Optional<Long> confirmedNanos() {
        return Optional.ofNullable(confirmedNanos);
    }

    /** Notes that the rules of a revision are in the switches; returns whether it is the newest one. */
    public boolean installed(long revision) {
        boolean isNewest = isOutcome(revision);
        if (isNewest) {
            state = State.INSTALLED;
            failures = 0;
        }
        return isNewest;
    }

    /**
     * Notes that a revision could not be compiled or installed. Failures within a pause count once.
     *
     * @return whether it is the newest one
     */
    public boolean failed(long revision, long nowNanos) {
        boolean isNewest = isOutcome(revision);
        if (isNewest) {
            if (state != State.FAILED && (failures == 0 || isPauseOver(nowNanos))) {
                failures++;
                failedNanos = nowNanos;
            }
            state = State.FAILED;
        }
        return isNewest;
    }

    /** Returns how often it has failed without a success in between. */
    public int failures() {
        return failures;
    }

    /** Returns whether it has failed and is to be repeated now. */
    public boolean isDue(long nowNanos) {
        return state == State.FAILED && isPauseOver(nowNanos);
    }

    private boolean isPauseOver(long nowNanos) {
        return nowNanos - failedNanos >= PAUSE_NANOS << Math.min(failures - 1, MOST_FAILURES);
    }

    /** Notes that nobody wants it any more. */
    void withdraw() {
        isLeaving |= !isGone();
        state = State.GONE;
        labels = null;
        failures = 0;
        check = null;
    }

    /** Returns whether its paths have labels; empty where that is not decided. */
    Optional<Boolean> labels() {
        return Optional.ofNullable(labels);
    }

    void setLabels(boolean areUsed) {
        labels = areUsed;
    }

    /** Returns the paths that the newest revision shares with others. */
    Set<LabelledPath> newestPaths() {
        return newest == null ? Set.of() : newest.paths();
    }

    /** Returns all paths that its rules may lead to. */
    Set<LabelledPath> paths() {
        Set<LabelledPath> all = new HashSet<>(earlierPaths);
        all.addAll(newestPaths());
        return all;
    }

    /** Notes that only rules of the newest revision are in the switches. */
    void leaveEarlierPaths() {
        earlierPaths.clear();
    }

    /** Notes that a sweep has passed. */
    void swept() {
        sweeps++;
    }

    /** Returns whether the newest revision is from before the last sweep, so that its outcome may be lost. */
    public boolean isOld() {
        return sweeps > 0;
    }

    /** Notes that some switches have wanted rules unconfirmed, perhaps some of this one that were there before. */
    public void unconfirmedAt(Set<DeviceId> switches) {
        if (check != null) {
            check.lookAgain(switches);
        }
    }

    /**
     * Returns the check of its rules. What it has found of a revision that failed counts for the next one.
     *
     * @param nowMillis milliseconds of the Unix epoch
     */
    InstallationCheck check(long nowMillis) {
        if (check == null || check.revision() != revision()) {
            check = check != null && failures > 0 ? check.submittedAgain(revision()) : new InstallationCheck(revision(), nowMillis);
        }
        return check;
    }
}
