// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.intent;

import static com.google.common.base.Preconditions.checkNotNull;

import java.util.function.Consumer;

/**
 * Submissions of connections, each of which waits until the rules that it shares with others are in the switches. So no packet
 * comes to a switch that does not know its label. One whose paths have not come for a whole sweep gets exact rules. Used by the
 * submitting thread.
 */
final class WaitingSubmissions {
    private final Submissions submissions;
    private final SharedPaths paths;
    private final Consumer<Submission> submit;

    /**
     * Makes it.
     *
     * @param submissions the submissions of all connections; not null
     * @param paths       the paths that subflows share; not null
     * @param submit      gets each submission whose paths are ready; not null
     */
    WaitingSubmissions(Submissions submissions, SharedPaths paths, Consumer<Submission> submit) {
        this.submissions = checkNotNull(submissions, "submissions");
        this.paths = checkNotNull(paths, "paths");
        this.submit = checkNotNull(submit, "submit");
    }

    /** Submits a connection's intent, now or once its paths are ready, in place of one that waits still. */
    void submit(MptcpIntent intent) {
        submitWhenReady(intent.withLabels(paths::admits));
    }

    private void submitWhenReady(MptcpIntent intent) {
        Submission submission = submissions.of(intent.connection());
        submission.submit(intent);
        paths.need(intent.paths());
        if (intent.paths().stream().allMatch(paths::isReady)) {
            submit.accept(submission);
        }
    }

    /** Looks at all that wait: paths have changed. */
    void look() {
        submissions.waiting().forEach(submission -> submit(submission.newest()));
    }

    /** Looks at all that wait, and ends the waits that have lasted for a whole sweep. */
    void sweep() {
        look();
        submissions.waiting().stream().filter(Submission::isOld)
                .forEach(submission -> submitWhenReady(submission.newest().withLabels(paths::isReady)));
    }
}
