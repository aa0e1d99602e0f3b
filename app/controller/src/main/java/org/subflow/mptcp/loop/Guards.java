// SPDX-License-Identifier: Apache-2.0
package org.subflow.mptcp.loop;

import static com.google.common.base.Preconditions.checkNotNull;

/** Check which loop it is that runs. */
public final class Guards {
    /** The control loop. */
    public final LoopGuard decisions;
    /** The loop of attainable rates and of the network's bound. */
    public final LoopGuard estimates;
    /** The loop of users' questions. */
    public final LoopGuard questions;

    public Guards(LoopGuard decisions, LoopGuard estimates, LoopGuard questions) {
        this.decisions = checkNotNull(decisions, "decisions");
        this.estimates = checkNotNull(estimates, "estimates");
        this.questions = checkNotNull(questions, "questions");
    }
}
