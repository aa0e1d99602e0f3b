// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.Optional;
import java.util.function.Supplier;
import org.subflow.mptcp.api.ConnectionId;
import org.subflow.mptcp.api.policy.PathLabels;

/**
 * Decides which connections' paths have labels. With {@link PathLabels#AUTO} a connection keeps what it began with: after a
 * failure, one with exact rules gets exact rules at once, and does not wait for those of new paths with labels. Used by the
 * submitting thread.
 */
public final class LabelChoice {
    private final Supplier<PathLabels> setting;

    /**
     * Makes it.
     *
     * @param setting the setting as it is now; not null
     */
    public LabelChoice(Supplier<PathLabels> setting) {
        this.setting = checkNotNull(setting, "setting");
    }

    /** Returns one that gives no labels. */
    static LabelChoice none() {
        return new LabelChoice(() -> PathLabels.OFF);
    }

    /** Returns a route of a connection that is about to be submitted, with labels if the connection is to have some. */
    SubflowRoute labelled(Submissions submissions, ConnectionId connection, SubflowRoute route) {
        return areUsed(submissions, submissions.of(connection)) ? route.labelled() : route;
    }

    private boolean areUsed(Submissions submissions, Submission submission) {
        PathLabels now = setting.get();
        Optional<Boolean> kept = submission.labels().filter(before -> now == PathLabels.AUTO);
        boolean use = kept.orElseGet(() -> now.areUsed(submissions.othersDecided(submission)));
        submissions.decide(submission, use);
        return use;
    }
}
