// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.subflow.mptcp.api.ConnectionId;

/** The {@link Submission} of each connection. One thread changes them; any thread looks one up. */
final class Submissions {
    private final Map<ConnectionId, Submission> byConnection = new ConcurrentHashMap<>();
    /** How many have decided on labels. */
    private int decided;

    /** Returns the submission of a connection, a new one if there is none. */
    Submission of(ConnectionId connection) {
        return byConnection.computeIfAbsent(connection, Submission::new);
    }

    /** Returns the submission of a connection, also one that is gone. */
    Optional<Submission> get(ConnectionId connection) {
        return Optional.ofNullable(byConnection.get(connection));
    }

    /** Returns the submission of a connection that wants one. */
    Optional<Submission> wanted(ConnectionId connection) {
        return get(connection).filter(Submissions::isWanted);
    }

    /** Returns the submissions that some connection wants, as they are now. */
    List<Submission> wanted() {
        return some(Submissions::isWanted);
    }

    /** Returns the submissions that wait, as they are now. */
    List<Submission> waiting() {
        return some(Submission::isWaiting);
    }

    private List<Submission> some(Predicate<Submission> which) {
        return byConnection.values().stream().filter(which).collect(Collectors.toList());
    }

    private static boolean isWanted(Submission submission) {
        return submission.state() != Submission.State.GONE;
    }

    /** Returns all, also those that are gone; a copy. */
    Collection<Submission> all() {
        return new ArrayList<>(byConnection.values());
    }

    /** Notes whether the paths of a connection have labels. */
    void decide(Submission submission, boolean areUsed) {
        decided += submission.labels().isPresent() ? 0 : 1;
        submission.setLabels(areUsed);
    }

    /** Returns how many other connections have decided on labels. */
    int othersDecided(Submission submission) {
        return decided - (submission.labels().isPresent() ? 1 : 0);
    }

    /** Notes that a connection wants no submission any more; returns the request that ONOS has, if any. */
    Optional<MptcpIntent> withdraw(ConnectionId connection) {
        return get(connection).flatMap(submission -> {
            decided -= submission.labels().isPresent() ? 1 : 0;
            return submission.withdraw();
        });
    }

    /** Forgets a connection, of which ONOS has no intent any more. */
    void forget(ConnectionId connection) {
        withdraw(connection);
        byConnection.remove(connection);
    }
}
