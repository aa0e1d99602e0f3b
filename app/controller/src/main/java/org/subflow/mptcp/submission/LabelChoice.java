// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.submission;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Supplier;
import org.subflow.mptcp.api.policy.PathLabels;
import org.subflow.mptcp.intent.SubflowRoute;

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

    /**
     * Returns a route of a connection that is about to be submitted, with labels if the connection is to have some.
     *
     * @param others how many other connections have rules, wait for them, or are about to lose them
     */
    SubflowRoute labelled(Submission submission, int others, SubflowRoute route) {
        PathLabels now = setting.get();
        boolean use = submission.labels().filter(before -> now == PathLabels.AUTO).orElseGet(() -> now.areUsed(others));
        submission.setLabels(use);
        return use ? route.labelled() : route;
    }
}
